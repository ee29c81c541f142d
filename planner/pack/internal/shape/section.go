package shape

import (
	"cmp"
	"slices"
)

// Section is some steps [First, End) with what is in use in them.
type Section struct {
	First, End uint64
	Parts      []Part // by item
}

// Part is the bytes [Low, High) of an item, by index.
type Part struct {
	Item      int
	Low, High uint64
}

// Sections returns the sections of some shapes that are not contained in another
// one. The windows of a section are disjoint in every packing. It takes memory
// for every part of every section. It returns false if it would spend too much.
func Sections(spend Spend, shapes [][]Piece) ([]Section, bool) {
	type entry struct {
		Piece
		item int
	}
	var all []entry
	var ends []uint64
	for i, s := range shapes {
		if !spend.affords(len(s)) {
			return nil, false
		}
		for _, p := range s {
			all = append(all, entry{p, i})
			ends = append(ends, p.End)
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(a.First, b.First) })
	slices.Sort(ends)
	var sections []Section
	var live []entry
	for len(all) > 0 {
		at := all[0].First
		if !spend.affords(len(live)) {
			return nil, false
		}
		live = slices.DeleteFunc(live, func(e entry) bool { return e.End <= at })
		for len(all) > 0 && all[0].First == at {
			live, all = append(live, all[0]), all[1:]
		}
		for ends[0] <= at {
			ends = ends[1:]
		}
		if len(all) > 0 && all[0].First < ends[0] {
			continue // all that live here live there too
		}
		if !spend.affords(len(live)) {
			return nil, false
		}
		s := Section{First: at, End: ends[0], Parts: make([]Part, len(live))}
		for k, e := range live {
			s.Parts[k] = Part{e.item, e.Low, e.High}
		}
		slices.SortStableFunc(s.Parts, func(a, b Part) int { return cmp.Compare(a.Item, b.Item) })
		sections = append(sections, s)
	}
	return sections, true
}
