package exact

import (
	"cmp"
	"slices"
)

// compare is 0 if the tiles are equal in all.
func (t *Tile) compare(u *Tile) int {
	return cmp.Or(
		cmp.Compare(t.Size, u.Size), cmp.Compare(t.Top, u.Top),
		cmp.Compare(t.Align, u.Align), cmp.Compare(t.Fixed, u.Fixed),
		slices.CompareFunc(t.Uses, u.Uses, func(a, b Use) int {
			return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Height, b.Height))
		}),
	)
}

// covers reports whether a tile is in a section.
func (t *Tile) covers(section int32) bool { return t.height(section) > 0 }

// height returns the height in a section, 0 if it does not cover it.
func (t *Tile) height(section int32) uint64 {
	first, last := t.Uses[0].Section, t.Uses[len(t.Uses)-1].Section
	if section < first || section > last {
		return 0
	}
	if int(last-first)+1 == len(t.Uses) {
		return t.Uses[section-first].Height
	}
	at, ok := slices.BinarySearchFunc(t.Uses, section, func(u Use, k int32) int { return cmp.Compare(u.Section, k) })
	if !ok {
		return 0
	}
	return t.Uses[at].Height
}
