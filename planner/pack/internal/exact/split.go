package exact

import (
	"cmp"
	"slices"
)

// part is a set of tiles that shares no section with the others.
type part struct {
	tiles  []int32
	lo, hi int32  // ordered sections
	full   uint64 // the largest floor and rest of a section
}

// cuts reports whether the tiles of [lo, hi) fall apart now that a tile is placed.
func (s *Searcher) cuts(i, lo, hi int32) bool {
	h := s.hulls[i]
	for k := max(h.first, lo) + 1; k < min(h.end, hi); k++ {
		if s.cross[k] == 0 {
			return true
		}
	}
	return false
}

// split groups tiles at the sections whose start no tile crosses, and sorts the
// groups by how little room they have.
func (s *Searcher) split(tiles []int32, lo, hi int32) []part {
	var parts []part
	start := lo
	s.work += 4*uint64(hi-lo) + workPerTile*uint64(len(tiles))
	for k := lo + 1; k <= hi; k++ {
		if k == hi || s.cross[k] == 0 {
			parts = append(parts, part{lo: start, hi: k})
			start = k
		}
	}
	if len(parts) == 1 {
		parts[0].tiles = tiles
		return parts
	}
	for _, i := range tiles {
		first := s.hulls[i].first
		at, _ := slices.BinarySearchFunc(parts, first, func(p part, k int32) int { return cmp.Compare(p.hi, k+1) })
		parts[at].tiles = append(parts[at].tiles, i)
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return len(p.tiles) == 0 })
	for n := range parts {
		p := &parts[n]
		for k := p.lo; k < p.hi; k++ {
			if s.left[k] > 0 {
				p.full = max(p.full, s.floor[k]+s.rest[k])
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.full, a.full) })
	return parts
}
