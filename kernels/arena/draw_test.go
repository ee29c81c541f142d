package arena_test

import (
	"math/rand/v2"

	"github.com/seqplan/seqplan/kernels/abi"
)

// randomCase draws a case with everything that the allocator can meet: sizes 0, 1
// and near 2^64, counts over their max, no room in the middle, buffers in place and
// in host memory, loads from static memory and from slots, inside and outside of
// them, arithmetic that fails and code that is wrong.
func randomCase(r *rand.Rand) *Case {
	c := &Case{Align: 1 << r.IntN(9), Epoch: r.Uint64(), Data: make([]byte, 8*(1+r.IntN(8)))}
	d := &drawer{Rand: r, c: c}
	c.Slots, c.Params = uint64(1+r.IntN(8)), uint64(r.IntN(4))
	for range c.Params {
		c.Values = append(c.Values, d.number())
	}
	d.bytes(c.Data)
	c.Arena = make([]byte, uint64(r.IntN(2048))/c.Align*c.Align)
	d.bytes(c.Arena)
	c.Capacity = uint64(len(c.Arena))
	switch r.IntN(4) {
	case 0:
		c.Capacity = ^uint64(0) >> r.IntN(40)
	case 1:
		c.Capacity = d.number()
	}
	if r.IntN(8) == 0 {
		// Far up: offsets beyond 4 GiB and near the end of uint64.
		c.Start = (^uint64(0) >> r.IntN(32)) / 2 &^ (c.Align - 1)
	}
	c.Capacity = min(c.Capacity, ^uint64(0)-c.Start-1<<20) // what Start is if it is still 0 is less than 1 MiB
	if r.IntN(3) > 0 {
		c.Flags = abi.FlagReuse
	}
	if r.IntN(10) == 0 {
		c.Flags |= abi.FaultFlag(abi.SlotID(r.Uint64N(c.Slots + 1)))
	}
	c.Steps = make([]Step, 2+r.IntN(5))
	at := 0
	for _, slot := range r.Perm(int(c.Slots)) {
		if r.IntN(10) == 0 {
			continue // never allocated
		}
		at = min(at+r.IntN(2), len(c.Steps)-1)
		if len(d.held) > 0 && len(c.Steps[at].Allocs) == 0 {
			d.releases(&c.Steps[at])
		}
		c.Steps[at].Allocs = append(c.Steps[at].Allocs, d.alloc(uint64(slot)))
		d.before = append(d.before, uint64(slot))
		d.hold(&c.Steps[at])
	}
	return c
}

type drawer struct {
	*rand.Rand
	c      *Case
	before []uint64 // slots allocated so far
	held   []uint64 // of them, those not released, in the words of a release
}

// hold remembers the last allocation of a step, to be released later.
func (d *drawer) hold(s *Step) {
	a := &s.Allocs[len(s.Allocs)-1]
	word := a.Slot
	if a.Flags&abi.AllocInPlace != 0 && d.IntN(20) > 0 {
		word |= abi.ReleaseSlotOnly
	}
	d.held = append(d.held, word)
}

// releases lets a step release some of what is held, sometimes twice or what does
// not exist.
func (d *drawer) releases(s *Step) {
	d.Shuffle(len(d.held), func(i, j int) { d.held[i], d.held[j] = d.held[j], d.held[i] })
	n := d.IntN(len(d.held) + 1)
	s.Releases = append(s.Releases, d.held[:n]...)
	d.held = d.held[n:]
	switch d.IntN(60) {
	case 0:
		s.Releases = append(s.Releases, d.c.Slots+d.Uint64N(3))
	case 1, 2:
		s.Releases = append(s.Releases, d.base())
	}
}

