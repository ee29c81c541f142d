package kernelstest

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Programs yields n random cases, with the seeds from the given one on.
func Programs(seed uint64, n int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		for i := range uint64(n) {
			if !yield(Draw(seed + i)) {
				return
			}
		}
	}
}

// Draw draws a case: two batches of a random program, in both arena modes, with sizes
// of every kind (0, 1, near 2^64, counts over their max, arithmetic that fails), an
// arena that ends anywhere, also exactly where a buffer does, releases, buffers in
// place, injected failures, lists, marks, allocations by kernels, memory that kernels
// have written over, and programs that are malformed.
func Draw(seed uint64) *Case {
	r := rand.New(rand.NewPCG(seed, 0xD1FF))
	d := &drawer{Rand: r, s: Random(r), c: &Case{Seed: seed}}
	// In a tame case all memory that is given out lies in the pool, so that it can be
	// read; else the arena may be anywhere.
	d.wild = r.IntN(4) == 0
	d.areas()
	d.quiet = r.IntN(2) == 0
	if d.quiet {
		d.calm()
	}
	d.codes()
	d.l = d.s.Layout()
	d.placeArena(1 << (4 + r.IntN(9)))
	d.launches()
	if d.quiet && r.IntN(3) == 0 {
		abi.PutWords(d.c.Pool[5*8:], []uint64{abi.FlagReuse}) // and no fault
	}
	if r.IntN(3) > 0 || d.quiet {
		d.atBorder()
	}
	if r.IntN(4) == 0 {
		d.spoil()
	}
	return d.c
}

// drawer is a case in the making.
type drawer struct {
	*rand.Rand
	s     *Sequence
	l     *abi.Layout
	c     *Case
	wild  bool
	quiet bool // mostly nothing fails

	limit                                             uint64 // of the list
	mark, taken, report, patch, count, sizes, out, wk uint64 // offsets
}

// patchSize is the size of an area for patterns.
const patchSize = 300

// areas adds the static memory that the launches work on.
func (d *drawer) areas() {
	if d.IntN(3) > 0 || d.s.ArenaAlign > 512 {
		d.s.ArenaAlign = 1 << d.IntN(9)
	}
	d.limit = 1 + d.Uint64N(40)
	if d.IntN(100) == 0 {
		d.limit = kernels.ListChunk*2 + d.Uint64N(3) - 1 // chunks end within the list
	}
	add := func(at *uint64, size uint64) {
		d.s.Statics = append(d.s.Statics, abi.StaticBuffer{Name: "area", Size: size, ElemSize: 1})
		*at = d.s.Offset(len(d.s.Statics) - 1)
	}
	add(&d.mark, 8)
	add(&d.taken, 8)
	add(&d.report, kernels.CheckReportSize)
	add(&d.patch, patchSize)
	add(&d.count, 8)
	add(&d.sizes, d.limit*8)
	add(&d.out, d.limit*abi.SlotSize)
	add(&d.wk, kernels.ListWorkSize(d.limit))
	d.c.Scratch = [2]uint64{d.wk, kernels.ListWorkSize(d.limit)}
}

// codes replaces some size programs: what a wild case must not read, and, now and
// then, what is wrong or as large as allowed.
func (d *drawer) codes() {
	odds := 12
	if d.quiet {
		odds = 250
	}
	for i := range d.s.Steps {
		for j := range d.s.Steps[i].Allocs {
			b := &d.s.Steps[i].Allocs[j]
			if d.wild && reads(b.Code, abi.OpLoadSlot) {
				b.Code = Const(value(d.Rand))
			}
			if d.IntN(odds) == 0 {
				d.oddCode(b)
			}
		}
	}
}

func (d *drawer) oddCode(b *Buffer) {
	code := slices.Clone(b.Code)
	switch d.IntN(15) {
	case 0:
		b.Code = nil
	case 1:
		b.Code = append(code, Const(1)...) // leaves two values
	case 2:
		b.Code = append(Const(1), Code(abi.OpAdd)...)
	case 3, 4:
		b.Code = deep(abi.MaxStack + d.IntN(2))
	case 5:
		b.Code = slices.Concat(code, Const(1), Code(abi.OpCheckMax+1+abi.Op(d.IntN(2))<<d.IntN(40)))
	case 6:
		code[0] ^= 1 << (32 + d.IntN(32)) // the argument
		b.Code = code
	case 7:
		b.Code = slices.Concat(Const(0), LoadSlot(100+d.Uint64N(2)<<62, 8))
	case 8:
		b.Rule = 1 + d.Uint64N(3)
	case 9, 10: // a load that ends behind uint64
		width, index := uint64(1)<<d.IntN(4), d.Uint64N(5)
		offset := ^uint64(0) - (index+1)*width + 1 + d.Uint64N(width)
		b.Code = slices.Concat(Const(index), []uint64{uint64(abi.OpLoad.With(uint32(width))), offset, 64})
	case 11, 12:
		b.Code = slices.Concat(Const(7), Const(7+d.Uint64N(2)-d.Uint64N(2)), Code(abi.OpCheckMax))
	case 13: // in place of no slot
		slots := 0
		for _, s := range d.s.Steps {
			slots += len(s.Allocs)
		}
		b.InPlace, b.InPlaceOf, b.Code = true, uint64(slots), Const(0)
	case 14:
		if d.IntN(8) == 0 {
			b.Code = long(abi.MaxCodeSize + 3*d.IntN(2))
		}
	}
}

