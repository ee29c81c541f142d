package disjunct

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// mostGrown is the most items for which cliques are grown: it takes a table of all
// pairs, and time for every item and every section.
const mostGrown = 256

// grower makes cliques of windows that are disjoint because of a pair, at whatever
// step. Where buffers have gaps or are excluded, these are larger than sections.
type grower struct {
	p      Problem
	pairOf []int32 // by item and item: 1 + index of the pair; 0: they never conflict
	sizes  []int32 // items, large ones first
}

func newGrower(p Problem) *grower {
	n := len(p.Items)
	g := &grower{p: p, pairOf: make([]int32, n*n), sizes: make([]int32, n)}
	for k, pair := range p.Pairs {
		g.pairOf[pair.I*n+pair.J], g.pairOf[pair.J*n+pair.I] = int32(k+1), int32(k+1)
	}
	for i := range g.sizes {
		g.sizes[i] = int32(i)
	}
	slices.SortStableFunc(g.sizes, func(a, b int32) int { return cmp.Compare(p.Items[b].Size, p.Items[a].Size) })
	return g
}

// cliques grows every section, and every pair of items that is in none of them.
func (g *grower) cliques() [][]shape.Part {
	n := len(g.p.Items)
	covered := make([]bool, n*n)
	var all [][]shape.Part
	add := func(parts []shape.Part) {
		parts = g.grow(parts)
		if slices.ContainsFunc(all, func(other []shape.Part) bool { return contained(parts, other) }) {
			return
		}
		all = append(all, parts)
		for _, a := range parts {
			for _, b := range parts {
				covered[a.Item*n+b.Item] = true
			}
		}
	}
	for _, s := range g.p.Sections {
		add(slices.Clone(s.Parts))
	}
	for _, pair := range g.p.Pairs {
		a, b := g.whole(pair.I), g.whole(pair.J)
		if !covered[pair.I*n+pair.J] && g.apart(a, b) {
			add([]shape.Part{a, b})
		}
	}
	return all
}

func contained(parts, other []shape.Part) bool {
	return !slices.ContainsFunc(parts, func(p shape.Part) bool { return !slices.Contains(other, p) })
}

// grow widens windows to whole items, and adds whole items, as long as all are
// disjoint.
func (g *grower) grow(parts []shape.Part) []shape.Part {
	for k := range parts {
		if wide := g.whole(parts[k].Item); g.apartFrom(wide, parts, k) {
			parts[k] = wide
		}
	}
	for _, i := range g.sizes {
		if a := g.whole(int(i)); g.apartFrom(a, parts, -1) {
			parts = append(parts, a)
		}
	}
	return parts
}

func (g *grower) whole(i int) shape.Part { return shape.Part{Item: i, High: g.p.Items[i].Size} }

// apartFrom says whether a window is disjoint from all of some others but one.
func (g *grower) apartFrom(a shape.Part, parts []shape.Part, but int) bool {
	for k, b := range parts {
		if k != but && !g.apart(a, b) {
			return false
		}
	}
	return true
}

// apart says whether a pair forbids all differences at which two windows overlap.
func (g *grower) apart(a, b shape.Part) bool {
	k := g.pairOf[a.Item*len(g.p.Items)+b.Item]
	if k == 0 {
		return false
	}
	pair := g.p.Pairs[k-1]
	if pair.I != a.Item {
		a, b = b, a
	}
	low, high := int64(a.Low)-int64(b.High), int64(a.High)-int64(b.Low)
	return slices.ContainsFunc(pair.Forbidden, func(r shape.Range) bool { return r.Lo <= low && high <= r.Hi })
}
