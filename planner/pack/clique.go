package pack

import (
	"cmp"
	"math/bits"
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
// others may lie above a part of them. When the cliques have as many pairs as a search
// may look at, the other pairs stay alone.
func (m *model) cliques() [][]share {
	if len(m.aparts) == 0 {
		return nil
	}
	g := m.conflicts()
	var out [][]share
	found := 0
	for _, a := range m.aparts {
		i, j := g.rank[a.i], g.rank[a.j]
		if g.done.has(i, j) {
			continue
		}
		clique := []share{{a.i, a.sizeI}, {a.j, a.sizeJ}}
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ && found < maxPairs {
			clique = g.grow(clique)
		}
		found += len(clique) * (len(clique) - 1) / 2
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

// conflictGraph says which items conflict with all their bytes. Its relations are of
// ranks: the places of the items, largest first.
type conflictGraph struct {
	solid []uint64 // by item: its size if it has all its bytes in use all its life, else 0
	order []int    // items by rank
	rank  []int    // by item
	with  *relation
	done  *relation // pairs that have a clique
}

func (m *model) conflicts() *conflictGraph {
	n := len(m.items)
	g := &conflictGraph{
		solid: make([]uint64, n), order: make([]int, n), rank: make([]int, n), with: newRelation(n), done: newRelation(n),
	}
	var byFirst []int
	for n := range m.items {
		it := &m.items[n]
		g.order[n] = n
		if len(it.pieces) == 1 && it.pieces[0].Low == 0 && it.pieces[0].High == it.size {
			g.solid[n] = it.size
			byFirst = append(byFirst, n)
		}
	}
	slices.SortStableFunc(g.order, func(i, j int) int { return cmp.Compare(g.solid[j], g.solid[i]) })
	for rank, i := range g.order {
		g.rank[i] = rank
	}
	slices.SortStableFunc(byFirst, func(i, j int) int {
		return cmp.Compare(m.items[i].pieces[0].First, m.items[j].pieces[0].First)
	})
	var live []int
	for _, i := range byFirst {
		live = slices.DeleteFunc(live, func(j int) bool { return m.items[j].pieces[0].End <= m.items[i].pieces[0].First })
		for _, j := range live {
			g.conflict(i, j)
		}
		live = append(live, i)
	}
	for _, a := range m.aparts {
		if g.solid[a.i] == a.sizeI && g.solid[a.j] == a.sizeJ {
			g.conflict(a.i, a.j)
		}
	}
	return g
}

func (g *conflictGraph) conflict(i, j int) {
	g.with.add(g.rank[i], g.rank[j])
	g.with.add(g.rank[j], g.rank[i])
}

// grow adds to a clique what conflicts with all of it: first what has no clique with
// its first item yet, largest first.
func (g *conflictGraph) grow(clique []share) []share {
	first := g.rank[clique[0].item]
	all := make([]uint64, g.done.words)
	both := slices.Clone(g.with.row(first))
	meet := func(rank int) {
		for w, row := range g.with.row(rank) {
			both[w] &= row
		}
	}
	meet(g.rank[clique[1].item])
	for _, old := range [][]uint64{g.done.row(first), all} { // nothing is in all yet
		for w := range both {
			for both[w]&^old[w] != 0 {
				rank := 64*w + bits.TrailingZeros64(both[w]&^old[w])
				i := g.order[rank]
				clique = append(clique, share{i, g.solid[i]})
				meet(rank)
			}
		}
	}
	for _, s := range clique {
		rank := g.rank[s.item]
		all[rank/64] |= 1 << (rank % 64)
	}
	for _, s := range clique {
		for w, row := range all {
			g.done.row(g.rank[s.item])[w] |= row
		}
	}
	return clique
}
