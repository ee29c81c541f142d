package trace_test

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/internal/trace"
)

// quantum is what the plain allocators round to, like the stream-ordered pool.
const quantum = 256

func rounded(size uint64) uint64 { return (size + quantum - 1) / quantum * quantum }

// account is what an allocator has needed.
type account struct {
	reserved     uint64 // the most bytes that it held of the device
	used         uint64 // the most bytes of them that were in use, as it rounds
	driverAllocs uint64 // allocations of the device
}

// allocator says what it has needed. The plain ones deal with numbers alone.
type allocator interface {
	trace.Allocator
	account() account
}

// hole is free memory.
type hole struct{ at, size uint64 }

// fit places in the first or the best of its holes, which are sorted by address and
// do not touch.
type fit struct {
	best   bool
	region uint64 // least bytes of a region; 0: one space, which grows at its end

	holes []hole
	at    []uint64 // by id
	end   uint64   // of all memory
	live  uint64
	needs account
}

func (f *fit) Alloc(_, id int, size uint64) error {
	size = rounded(size)
	i := f.find(size)
	if i < 0 {
		i = f.grow(size)
	}
	for len(f.at) <= id {
		f.at = append(f.at, 0)
	}
	h := &f.holes[i]
	f.at[id] = h.at
	h.at += size
	if h.size -= size; h.size == 0 {
		f.holes = slices.Delete(f.holes, i, i+1)
	}
	f.live += size
	f.needs.used = max(f.needs.used, f.live)
	return nil
}

func (f *fit) find(size uint64) int {
	found := -1
	for i := range f.holes {
		if h := &f.holes[i]; h.size >= size && (found < 0 || h.size < f.holes[found].size) {
			found = i
			if !f.best {
				break
			}
		}
	}
	return found
}

// grow makes a last hole that is large enough.
func (f *fit) grow(size uint64) int {
	f.needs.driverAllocs++
	last := len(f.holes) - 1
	switch {
	case f.region > 0:
		f.end += quantum // regions do not touch
		size = max(size, f.region)
		f.needs.reserved += size
		f.holes = append(f.holes, hole{f.end, size})
	case last >= 0 && f.holes[last].at+f.holes[last].size == f.end:
		size -= f.holes[last].size
		f.needs.reserved += size
		f.holes[last].size += size
	default:
		f.needs.reserved += size
		f.holes = append(f.holes, hole{f.end, size})
	}
	f.end += size
	return len(f.holes) - 1
}

func (f *fit) Free(_, id int, size uint64) error {
	h := hole{f.at[id], rounded(size)}
	f.live -= h.size
	i, _ := slices.BinarySearchFunc(f.holes, h.at, func(o hole, at uint64) int { return cmp.Compare(o.at, at) })
	f.holes = slices.Insert(f.holes, i, h)
	for _, i := range []int{i, i - 1} {
		if i >= 0 && i+1 < len(f.holes) && f.holes[i].at+f.holes[i].size == f.holes[i+1].at {
			f.holes[i].size += f.holes[i+1].size
			f.holes = slices.Delete(f.holes, i+1, i+2)
		}
	}
	return nil
}

func (*fit) Work(int) error     { return nil }
func (*fit) Sync(int) error     { return nil }
func (f *fit) account() account { return f.needs }

// bins has a list for each power of two, whose memory is never joined nor cut.
type bins struct {
	free  [64]int // by the number of bits
	live  uint64
	needs account
}

func bin(size uint64) int { return bits.Len64(max(size, quantum) - 1) }

func (b *bins) Alloc(_, _ int, size uint64) error {
	n := bin(size)
	if b.free[n] > 0 {
		b.free[n]--
	} else {
		b.needs.driverAllocs++
		b.needs.reserved += 1 << n
	}
	b.live += 1 << n
	b.needs.used = max(b.needs.used, b.live)
	return nil
}

func (b *bins) Free(_, _ int, size uint64) error {
	b.free[bin(size)]++
	b.live -= 1 << bin(size)
	return nil
}

func (*bins) Work(int) error     { return nil }
func (*bins) Sync(int) error     { return nil }
func (b *bins) account() account { return b.needs }
