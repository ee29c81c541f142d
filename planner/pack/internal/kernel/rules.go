package kernel

import (
	"cmp"
	"slices"
)

const (
	// many tiles at a boundary are gone through again only after half of them
	// have merged, so that the work stays near linear.
	many = 64
	// odds is how much less often than once a coincidence must be expected at a
	// boundary for a match there to be likely none.
	odds = 256
)

// boundary merges at a tight boundary what the level allows, and says whether it
// found something. The tiles that end there and those that start there cover the
// same units.
func (r *reducer) boundary(b int32, level Level) bool {
	n := int32(len(r.ends.at(b)) + len(r.starts.at(b)))
	if n > many {
		if seen := r.seen[level][b]; seen > 0 && n > seen/2 {
			return false
		}
		r.seen[level][b] = n
	}
	r.work += int(n)
	r.enders = append(r.enders[:0], r.ends.at(b)...)
	r.starters = append(r.starters[:0], r.starts.at(b)...)
	switch level {
	case Exact:
		return r.row() || r.exactStack(b) || r.pinwheels(Exact)
	case Likely:
		return r.pinwheels(Likely) || r.likelyRows() || r.likelyStacks()
	case Eager:
		return r.pinwheels(Eager)
	default:
		return r.rows() || r.stacks(r.starters) || r.stacks(r.enders)
	}
}

// row merges one tile that ends with one that starts: both cover the same units.
func (r *reducer) row() bool {
	if len(r.enders) != 1 || len(r.starters) != 1 {
		return false
	}
	r.join(r.enders[0], r.starters[0])
	return true
}

// join merges two tiles of a row.
func (r *reducer) join(a, b int32) {
	r.merge(r.tiles[a].first, r.tiles[b].end, r.tiles[a].size, part{tile: a}, part{tile: b})
}

// likelyRows are unique rows where few pairs of tiles have their sizes from many.
func (r *reducer) likelyRows() bool {
	var size uint64
	for _, t := range r.enders {
		size += r.tiles[t].size
	}
	n, m := uint64(len(r.enders)), uint64(len(r.starters))
	return n > 0 && m > 0 && size/n/n/m >= odds && r.rows()
}

// rows merges each tile that ends with one that starts, if no other tile
// of the two sides has their size.
func (r *reducer) rows() bool {
	bySize := func(x, y int32) int {
		return cmp.Or(cmp.Compare(r.tiles[x].size, r.tiles[y].size), cmp.Compare(x, y))
	}
	slices.SortFunc(r.enders, bySize)
	slices.SortFunc(r.starters, bySize)
	ends, starts := r.enders, r.starters
	found := false
	for len(ends) > 0 && len(starts) > 0 {
		e, s := r.tiles[ends[0]].size, r.tiles[starts[0]].size
		switch {
		case e < s:
			ends = ends[r.equal(ends):]
		case e > s:
			starts = starts[r.equal(starts):]
		default:
			n, m := r.equal(ends), r.equal(starts)
			if n == 1 && m == 1 {
				r.exact = false
				r.join(ends[0], starts[0])
				found = true
			}
			ends, starts = ends[n:], starts[m:]
		}
	}
	return found
}

// equal counts the tiles with the size of the first one; they are sorted.
func (r *reducer) equal(tiles []int32) int {
	n := 1
	for n < len(tiles) && r.tiles[tiles[n]].size == r.tiles[tiles[0]].size {
		n++
	}
	return n
}
