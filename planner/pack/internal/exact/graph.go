package exact

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Graph is what a search needs to know of a problem, and does not change: many
// searchers may use one at the same time.
type Graph struct {
	*Problem
	links   [][]link  // by tile
	members [][]int32 // by section
	twin    []int32   // the previous tile that is equal in all, or -1
	areas   []uint64  // sum of the heights over the sections, saturated
	hulls   []hull    // by tile
	runs    []hull    // by tile: its sections if they follow each other, else empty
	start   []uint64  // by tile: its low with nothing placed
	fixed   [][]link  // by tile: linked tiles with a fixed offset
	spread  uint64    // largest Size - Top
	costs   []uint64  // by tile: work to put it and to take it out
	size    uint64    // work to start a search
}

// link is a tile that shares a section with another one.
type link struct {
	tile  int32
	above uint64 // how far it must be above the other one, if it is above
	under uint64 // how far the other one must be above it
}

// hull is the range of ordered sections of a tile.
type hull struct{ first, end int32 }

// maxLinks is how many links a graph may have, so that they take no more than 200 MB.
const maxLinks = 1 << 23

// NewGraph prepares a problem, with some work at most, which counts as that of a
// Result does. It returns the work that was done, and no graph where that or the
// memory does not suffice, or the context is cancelled.
func NewGraph(ctx context.Context, p *Problem, most uint64) (*Graph, uint64) {
	n := len(p.Tiles)
	g := &Graph{
		Problem: p, links: make([][]link, n), members: make([][]int32, p.Sections), twin: make([]int32, n),
		areas: make([]uint64, n), hulls: make([]hull, n), runs: make([]hull, n), start: make([]uint64, n), fixed: make([][]link, n),
		costs: make([]uint64, n),
	}
	b := &builder{Graph: g, ctx: ctx, most: most}
	uses := 0
	for i := range p.Tiles {
		uses += len(p.Tiles[i].Uses)
	}
	// Tiles that are equal in most are compared up to their last section.
	if !b.spend(bits.Len(uint(n)) * uses) {
		return nil, b.work
	}
	for i := range p.Tiles {
		t := &p.Tiles[i]
		for _, u := range t.Uses {
			g.members[u.Section] = append(g.members[u.Section], int32(i))
		}
		g.areas[i] = Area.Of(t, nil)
		g.spread = max(g.spread, t.Size-min(t.Size, t.Top))
		g.hulls[i] = p.hull(i)
		if first, last := t.Uses[0].Section, t.Uses[len(t.Uses)-1].Section; int(last-first)+1 == len(t.Uses) {
			g.runs[i] = hull{first, last + 1}
		}
	}
	if !b.link() {
		return nil, b.work
	}
	g.findTwins()
	g.size = uint64(6*uses + 8*p.Sections + n)
	for i := range p.Tiles {
		g.costs[i] = uint64(6*len(p.Tiles[i].Uses)+6*len(g.links[i])) + 2*uint64(g.hulls[i].end-g.hulls[i].first)
		g.size += uint64(g.hulls[i].end - g.hulls[i].first)
		for _, l := range g.links[i] {
			if p.Tiles[l.tile].Fixed != Free {
				g.fixed[i] = append(g.fixed[i], l)
			}
		}
		// From below, one pass meets nearly all.
		slices.SortStableFunc(g.fixed[i], func(a, b link) int { return cmp.Compare(p.Tiles[a.tile].Fixed, p.Tiles[b.tile].Fixed) })
	}
	for i := range p.Tiles {
		if !b.spend(len(g.fixed[i])) {
			return nil, b.work
		}
		g.start[i] = g.avoid(int32(i), 0)
		if f := p.Tiles[i].Fixed; f != Free {
			g.start[i] = f
		}
	}
	return g, b.work
}

func (p *Problem) hull(i int) hull {
	uses := p.Tiles[i].Uses
	first, last := uses[0].Section, uses[len(uses)-1].Section
	if int(last) >= p.Ordered {
		return hull{0, int32(p.Ordered)}
	}
	return hull{first, last + 1}
}

// even reports whether a tile has one height in sections that follow each other.
func (g *Graph) even(i int) bool {
	t := &g.Tiles[i]
	return g.runs[i].first < g.runs[i].end && !slices.ContainsFunc(t.Uses, func(u Use) bool { return u.Height != t.Size })
}

// findTwins finds the tiles that can be swapped in any packing.
func (g *Graph) findTwins() {
	order := make([]int32, len(g.Tiles))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return g.Tiles[i].compare(&g.Tiles[j]) })
	for k, i := range order {
		g.twin[i] = -1
		if k > 0 && g.Tiles[i].compare(&g.Tiles[order[k-1]]) == 0 {
			g.twin[i] = order[k-1]
		}
	}
}

// avoid returns the lowest offset from a given one on at which a tile meets no
// linked one with a fixed offset. The tile may not have one itself.
func (g *Graph) avoid(i int32, offset uint64) uint64 {
	if g.Tiles[i].Fixed != Free {
		return offset
	}
	for again := true; again; {
		again = false
		for _, f := range g.fixed[i] {
			at := g.Tiles[f.tile].Fixed
			if offset < at+f.under && at < offset+f.above {
				offset = rect.AlignUp(at+f.under, g.Tiles[i].Align)
				again = true
			}
		}
	}
	return offset
}
