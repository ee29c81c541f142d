package kernel

import (
	"cmp"
	"slices"
)

// offsets goes back from the last state: from an order of the tiles behind each
// boundary to one before it that has the same tiles around each hole.
func (s *sweep) offsets(end *state) []uint64 {
	out := make([]uint64, len(s.tiles))
	rank := make([]int32, len(s.tiles))
	order := end.tree.frontier(nil)
	s.place(order, out)
	for st := end; st.prev != nil; st = st.prev {
		trees := []*node{st.prev.tree}
		for i := range st.holes {
			t, _ := s.apply(trees[i], st.holes[i:i+1])
			trees = append(trees, t)
		}
		for i := len(st.holes) - 1; i >= 0; i-- {
			h := st.holes[i]
			for at, t := range order {
				rank[t] = int32(at)
			}
			at := rank[h.come[0]] // no other tile is between those that came
			for _, t := range h.leave {
				rank[t] = at
			}
			order = trees[i].arrange(rank).tiles
		}
		s.place(order, out)
	}
	return out
}

// place stacks the tiles of a section.
func (s *sweep) place(order []int32, out []uint64) {
	var top uint64
	for _, t := range order {
		out[t] = top
		top += s.tiles[t].size
	}
}

// arranged are the leaves of a node in an order, with the ranks of both ends.
type arranged struct {
	tiles  []int32
	lo, hi int32
}

// arrange returns the order of a tree in which the ranks do not decrease. There
// is one, but for leaves of equal rank.
func (n *node) arrange(rank []int32) arranged {
	if len(n.kids) == 0 {
		return arranged{[]int32{n.tile}, rank[n.tile], rank[n.tile]}
	}
	kids := make([]arranged, len(n.kids))
	for i, k := range n.kids {
		kids[i] = k.arrange(rank)
	}
	less := func(a, b arranged) int { return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi)) }
	if !n.strict {
		slices.SortStableFunc(kids, less)
	} else if !slices.IsSortedFunc(kids, less) {
		slices.Reverse(kids)
	}
	all := arranged{lo: kids[0].lo, hi: kids[len(kids)-1].hi}
	for _, k := range kids {
		all.tiles = append(all.tiles, k.tiles...)
	}
	return all
}
