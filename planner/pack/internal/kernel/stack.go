package kernel

import (
	"cmp"
	"slices"
)

// exactStack merges all tiles of one side if they live in the same sections and
// are sure to lie on each other: no part of them covers what a part of the other
// side covers.
func (r *reducer) exactStack(b int32) bool {
	for _, tiles := range [][]int32{r.starters, r.enders} {
		if len(tiles) > 1 && r.sameSpan(tiles) && r.oneHole(b) {
			r.stack(tiles)
			return true
		}
	}
	return false
}

func (r *reducer) sameSpan(tiles []int32) bool {
	t := r.tiles[tiles[0]]
	return !slices.ContainsFunc(tiles, func(o int32) bool { return r.tiles[o].first != t.first || r.tiles[o].end != t.end })
}

// stack merges tiles of the same sections, the first one lowest.
func (r *reducer) stack(tiles []int32) {
	t := r.tiles[tiles[0]]
	parts := make([]part, len(tiles))
	var size uint64
	for i, id := range tiles {
		parts[i] = part{tile: id, at: size}
		size += r.tiles[id].size
	}
	r.merge(t.first, t.end, size, parts...)
}

// oneHole says that the tiles of each side have to lie on each other without a
// gap: either all units are covered (at the edges), or no proper part of the
// enders has the size of a part of the starters.
func (r *reducer) oneHole(b int32) bool {
	if b == 0 || b == r.sections || len(r.enders) == 1 || len(r.starters) == 1 {
		return true
	}
	ends, starts := sums(r.sizes(r.enders)), sums(r.sizes(r.starters))
	if ends == nil || starts == nil {
		return false
	}
	// The first and the last parts are none and all.
	ends, starts = ends[1:len(ends)-1], starts[1:len(starts)-1]
	for i, j := 0, 0; i < len(ends) && j < len(starts); {
		switch {
		case ends[i] < starts[j]:
			i++
		case ends[i] > starts[j]:
			j++
		default:
			return false
		}
	}
	return true
}

func (r *reducer) sizes(tiles []int32) []uint64 {
	out := make([]uint64, len(tiles))
	for i, t := range tiles {
		out[i] = r.tiles[t].size
	}
	return out
}

// likelyStacks are stacks where few tiles have their other ends in many sections.
func (r *reducer) likelyStacks() bool {
	for _, tiles := range [][]int32{r.starters, r.enders} {
		var length int
		for _, t := range tiles {
			length += int(r.tiles[t].end - r.tiles[t].first)
		}
		if n := len(tiles); n > 1 && length/n/n/n >= odds && r.stacks(tiles) {
			return true
		}
	}
	return false
}

// stacks merges the tiles of one side that live in the same sections.
func (r *reducer) stacks(tiles []int32) bool {
	slices.SortFunc(tiles, func(x, y int32) int {
		return cmp.Or(cmp.Compare(r.tiles[x].first, r.tiles[y].first), cmp.Compare(r.tiles[x].end, r.tiles[y].end), cmp.Compare(x, y))
	})
	found := false
	for len(tiles) > 1 {
		n := 1
		for n < len(tiles) && r.sameSpan(tiles[n-1:n+1]) {
			n++
		}
		if n > 1 {
			r.exact = false
			r.stack(tiles[:n])
			found = true
		}
		tiles = tiles[n:]
	}
	return found
}
