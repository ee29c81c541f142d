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
	if len(r.enders) > sumsOf || len(r.starters) > sumsOf {
		return false
	}
	ends, starts := r.sums(r.enders), r.sums(r.starters)
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

// sums returns the sizes of all parts but none and all, sorted.
func (r *reducer) sums(tiles []int32) []uint64 {
	sums := make([]uint64, 1, 1<<len(tiles))
	for _, t := range tiles {
		for _, s := range sums[:len(sums):len(sums)] {
			sums = append(sums, s+r.tiles[t].size)
		}
	}
	sums = sums[1 : len(sums)-1]
	slices.Sort(sums)
	return sums
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
