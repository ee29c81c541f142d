package kernelstest

import (
	"bytes"
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// Expect runs the launches on a copy of the pool by the Go oracle, calls visit, if
// it is not nil, with the pool after each launch, and returns the pool in the end.
func (c *Case) Expect(visit func(launch int, pool []byte)) []byte {
	pool := bytes.Clone(c.Pool)
	for i, l := range c.Launches {
		oracle(pool, l)
		if visit != nil {
			visit(i, pool)
		}
	}
	return pool
}

// oracle runs one launch. Where the oracle returns an error a device does nothing.
func oracle(pool []byte, l Launch) {
	a := l.Args
	switch l.Name() {
	case kernels.Reset:
		_ = arena.Reset(pool, a[1], a[2])
	case kernels.Step:
		_ = arena.Step(pool, a[1], a[2], a[3])
	case kernels.Mark:
		_ = arena.Mark(pool, a[1], a[2], a[3])
	case kernels.Release:
		_ = arena.Release(pool, a[1], a[2], a[3])
	case kernels.ListPlace: // the other kernels of a list write to the scratch alone
		_ = arena.List(pool, a[1], a[2], a[3], a[4], a[5], a[6])
	case AllocKernel:
		offset, _ := arena.Alloc(pool, a[1], a[2])
		binary.LittleEndian.PutUint64(pool[a[3]:], offset)
	case kernels.Fill:
		if b, _, ok := placeOf(pool, a, a[3], a[4]); ok {
			kernels.FillPattern(b, a[3], a[5])
		}
	case kernels.Check:
		if b, placed, ok := placeOf(pool, a, a[3], a[4]); ok {
			addReport(pool, a[6], placed, func(r *kernels.CheckReport) { kernels.ComparePattern(b, a[3], a[5], r) })
		}
	case kernels.Store, kernels.CheckValue:
		integer(pool, l.Name(), a)
	}
}

// integer stores or checks an integer.
func integer(pool []byte, name string, a kernels.Args) {
	width := a[4]
	if width == 0 || width > 8 || a[3] > ^uint64(0)-width {
		return
	}
	var word [8]byte
	b, _, ok := placeOf(pool, a, a[3], a[3]+width)
	if !ok {
		return
	}
	if name == kernels.Store {
		if uint64(len(b)) == width {
			binary.LittleEndian.PutUint64(word[:], a[5])
			copy(b, word[:])
		}
		return
	}
	copy(word[:], b)
	want := a[5] << (64 - 8*width) >> (64 - 8*width)
	addReport(pool, a[6], uint64(len(b)) == width, func(r *kernels.CheckReport) {
		r.CompareValue(a[3], width, want, binary.LittleEndian.Uint64(word[:]))
	})
}

// placeOf returns the bytes [from, to) of a place, and whether its slot is placed. ok
// is false for bytes that leave uint64.
func placeOf(pool []byte, a kernels.Args, from, to uint64) (b []byte, placed, ok bool) {
	offset := a[2]
	if slot, ok := kernels.Place(a[2]).Slot(); ok {
		if slot >= (^uint64(0)-a[1])/abi.SlotSize {
			return nil, true, false
		}
		s := abi.ReadSlot(pool[a[1]+slot*abi.SlotSize:])
		if s.Offset == abi.NotPlaced {
			return nil, false, true
		}
		offset, to = s.Offset, min(to, s.Size)
	}
	switch {
	case from >= to:
		return nil, true, true
	case offset > ^uint64(0)-to:
		return nil, true, false
	}
	return pool[offset+from : offset+to], true, true
}

func addReport(pool []byte, at uint64, placed bool, add func(*kernels.CheckReport)) {
	r := kernels.ReadCheckReport(pool[at:])
	if placed {
		add(&r)
	} else {
		r.Unplaced++
	}
	r.Put(pool[at:])
}
