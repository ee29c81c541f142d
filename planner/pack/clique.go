package pack

import (
	"cmp"
	"slices"
)

// share is what an item takes in a clique.
type share struct {
	item int
	size uint64
}

// cliques covers the pairs of items that must be apart at any time by sets in
// which all pairs conflict: a search then sees more than two at a time. Only items
// that have all their bytes in use all their life may join others, since the
// others may lie above a part of them.
func (m *model) cliques() [][]share {
	if len(m.aparts) == 0 {
		return nil
	}
	g := m.conflicts()
	done := make(map[[2]int]bool, len(m.aparts))
	var out [][]share
	for _, a := range m.aparts {
		if done[[2]int{a.i, a.j}] {
			continue
		}
		clique := []share{{a.i, a.sizeI}, {a.j, a.sizeJ}}
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ {
			clique = g.grow(clique)
		}
		for _, s := range clique {
			for _, t := range clique {
				done[[2]int{s.item, t.item}] = true
			}
		}
		out = append(out, clique)
	}
	return out
}

// conflictGraph says which items conflict with all their bytes.
type conflictGraph struct {
	solid []uint64 // size of an item that has all its bytes in use all its life, else 0
	with  [][]int  // by item, ascending: solid items that it conflicts with
	order []int    // the solid ones, largest first
}

func (m *model) conflicts() *conflictGraph {
	g := &conflictGraph{solid: make([]uint64, len(m.items)), with: make([][]int, len(m.items))}
	for n := range m.items {
		it := &m.items[n]
		if len(it.pieces) == 1 && it.pieces[0].Low == 0 && it.pieces[0].High == it.size {
			g.solid[n] = it.size
			g.order = append(g.order, n)
		}
	}
	slices.SortStableFunc(g.order, func(i, j int) int { return cmp.Compare(g.solid[j], g.solid[i]) })
	byFirst := slices.Clone(g.order)
	slices.SortStableFunc(byFirst, func(i, j int) int {
		return cmp.Compare(m.items[i].pieces[0].First, m.items[j].pieces[0].First)
	})
	var live []int
	for _, i := range byFirst {
		live = slices.DeleteFunc(live, func(j int) bool { return m.items[j].pieces[0].End <= m.items[i].pieces[0].First })
		for _, j := range live {
			g.with[i], g.with[j] = append(g.with[i], j), append(g.with[j], i)
		}
		live = append(live, i)
	}
	for _, a := range m.aparts {
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ {
			g.with[a.i], g.with[a.j] = append(g.with[a.i], a.j), append(g.with[a.j], a.i)
		}
	}
	for i := range g.with {
		slices.Sort(g.with[i])
		g.with[i] = slices.Compact(g.with[i])
	}
	return g
}

// grow adds to a clique, largest first, what conflicts with all of it.
func (g *conflictGraph) grow(clique []share) []share {
	both := intersect(g.with[clique[0].item], g.with[clique[1].item])
	slices.SortStableFunc(both, func(i, j int) int { return cmp.Compare(g.solid[j], g.solid[i]) })
	for len(both) > 0 {
		next := both[0]
		clique = append(clique, share{next, g.solid[next]})
		both = slices.DeleteFunc(both, func(i int) bool {
			_, ok := slices.BinarySearch(g.with[next], i)
			return !ok
		})
	}
	return clique
}

// intersect returns what two ascending lists share.
func intersect(a, b []int) []int {
	var out []int
	for _, i := range a {
		if _, ok := slices.BinarySearch(b, i); ok {
			out = append(out, i)
		}
	}
	return out
}
