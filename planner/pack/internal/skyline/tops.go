package skyline

import (
	"cmp"
	"slices"
)

// tops are the heights of the sections, the fixed rectangles included.
func (s *shape) tops(offsets []uint64) []uint64 {
	order := make([]int32, len(offsets)) // the highest top first
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(offsets[j]+s.size[j], offsets[i]+s.size[i]) })
	n := s.sections()
	tops := make([]uint64, n)
	next := make([]int32, n+1) // the first section from here on that has no top yet, or one on the way to it
	for i := range next {
		next[i] = int32(i)
	}
	for _, k := range order {
		for i := find(next, s.first[k]); i < s.end[k]; i = find(next, i) {
			tops[i] = offsets[k] + s.size[k]
			next[i] = i + 1
		}
	}
	if f := s.fixed; f != nil {
		for i := range tops {
			if last := f.starts[i+1] - 1; last >= f.starts[i] {
				j := f.list[last]
				tops[i] = max(tops[i], f.offset[j]+f.size[j])
			}
		}
	}
	return tops
}

func find(next []int32, i int32) int32 {
	for next[i] != i {
		next[i] = next[next[i]]
		i = next[i]
	}
	return i
}

// excessOf is the excess of sections with these tops.
func (g *goal) excessOf(tops []uint64) uint64 {
	var x uint64
	for _, t := range tops {
		x += g.above(t)
	}
	return x
}
