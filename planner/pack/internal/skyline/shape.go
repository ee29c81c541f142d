package skyline

import (
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
	fixed      *fixed   // what has a place; nil: nothing
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
	s.sort(p)
	for k, i := range s.id {
		r := &p.Rects[i]
		s.first[k], s.end[k], s.size[k], s.mask[k] = r.First, r.End, r.Size, r.Align-1
	}
	s.index = newIndex(s.first, s.end, p.Sections)
	s.logs = newLogs(s.first, s.end, s.size, s.totals)
	return s
}

// sort puts the indexes of the problem in the order of an index.
func (s *shape) sort(p *rect.Problem) {
	counts := make([]int32, p.Sections)
	for _, r := range p.Rects {
		counts[r.First]++
	}
	starts(counts)
	byFirst := make([]int32, len(p.Rects))
	for i, r := range p.Rects {
		byFirst[counts[r.First]] = int32(i)
		counts[r.First]++
	}
	counts = make([]int32, 32)
	for _, r := range p.Rects {
		counts[31-classOf(r.First, r.End)]++
	}
	starts(counts)
	for _, i := range byFirst {
		c := 31 - classOf(p.Rects[i].First, p.Rects[i].End)
		s.id[counts[c]] = i
		counts[c]++
	}
}

// starts makes the places where groups begin of their sizes.
func starts(counts []int32) {
	var at int32
	for i, n := range counts {
		counts[i] = at
		at += n
	}
}

func (s *shape) len() int { return len(s.first) }

func (s *shape) sections() int32 { return int32(len(s.totals)) }

// heightOf is the largest offset + size.
func (s *shape) heightOf(offsets []uint64) uint64 {
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
