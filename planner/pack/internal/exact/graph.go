package exact

import (
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
}

// link is a tile that shares a section with another one.
type link struct {
	tile  int32
	above uint64 // how far it must be above the other one, if it is above
	under uint64 // how far the other one must be above it
}

// hull is the range of ordered sections of a tile.
type hull struct{ first, end int32 }

// NewGraph prepares a problem.
func NewGraph(p *Problem) *Graph {
	n := len(p.Tiles)
	g := &Graph{
		Problem: p, links: make([][]link, n), members: make([][]int32, p.Sections), twin: make([]int32, n),
		areas: make([]uint64, n), hulls: make([]hull, n), runs: make([]hull, n), start: make([]uint64, n), fixed: make([][]link, n),
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
	g.link()
	g.findTwins()
	for i := range p.Tiles {
		for _, l := range g.links[i] {
			if p.Tiles[l.tile].Fixed != Free {
				g.fixed[i] = append(g.fixed[i], l)
			}
		}
	}
	for i := range p.Tiles {
		g.start[i] = g.avoid(int32(i), 0)
		if f := p.Tiles[i].Fixed; f != Free {
			g.start[i] = f
		}
	}
	return g
}

func (p *Problem) hull(i int) hull {
	uses := p.Tiles[i].Uses
	first, last := uses[0].Section, uses[len(uses)-1].Section
	if int(last) >= p.Ordered {
		return hull{0, int32(p.Ordered)}
	}
	return hull{first, last + 1}
}

// link finds for each tile those that share a section with it.
func (g *Graph) link() {
	for i := range g.Tiles {
		if !g.even(i) {
			g.linkUneven()
			return
		}
	}
	starts := make([][]int32, g.Sections)
	for i, r := range g.runs {
		starts[r.first] = append(starts[r.first], int32(i))
	}
	for i, r := range g.runs {
		list := make([]link, 0, len(g.members[r.first])-1)
		add := func(tiles []int32) {
			for _, j := range tiles {
				if int(j) != i {
					list = append(list, link{j, g.Tiles[i].Size, g.Tiles[j].Size})
				}
			}
		}
		add(g.members[r.first])
		for k := r.first + 1; k < r.end; k++ {
			add(starts[k])
		}
		g.links[i] = list
	}
}

// even reports whether a tile has one height in sections that follow each other.
func (g *Graph) even(i int) bool {
	t := &g.Tiles[i]
	return g.runs[i].first < g.runs[i].end && !slices.ContainsFunc(t.Uses, func(u Use) bool { return u.Height != t.Size })
}

// linkUneven does the same for any tiles. The distances are the largest heights of
// the lower one in a section of both.
func (g *Graph) linkUneven() {
	at := make([]int, len(g.Tiles)) // index in the list + 1
	for i := range g.Tiles {
		var list []link
		for _, u := range g.Tiles[i].Uses {
			for _, j := range g.members[u.Section] {
				if int(j) == i {
					continue
				}
				if at[j] == 0 {
					list = append(list, link{tile: j})
					at[j] = len(list)
				}
				l := &list[at[j]-1]
				l.above, l.under = max(l.above, u.Height), max(l.under, g.Tiles[j].height(u.Section))
			}
		}
		for _, l := range list {
			at[l.tile] = 0
		}
		g.links[i] = list
	}
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
