package pack

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// ErrInvalid marks a problem that no packer accepts: an empty or negative
// lifetime, or an alignment that is no power of two.
var ErrInvalid = errors.New("invalid packing problem")

// span is a half-open lifetime in sections.
type span struct{ first, end int32 }

// instance is a checked problem with its time compressed to sections. A section
// is a distinct first step: between two of them buffers only end, so whoever
// lives there lives at the section before, and two buffers overlap in time
// exactly if they share a section.
type instance struct {
	buffers []Buffer
	spans   []span
	starts  []uint64 // the step that opens each section
	totals  []uint64 // bytes that live in each section
	peak    int      // the first section with the largest total
}

func newInstance(p Problem) (*instance, error) {
	in := &instance{buffers: p.Buffers, spans: make([]span, len(p.Buffers))}
	in.starts = make([]uint64, len(p.Buffers))
	for i, b := range p.Buffers {
		if b.End <= b.First {
			return nil, fmt.Errorf("%w: buffer %d has the lifetime [%d, %d)", ErrInvalid, i, b.First, b.End)
		}
		if bits.OnesCount64(b.Align) != 1 {
			return nil, fmt.Errorf("%w: buffer %d has the alignment %d", ErrInvalid, i, b.Align)
		}
		in.starts[i] = b.First
	}
	slices.Sort(in.starts)
	in.starts = slices.Compact(in.starts)
	for i, b := range p.Buffers {
		first, _ := slices.BinarySearch(in.starts, b.First)
		end, _ := slices.BinarySearch(in.starts, b.End)
		in.spans[i] = span{int32(first), int32(end)}
	}
	return in, in.sum()
}

// sum fills totals and peak by one sweep over the sections.
func (in *instance) sum() error {
	opened := make([]uint64, len(in.starts)+1)
	closed := make([]uint64, len(in.starts)+1)
	var live uint64
	var err error
	for i, b := range in.buffers {
		s := in.spans[i]
		if opened[s.first], err = checked.Add(opened[s.first], b.Size); err != nil {
			return fmt.Errorf("bytes that start at step %d: %w", b.First, err)
		}
		// All that close here lived in the section before. If this sum wraps,
		// the total of that section fails below before the sum is read.
		closed[s.end] += b.Size
	}
	in.totals = make([]uint64, len(in.starts))
	for i := range in.totals {
		live -= closed[i]
		if live, err = checked.Add(live, opened[i]); err != nil {
			return fmt.Errorf("bytes alive at step %d: %w", in.starts[i], err)
		}
		in.totals[i] = live
		if live > in.totals[in.peak] {
			in.peak = i
		}
	}
	return nil
}

// LowerBound returns the largest number of bytes alive at once, which no
// packing can be lower than, with the first step at which they live. An empty
// problem has the bound 0.
func LowerBound(p Problem) (Bound, error) {
	in, err := newInstance(p)
	if err != nil {
		return Bound{}, err
	}
	return in.lowerBound(), nil
}

func (in *instance) lowerBound() Bound {
	if len(in.totals) == 0 {
		return Bound{}
	}
	return Bound{Bytes: in.totals[in.peak], First: in.starts[in.peak], End: in.starts[in.peak] + 1}
}
