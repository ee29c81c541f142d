package skyline

import (
	"cmp"
	"slices"
)

// cut returns the problem of the sections [first, end): the rectangles in them are
// free, those that cross a border are fixed where offsets says.
func (s *shape) cut(first, end int32, offsets []uint64) *shape {
	t := &shape{totals: make([]uint64, end-first+1)}
	var crossing []int32
	s.index.touching(first, end, func(i int32) {
		if s.first[i] >= first && s.end[i] <= end {
			t.id = append(t.id, i)
		} else {
			crossing = append(crossing, i)
		}
		t.totals[max(s.first[i], first)-first] += s.size[i]
		t.totals[min(s.end[i], end)-first] -= s.size[i] // may wrap here, and does not below
	})
	for i := 1; i < len(t.totals); i++ {
		t.totals[i] += t.totals[i-1]
	}
	t.totals = t.totals[:end-first]
	n := len(t.id)
	t.first, t.end, t.size, t.mask = make([]int32, n), make([]int32, n), make([]uint64, n), make([]uint64, n)
	for l := range t.logs {
		t.logs[l] = make([]int32, n)
	}
	for k, i := range t.id {
		t.first[k], t.end[k], t.size[k], t.mask[k] = s.first[i]-first, s.end[i]-first, s.size[i], s.mask[i]
		for l := range t.logs {
			t.logs[l][k] = s.logs[l][i]
		}
	}
	t.index = newIndex(t.first, t.end, end-first)
	if len(crossing) > 0 {
		slices.SortFunc(crossing, func(i, j int32) int {
			return cmp.Or(cmp.Compare(offsets[i], offsets[j]), cmp.Compare(i, j))
		})
		t.fixed = newFixed(s, crossing, first, end, offsets)
	}
	return t
}
