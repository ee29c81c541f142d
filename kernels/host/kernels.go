package host

import (
	"encoding/binary"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// builtin returns the kernels that every back end provides.
func builtin() map[string]Func {
	return map[string]Func{
		kernels.Reset:      onPool(resetKernel),
		kernels.Step:       onPool(stepKernel),
		kernels.Mark:       onPool(markKernel),
		kernels.Release:    onPool(releaseKernel),
		kernels.ListSum:    nothing,
		kernels.ListScan:   nothing,
		kernels.ListPlace:  onPool(listKernel),
		kernels.Fill:       fillKernel,
		kernels.Check:      checkKernel,
		kernels.Store:      storeKernel,
		kernels.CheckValue: checkValueKernel,
	}
}

// onPool is a kernel whose first argument is the base of the device pool.
func onPool(run func(pool []byte, args kernels.Args) error) Func {
	return func(mem Memory, _ kernels.Grid, args kernels.Args) error {
		pool, err := mem.Rest(kernels.Addr(args[0]))
		if err != nil {
			return err
		}
		return run(pool, args)
	}
}

func resetKernel(pool []byte, args kernels.Args) error { return arena.Reset(pool, args[1], args[2]) }

func stepKernel(pool []byte, args kernels.Args) error {
	return arena.Step(pool, args[1], args[2], args[3])
}

func markKernel(pool []byte, args kernels.Args) error {
	return arena.Mark(pool, args[1], args[2], args[3])
}

func releaseKernel(pool []byte, args kernels.Args) error {
	return arena.Release(pool, args[1], args[2], args[3])
}

// nothing is what the first kernels of a list do: the last one does it all.
func nothing(Memory, kernels.Grid, kernels.Args) error { return nil }

func listKernel(pool []byte, args kernels.Args) error {
	return arena.List(pool, args[1], args[2], args[3], args[4], args[5], args[6])
}

// span returns the bytes [from, to) of a place in the pool, and false if its slot
// is not placed. Of a slot only the bytes inside its size are returned.
func span(mem Memory, args kernels.Args, from, to uint64) ([]byte, bool, error) {
	pool, err := mem.Rest(kernels.Addr(args[0]))
	if err != nil {
		return nil, false, err
	}
	place := kernels.Place(args[2])
	offset := uint64(place)
	if i, ok := place.Slot(); ok {
		slot, err := readSlot(pool, args[1], i)
		if err != nil || slot.Offset == abi.NotPlaced {
			return nil, false, err
		}
		offset, to = slot.Offset, min(to, slot.Size)
	}
	if from >= to {
		return nil, true, nil
	}
	n := uint64(len(pool))
	if offset > n || to > n-offset {
		return nil, false, fmt.Errorf("bytes %d ... %d at offset %d: %w", from, to, offset, kernels.ErrOutOfBounds)
	}
	return pool[offset+from : offset+to], true, nil
}

func readSlot(pool []byte, slots, i uint64) (abi.Slot, error) {
	n := uint64(len(pool))
	if slots > n || i >= (n-slots)/abi.SlotSize {
		return abi.Slot{}, fmt.Errorf("slot %d: %w", i, kernels.ErrOutOfBounds)
	}
	return abi.ReadSlot(pool[slots+i*abi.SlotSize:]), nil
}

func fillKernel(mem Memory, _ kernels.Grid, args kernels.Args) error {
	b, _, err := span(mem, args, args[3], args[4])
	if err != nil {
		return err
	}
	inChunks(b, args[3], func(_ int, part []byte, at uint64) { kernels.FillPattern(part, at, args[5]) })
	return nil
}

func checkKernel(mem Memory, _ kernels.Grid, args kernels.Args) error {
	b, placed, err := span(mem, args, args[3], args[4])
	if err != nil {
		return err
	}
	return withReport(mem, args[6], func(r *kernels.CheckReport) {
		if !placed {
			r.Unplaced++
			return
		}
		parts := make([]kernels.CheckReport, chunks(b, args[3]))
		inChunks(b, args[3], func(i int, part []byte, at uint64) { kernels.ComparePattern(part, at, args[5], &parts[i]) })
		for _, p := range parts {
			r.Add(p)
		}
	})
}

func storeKernel(mem Memory, _ kernels.Grid, args kernels.Args) error {
	b, err := value(mem, args)
	if err != nil || b == nil {
		return err
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], args[5])
	copy(b, word[:])
	return nil
}

func checkValueKernel(mem Memory, _ kernels.Grid, args kernels.Args) error {
	b, err := value(mem, args)
	if err != nil {
		return err
	}
	return withReport(mem, args[6], func(r *kernels.CheckReport) {
		if b == nil {
			r.Unplaced++
			return
		}
		var word [8]byte
		copy(word[:], b)
		want := args[5] << (64 - 8*args[4]) >> (64 - 8*args[4])
		r.CompareValue(args[3], args[4], want, binary.LittleEndian.Uint64(word[:]))
	})
}

// value returns the bytes of an integer in a place; nil if its slot is not placed
// or ends before it.
func value(mem Memory, args kernels.Args) ([]byte, error) {
	width := args[4]
	if width == 0 || width > 8 || args[3] > ^uint64(0)-width {
		return nil, fmt.Errorf("width %d at %d: %w", width, args[3], kernels.ErrOutOfBounds)
	}
	b, _, err := span(mem, args, args[3], args[3]+width)
	if err != nil || uint64(len(b)) < width {
		return nil, err
	}
	return b, nil
}

func withReport(mem Memory, at uint64, f func(*kernels.CheckReport)) error {
	b, err := mem.Bytes(kernels.Addr(at), kernels.CheckReportSize)
	if err != nil {
		return err
	}
	r := kernels.ReadCheckReport(b)
	f(&r)
	r.Put(b)
	return nil
}
