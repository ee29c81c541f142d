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
	done := newRelation(len(m.items))
	var out [][]share
	for _, a := range m.aparts {
		if done.has(a.i, a.j) {
			continue
		}
		clique := []share{{a.i, a.sizeI}, {a.j, a.sizeJ}}
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ {
			clique = g.grow(clique)
		}
		for _, s := range clique {
			for _, t := range clique {
				done.add(s.item, t.item)
			}
		}
		out = append(out, clique)
	}
	return out
}

// relation is pairs of items, a bit each.
type relation struct {
	words int // of a row
	bits  []uint64
}

func newRelation(n int) *relation {
	words := (n + 63) / 64
	return &relation{words, make([]uint64, n*words)}
}

func (r *relation) row(i int) []uint64 { return r.bits[i*r.words:][:r.words] }
func (r *relation) has(i, j int) bool  { return r.row(i)[j/64]>>(j%64)&1 != 0 }
func (r *relation) add(i, j int)       { r.row(i)[j/64] |= 1 << (j % 64) }

// conflictGraph says which items conflict with all their bytes.
type conflictGraph struct {
	solid []uint64  // size of an item that has all its bytes in use all its life, else 0
	with  *relation // of solid items
	order []int     // the solid ones, largest first
}

func (m *model) conflicts() *conflictGraph {
	g := &conflictGraph{solid: make([]uint64, len(m.items)), with: newRelation(len(m.items))}
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
			g.with.add(i, j)
			g.with.add(j, i)
		}
		live = append(live, i)
	}
	for _, a := range m.aparts {
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ {
			g.with.add(a.i, a.j)
			g.with.add(a.j, a.i)
		}
	}
	return g
}

// grow adds to a clique, largest first, what conflicts with all of it.
func (g *conflictGraph) grow(clique []share) []share {
	both := slices.Clone(g.with.row(clique[0].item))
	meet := func(i int) {
		for w, bits := range g.with.row(i) {
			both[w] &= bits
		}
	}
	meet(clique[1].item)
	for _, i := range g.order {
		if both[i/64]>>(i%64)&1 != 0 {
			clique = append(clique, share{i, g.solid[i]})
			meet(i)
		}
	}
	return clique
}
