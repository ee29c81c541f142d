package skyline

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// shape is a problem in the form that the passes read: its rectangles in the
// order of an index. Nothing in it changes, so goroutines share it.
type shape struct {
	first, end []int32
	size       []uint64
	mask       []uint64 // alignment - 1
	id         []int32  // index in the problem
	totals     []uint64 // units alive, by section
	floors     []uint64 // where the packing starts, by section; nil: at 0
	bound      uint64   // largest total
	logs       [numTerms][]int32
	index      *index
}

// newShape takes the rectangles of p, which it does not keep.
func newShape(p *rect.Problem) *shape {
	n := len(p.Rects)
	s := &shape{
		first: make([]int32, n), end: make([]int32, n), id: make([]int32, n),
		size: make([]uint64, n), mask: make([]uint64, n), totals: p.Totals(),
	}
	for i := range s.id {
		s.id[i] = int32(i)
	}
	slices.SortFunc(s.id, func(i, j int32) int {
		a, b := &p.Rects[i], &p.Rects[j]
		return cmp.Or(
			classOf(b.First, b.End)-classOf(a.First, a.End),
			cmp.Compare(a.First, b.First), cmp.Compare(a.End, b.End), cmp.Compare(b.Size, a.Size), cmp.Compare(i, j))
	})
	for k, i := range s.id {
		r := &p.Rects[i]
		s.first[k], s.end[k], s.size[k], s.mask[k] = r.First, r.End, r.Size, r.Align-1
	}
	for _, t := range s.totals {
		s.bound = max(s.bound, t)
	}
	s.index = newIndex(s.first, s.end, p.Sections)
	s.logs = newLogs(s.first, s.end, s.size, s.totals)
	return s
}

func (s *shape) len() int { return len(s.first) }

func (s *shape) sections() int32 { return int32(len(s.totals)) }

// height is the largest offset + size.
func (s *shape) height(offsets []uint64) uint64 {
	var h uint64
	for i, o := range offsets {
		h = max(h, o+s.size[i])
	}
	return h
}

// byID returns offsets in the order of the problem.
func (s *shape) byID(offsets []uint64) []uint64 {
	out := make([]uint64, len(offsets))
	for i, o := range offsets {
		out[s.id[i]] = o
	}
	return out
}

// The terms that a priority is made of, as logarithms.
const (
	width   = iota // sections in the lifetime
	size           // units
	largest        // section total over the lifetime
	sum            // of the section totals over the lifetime
	numTerms
)

func newLogs(first, end []int32, sizes, totals []uint64) (logs [numTerms][]int32) {
	for t := range logs {
		logs[t] = make([]int32, len(first))
	}
	over := newRangeMax(totals)
	hi, lo := make([]uint64, len(totals)+1), make([]uint64, len(totals)+1) // sums of the totals before
	for i, t := range totals {
		var carry uint64
		lo[i+1], carry = bits.Add64(lo[i], t, 0)
		hi[i+1] = hi[i] + carry
	}
	for i := range first {
		f, e := first[i], end[i]
		logs[width][i] = log2(uint64(e - f))
		logs[size][i] = log2(sizes[i])
		logs[largest][i] = log2(over.over(int(f), int(e)))
		low, borrow := bits.Sub64(lo[e], lo[f], 0)
		high, _ := bits.Sub64(hi[e], hi[f], borrow)
		shift := bits.Len64(high)
		if shift > 0 {
			low = high<<(64-shift) | low>>shift
		}
		logs[sum][i] = log2(low) + int32(shift)<<logBits
	}
	return logs
}
