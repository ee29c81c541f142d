package arena_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// FuzzPool runs the allocator on pools that are no good. It must not panic and
// must write nowhere but to line 1, to the slot table and the table of extents that
// the header names, and to the word of a mark.
func FuzzPool(f *testing.F) {
	for seed := range uint64(40) {
		c := randomCase(rand.New(rand.NewPCG(seed, 2)))
		pool := c.Pool()
		f.Add(pool, uint64(ControlAt), c.ProgramAt(), uint64(0))
		f.Add(pool, uint64(ControlAt), c.ProgramAt()+uint64(seed%3), uint64(len(c.Steps)-1))
	}
	f.Add([]byte{}, uint64(0), uint64(0), uint64(0))
	f.Add(make([]byte, 128), ^uint64(0), ^uint64(0), ^uint64(0))
	f.Fuzz(func(t *testing.T, pool []byte, control, program, step uint64) {
		if len(pool) > 1<<14 {
			return // a step entry may name as many allocations as the pool has words
		}
		launches := []func() error{
			func() error { return arena.Reset(pool, control, program) },
			func() error { return arena.Step(pool, control, program, step) },
			func() error { return arena.Mark(pool, control, program, step) },
			func() error { return arena.Step(pool, control, program, 0) },
			func() error { return arena.Release(pool, control, program, step) },
			func() error { _, _ = arena.Alloc(pool, control, step); return nil },
		}
		for i, launch := range launches {
			before := bytes.Clone(pool)
			err := launch()
			checkWrites(t, before, pool, control, program, step, err)
			if err == nil && i == 0 {
				checkReset(t, before, pool, control, program)
			}
		}
	})
}

func word(pool []byte, at uint64) uint64 {
	if at > uint64(len(pool)) || uint64(len(pool))-at < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(pool[at:])
}

// checkWrites compares the pool before and after a launch.
func checkWrites(t *testing.T, before, after []byte, control, program, mark uint64, err error) {
	slots, extents, n := word(before, program+5*8), word(before, program+7*8), word(before, program+3*8)
	for i := range before {
		at := uint64(i)
		line1 := at >= control+abi.LineSize && at-control-abi.LineSize < abi.LineSize
		inSlots := at >= slots && (at-slots)/abi.SlotSize < n
		inExtents := at >= extents && (at-extents)/abi.ExtentSize <= n
		inMark := at-mark < abi.WordSize
		if before[i] != after[i] && (err != nil || !line1 && !inSlots && !inExtents && !inMark) {
			t.Fatalf("byte %d was written: control %d, slots %d x %d, error %v", i, control, n, slots, err)
		}
	}
}

// checkReset: unless the reset failed, every slot is empty.
func checkReset(t *testing.T, before, after []byte, control, program uint64) {
	code := abi.ReadDeviceLine(after[control+abi.LineSize:]).Code
	slots, n := word(before, program+5*8), word(before, program+3*8)
	if code != uint64(abi.OK) {
		return
	}
	if want := abi.ReadHostLine(before[control:]).NumSlots; n != want {
		t.Fatalf("a program of %d slots in a pool of %d", n, want)
	}
	for i := range n {
		at := slots + i*abi.SlotSize
		extents := word(before, program+7*8)
		overwritten := at < control+abi.ControlSize && control < at+abi.SlotSize ||
			at < extents+abi.ExtentsSize(int(n)) && extents < at+abi.SlotSize
		if s := abi.ReadSlot(after[at:]); !overwritten && s != (abi.Slot{Offset: abi.NotPlaced}) {
			t.Fatalf("slot %d is %+v after the reset", i, s)
		}
	}
}
