package disjunct

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// mostGrown is the most items for which cliques are grown: it takes a table of all
// pairs, and time for every item and every section.
const mostGrown = 256

// mostParts is the most windows of all cliques: a search takes 112 bytes for each.
const mostParts = 1 << 20

// grower makes cliques of windows that are disjoint because of a pair, at whatever
// step. Where buffers have gaps or are excluded, these are larger than sections.
type grower struct {
	p      *Problem
	work   *Work
	pairOf []int32 // by item and item: 1 + index of the pair; 0: they never conflict
	sizes  []int32 // items, large ones first
}

// newGrower makes one that grows nothing if there are too many items, or no work.
func newGrower(p *Problem, w *Work) *grower {
	n := len(p.Items)
	g := &grower{p: p, work: w}
	if n > mostGrown || !w.Spend(n*n+len(p.Pairs)) {
		return g
	}
	g.pairOf, g.sizes = make([]int32, n*n), make([]int32, n)
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
// When the work is spent, sections stay as they are.
func (g *grower) cliques() [][]shape.Part {
	n := len(g.p.Items)
	covered := make([]bool, len(g.pairOf))
	var all [][]shape.Part
	room := mostParts
	add := func(parts []shape.Part) {
		grows := g.pairOf != nil && !g.work.over()
		if grows {
			parts = g.grow(slices.Clone(parts))
			if slices.ContainsFunc(all, func(other []shape.Part) bool { return g.contained(parts, other) }) {
				return
			}
		}
		if room -= len(parts); room < 0 {
			return
		}
		all = append(all, parts)
		if !grows || !g.work.Spend(len(parts)*len(parts)) {
			return
		}
		for _, a := range parts {
			for _, b := range parts {
				covered[a.Item*n+b.Item] = true
			}
		}
	}
	for _, s := range g.p.Sections {
		add(s.Parts)
	}
	for _, pair := range g.p.Pairs {
		if g.pairOf == nil || !g.work.Spend(4+len(pair.Forbidden)) {
			break
		}
		a, b := g.whole(pair.I), g.whole(pair.J)
		if !covered[pair.I*n+pair.J] && g.apart(a, b) {
			add([]shape.Part{a, b})
		}
	}
	return all
}

// contained is false if it is not known.
func (g *grower) contained(parts, other []shape.Part) bool {
	return !slices.ContainsFunc(parts, func(p shape.Part) bool {
		return !g.work.Spend(1+len(other)) || !slices.Contains(other, p)
	})
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
		if !g.work.Spend(4) {
			break
		}
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

// apart says whether a pair forbids all differences at which two windows overlap. It
// is false if there is no work to find out.
func (g *grower) apart(a, b shape.Part) bool {
	k := g.pairOf[a.Item*len(g.p.Items)+b.Item]
	if k == 0 {
		return false
	}
	pair := &g.p.Pairs[k-1]
	if !g.work.Spend(4 + len(pair.Forbidden)) {
		return false
	}
	if pair.I != a.Item {
		a, b = b, a
	}
	low, high := int64(a.Low)-int64(b.High), int64(a.High)-int64(b.Low)
	return slices.ContainsFunc(pair.Forbidden, func(r shape.Range) bool { return r.Lo <= low && high <= r.Hi })
}