func reads(code []uint64, op abi.Op) bool {
	for pc := 0; pc < len(code); pc += 1 + abi.Op(code[pc]).Immediates() {
		if abi.Op(code[pc]).Code() == op {
			return true
		}
	}
	return false
}

// deep is code that needs a stack of n values.
func deep(n int) []uint64 {
	return append(slices.Repeat(Const(3), n), slices.Repeat(Code(abi.OpMax), n-1)...)
}

// long is code of n words, for an n of abi.MaxCodeSize and multiples of 3 more.
func long(n int) []uint64 {
	code := slices.Concat(Const(1), Param(0), Code(abi.OpMin))
	return append(code, slices.Repeat(slices.Concat(Const(1), Code(abi.OpMax)), (n-len(code))/3)...)
}

// placeArena makes the pool, with an arena of a capacity.
func (d *drawer) placeArena(capacity uint64) {
	pool := Image(d.l, capacity, 1<<16, d.Uint64N(1<<10), value(d.Rand))
	line := abi.ReadHostLine(pool)
	line.Epoch = d.Uint64()
	if d.wild {
		if d.IntN(2) == 0 {
			line.ArenaCapacity = ^uint64(0) >> d.IntN(40)
		}
		if d.IntN(2) == 0 {
			// Far up: offsets beyond 4 GiB and near the end of uint64.
			line.ArenaStart = (^uint64(0) >> d.IntN(32)) &^ (d.l.ArenaAlign - 1)
		}
		switch room := abi.NotPlaced - line.ArenaStart; d.IntN(8) {
		case 0:
			line.ArenaCapacity = room - d.Uint64N(2) // up to the last byte, and one more
		case 1:
			line.ArenaAlign = value(d.Rand)
		case 2:
			line.ArenaStart *= d.Uint64N(2)
			line.ArenaAlign = 0
		default:
			line.ArenaCapacity = min(line.ArenaCapacity, room-1)
		}
	}
	if n := uint64(len(d.l.Slots)); n > 0 && d.IntN(10) == 0 {
		line.Flags |= abi.FaultFlag(abi.SlotID(d.Uint64N(n + 1)))
	}
	if d.IntN(60) == 0 {
		line.Flags |= 1 << d.IntN(64)
	}
	line.Put(pool)
	for i := range d.s.Statics[:4] { // the counts of Random
		for at := range d.s.Statics[i].Size {
			if d.IntN(3) > 0 && at%d.s.Statics[i].ElemSize < 2 {
				pool[d.s.Offset(i)+at] = byte(d.Uint32())
			}
		}
	}
	for i := range d.limit {
		abi.PutWords(pool[d.sizes+8*i:], []uint64{d.Uint64N(60)})
	}
	abi.PutWords(pool[d.count:], []uint64{min(d.limit, d.limit-1+d.Uint64N(2))})
	d.c.Pool = append(pool, make([]byte, -len(pool)&7)...)
}

// atBorder moves the end of the arena to where the cursor is after some launch, or
// next to it.
func (d *drawer) atBorder() {
	line := abi.ReadHostLine(d.c.Pool)
	roomy := *d.c
	roomy.Pool = slices.Clone(d.c.Pool)
	if !d.wild {
		roomy.Pool = append(roomy.Pool, make([]byte, 1<<16)...)
		line.ArenaCapacity = 1 << 16
	}
	line.Put(roomy.Pool)
	var ends []uint64
	roomy.Expect(func(_ int, pool []byte) { ends = append(ends, abi.ReadDeviceLine(pool[abi.LineSize:]).Next) })
	capacity := slices.Max(ends[d.IntN(len(ends)):]) + [...]uint64{0, 0, 0, 1, ^uint64(0), d.l.ArenaAlign}[d.IntN(6)]
	if capacity > 1<<16 {
		return
	}
	if end := d.l.Device.Size + capacity; !d.wild && end > uint64(len(d.c.Pool)) {
		d.c.Pool = append(d.c.Pool, make([]byte, end-uint64(len(d.c.Pool)))...)
		d.c.Pool = append(d.c.Pool, make([]byte, -len(d.c.Pool)&7)...)
	}
	abi.PutWords(d.c.Pool[2*8:], []uint64{capacity})
}
