package hunt

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// grid is the heights that a packing can have: a multiple of step plus one of the
// rests. Each offset of a packing that is pushed down is a sum of heights and
// fixed offsets, rounded up to an alignment.
type grid struct {
	step  uint64
	rests []uint64 // ascending
}

func newGrid(p *exact.Problem) grid {
	var g grid
	var largest uint64
	for i := range p.Tiles {
		t := &p.Tiles[i]
		for _, u := range t.Uses {
			g.step = rect.GCD(g.step, u.Height)
		}
		if t.Fixed != exact.Free {
			g.step = rect.GCD(g.step, t.Fixed)
		}
		largest = max(largest, t.Align)
	}
	if g.step == 0 {
		g.step = 1
	}
	g.step = rect.Grid(g.step, max(1, largest))
	for i := range p.Tiles {
		g.rests = append(g.rests, p.Tiles[i].Top%g.step)
	}
	slices.Sort(g.rests)
	g.rests = slices.Compact(g.rests)
	return g
}

// from returns the lowest possible height that is at least v.
func (g grid) from(v uint64) uint64 {
	base := v - v%g.step
	for _, r := range g.rests {
		if base+r >= v {
			return base + r
		}
	}
	if len(g.rests) == 0 {
		return v
	}
	return base + g.step + g.rests[0]
}

// above returns the lowest possible height above v.
func (g grid) above(v uint64) uint64 { return g.from(v + 1) }

// below returns the highest possible height below v, which is above one.
func (g grid) below(v uint64) uint64 {
	v--
	base := v - v%g.step
	for _, r := range slices.Backward(g.rests) {
		if base+r <= v {
			return base + r
		}
	}
	if len(g.rests) == 0 || base == 0 {
		return v
	}
	return base - g.step + g.rests[len(g.rests)-1]
}