// number draws integers near the places where something happens.
func (d *drawer) number() uint64 {
	switch d.IntN(12) {
	case 0:
		return 0
	case 1:
		return 1
	case 2:
		return ^uint64(0) - d.Uint64N(300)
	case 3:
		return 1<<d.IntN(64) - d.Uint64N(2)
	case 4:
		return d.Uint64()
	case 5:
		return d.c.Capacity/(1+d.Uint64N(2)) + d.Uint64N(2)
	}
	return d.Uint64N(600)
}

// bytes leaves most of them zero, so that wide loads give small numbers too.
func (d *drawer) bytes(b []byte) {
	for i := range b {
		if d.IntN(4) == 0 {
			b[i] = byte(d.Uint32())
		}
	}
}

func (d *drawer) alloc(slot uint64) Alloc {
	a := Alloc{Slot: slot, Rule: d.Uint64N(2), Code: d.size(0)}
	switch d.IntN(6) {
	case 0:
		a.Flags = abi.AllocHost
	case 1:
		a.Flags, a.Base = abi.AllocInPlace, d.base()
	case 2:
		a.Flags, a.Base = abi.AllocInPlace|abi.AllocHost, d.base()
	}
	switch d.IntN(60) {
	case 0:
		a.Slot = d.c.Slots + d.Uint64N(3)
	case 1:
		a.Flags |= 1 << (2 + d.IntN(62))
	case 2:
		a.Base = d.number()
	case 3:
		a.Code = d.wrong(a.Code)
	case 4:
		a.Rule = 2 + d.number()
	}
	return a
}

// base draws a slot, mostly one that was allocated before.
func (d *drawer) base() uint64 {
	if n := len(d.before); n > 0 && d.IntN(8) > 0 {
		return d.before[d.IntN(n)]
	}
	return d.Uint64N(d.c.Slots)
}

// size draws code that leaves one value.
func (d *drawer) size(depth int) []Instr {
	if depth > 3 {
		return []Instr{Const(d.number())}
	}
	switch d.IntN(9) {
	case 0, 1, 2:
		return []Instr{Const(d.number())}
	case 3:
		if d.c.Params == 0 {
			return []Instr{Const(1)}
		}
		return []Instr{Param(uint32(d.Uint64N(d.c.Params)))}
	case 4:
		return []Instr{d.index(), d.load()}
	case 5:
		return []Instr{d.index(), LoadSlot(uint32(1)<<d.IntN(4), d.Uint64N(d.c.Slots))}
	case 6:
		return append(append(d.size(depth+1), d.size(depth+1)...), Do(abi.OpCheckMax))
	}
	op := abi.OpAdd + abi.Op(d.IntN(int(abi.OpMax-abi.OpAdd)+1))
	return append(append(d.size(depth+1), d.size(depth+1)...), Do(op))
}

// index draws an index that is often small.
func (d *drawer) index() Instr {
	if d.IntN(10) == 0 {
		return Const(d.number())
	}
	return Const(d.Uint64N(9))
}

// load reads from Data, or by a wrong offset or size from elsewhere.
func (d *drawer) load() Instr {
	n := uint64(len(d.c.Data))
	from := d.Uint64N(n/8) * 8
	in := Load(uint32(1)<<d.IntN(4), d.c.DataAt()+from, n-from)
	if d.IntN(12) == 0 {
		in.Imm[d.IntN(2)] = d.number()
		// The slots and line 1 change under the model, which reads the pool as it was.
		in.Imm[0] = max(in.Imm[0], d.c.DataAt())
	}
	return in
}

// wrong breaks code in one way.
func (d *drawer) wrong(code []Instr) []Instr {
	switch d.IntN(6) {
	case 0:
		return nil
	case 1:
		return append(code, Const(1)) // leaves two values
	case 2:
		return []Instr{Const(1), Do(abi.OpAdd)}
	case 3:
		for range abi.MaxStack + 1 {
			code = append(code, Const(1))
		}
		return code
	case 4:
		return append(code, Do(abi.OpCheckMax+1+abi.Op(d.Uint32N(1<<31))))
	}
	code[d.IntN(len(code))].A = d.Uint32N(20)
	return code
}
