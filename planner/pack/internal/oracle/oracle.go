package oracle

import "github.com/seqplan/seqplan/planner/pack"

// Optimum returns the least height of a packing, whatever the capacity. It is not
// feasible if no height is enough.
func Optimum(p pack.Problem) (height uint64, feasible bool) {
	s := newSearch(p)
	if !s.fits(s.enough()) {
		return 0, false
	}
	height = s.live()
	for !s.fits(height) {
		height++
	}
	return height, true
}

// Fits says whether a packing of at most that height exists.
func Fits(p pack.Problem, capacity uint64) bool {
	return newSearch(p).fits(capacity)
}

// search assigns offsets to items, one after the other.
type search struct {
	items    []item
	steps    uint64
	broken   bool       // no offset can be right
	clash    [][][]bool // of two items, by offset difference; see at
	offsets  []uint64   // of the items so far
	capacity uint64
}

// fits tries every aligned offset of every item.
func (s *search) fits(capacity uint64) bool {
	s.capacity, s.offsets = capacity, s.offsets[:0]
	return !s.broken && s.assign()
}

func (s *search) assign() bool {
	i := len(s.offsets)
	if i == len(s.items) {
		return true
	}
	it := s.items[i]
	for offset := uint64(0); offset+it.extent <= s.capacity; offset += it.align {
		if it.fixed != nil && offset != *it.fixed || s.clashes(i, offset) {
			continue
		}
		s.offsets = append(s.offsets, offset)
		if s.assign() {
			return true
		}
		s.offsets = s.offsets[:i]
	}
	return false
}

// clashes says whether item i, at an offset, shares a byte with one before it.
func (s *search) clashes(i int, offset uint64) bool {
	for j, other := range s.offsets {
		if s.at(j, i, int(offset)-int(other)) {
			return true
		}
	}
	return false
}

// at says whether the items j and i clash if i starts so many bytes after j.
func (s *search) at(j, i, difference int) bool {
	table := s.clash[j][i]
	k := difference + int(s.items[i].extent)
	return 0 <= k && k < len(table) && table[k]
}

// enough is a height at which everything fits that fits anywhere: what has no
// fixed offset can lie above everything that has one.
func (s *search) enough() uint64 {
	var top, rest uint64
	for _, it := range s.items {
		if it.fixed != nil {
			top = max(top, *it.fixed+it.extent)
		} else {
			rest += it.align + it.extent
		}
	}
	return top + rest
}

// live is the largest number of bytes in use at one step.
func (s *search) live() uint64 {
	var most uint64
	for step := range s.steps {
		var bytes uint64
		for _, it := range s.items {
			for _, used := range it.used[step] {
				if used {
					bytes++
				}
			}
		}
		most = max(most, bytes)
	}
	return most
}
