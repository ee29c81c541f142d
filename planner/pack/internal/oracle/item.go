package oracle

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
)

// item is what has one offset: a buffer, or a group.
type item struct {
	members       []int
	used          [][]bool // by step and by byte from the offset
	extent, align uint64
	fixed         *uint64
}

// newSearch has the fixed items first, then the others, large ones first.
func newSearch(p pack.Problem) *search {
	s := &search{}
	for _, b := range p.Buffers {
		s.steps = max(s.steps, b.End)
	}
	grouped := map[int]bool{}
	for _, g := range p.InPlace {
		s.add(p, g)
		for _, i := range g {
			grouped[i] = true
		}
	}
	for i := range p.Buffers {
		if !grouped[i] {
			s.add(p, []int{i})
		}
	}
	slices.SortStableFunc(s.items, func(a, b item) int {
		if (a.fixed == nil) != (b.fixed == nil) {
			if a.fixed != nil {
				return -1
			}
			return 1
		}
		return -cmp.Compare(a.extent, b.extent)
	})
	for j, a := range s.items {
		s.clash = append(s.clash, nil)
		for i, b := range s.items {
			var table []bool
			if i > j {
				for d := -int(b.extent); d <= int(a.extent); d++ {
					table = append(table, share(a, b, d) || excluded(p, a, b, d))
				}
			}
			s.clash[j] = append(s.clash[j], table)
		}
	}
	return s
}

// add makes an item of some buffers.
func (s *search) add(p pack.Problem, members []int) {
	it := item{members: members, align: 1, used: make([][]bool, s.steps)}
	for _, i := range members {
		b := p.Buffers[i]
		it.extent, it.align = max(it.extent, b.Size), max(it.align, b.Align)
		if b.Offset != nil {
			s.broken = s.broken || it.fixed != nil && *it.fixed != *b.Offset
			it.fixed = b.Offset
		}
	}
	for step := range it.used {
		it.used[step] = make([]bool, it.extent)
		for _, i := range members {
			low, high := inUse(p.Buffers[i], uint64(step))
			for byte := low; byte < high; byte++ {
				it.used[step][byte] = true
			}
		}
	}
	s.broken = s.broken || excluded(p, it, it, 0)
	s.items = append(s.items, it)
}

// inUse returns the bytes of a buffer that are in use at a step.
func inUse(b pack.Buffer, step uint64) (low, high uint64) {
	if step < b.First || step >= b.End {
		return 0, 0
	}
	for _, g := range b.Gaps {
		if g.First <= step && step < g.End {
			return g.Low, g.High
		}
	}
	return 0, b.Size
}

// share says whether a and b have a byte in use at the same step if b starts so
// many bytes after a.
func share(a, b item, difference int) bool {
	for step := range a.used {
		for i, used := range b.used[step] {
			k := difference + i
			if used && 0 <= k && k < len(a.used[step]) && a.used[step][k] {
				return true
			}
		}
	}
	return false
}

// excluded says whether a and b have buffers that may never share a byte, and do.
func excluded(p pack.Problem, a, b item, difference int) bool {
	for _, pair := range p.Excluded {
		for _, e := range [][2]int{pair, {pair[1], pair[0]}} {
			sizeA, sizeB := int(p.Buffers[e[0]].Size), int(p.Buffers[e[1]].Size)
			if slices.Contains(a.members, e[0]) && slices.Contains(b.members, e[1]) &&
				max(0, difference) < min(sizeA, difference+sizeB) {
				return true
			}
		}
	}
	return false
}
