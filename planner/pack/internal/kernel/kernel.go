package kernel

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Level says how sure a merge must be.
type Level uint8

// The levels. Each does what those before it do, as long as they find something.
const (
	// Exact merges only what is together in every packing within the capacity, or
	// can be.
	Exact Level = iota
	// Likely merges what hardly fits together by chance.
	Likely
	// Eager merges the best of several that fit.
	Eager
	// Wild merges whatever fits.
	Wild
	numLevels
)

// Kernel is a problem with fewer rectangles, some of which stand for several of
// the original.
type Kernel struct {
	// Problem is the kernel. If nothing was merged it is the original.
	Problem *rect.Problem
	// Exact says that if the original has a packing within the capacity, so has
	// the kernel: if the kernel has none, nor has the original.
	Exact bool

	rects int     // of the original
	roots []int32 // tile of each rectangle of Problem
	parts []part  // of merged tiles
	from  []int32 // where in parts those of tile rects+i start; one more at the end
}

// part is a tile within a merged one.
type part struct {
	tile int32
	at   uint64 // units above the offset of the merged one
}

// Reduce merges rectangles that can share an offset chain. Any packing of the
// kernel expands to one of p of the same height. A problem with alignments is
// returned as it is; if ctx is cancelled, with what is merged so far.
func Reduce(ctx context.Context, p *rect.Problem, capacity uint64, level Level) *Kernel {
	for _, r := range p.Rects {
		if r.Align != 1 {
			return identity(p)
		}
	}
	r := newReducer(p, capacity)
	r.run(ctx, min(level, numLevels-1))
	if len(r.tiles) == len(p.Rects) {
		return identity(p)
	}
	return r.kernel(len(p.Rects))
}

func identity(p *rect.Problem) *Kernel {
	k := &Kernel{Problem: p, Exact: true, rects: len(p.Rects), roots: make([]int32, len(p.Rects)), from: []int32{0}}
	for i := range k.roots {
		k.roots[i] = int32(i)
	}
	return k
}

// Expand returns the offsets of the original rectangles from those of the kernel.
func (k *Kernel) Expand(offsets []uint64) []uint64 {
	merged := len(k.from) - 1
	all := make([]uint64, k.rects+merged)
	for i, t := range k.roots {
		all[t] = offsets[i]
	}
	// A tile is merged into one with a higher number only.
	for i := merged - 1; i >= 0; i-- {
		base := all[k.rects+i]
		for _, part := range k.parts[k.from[i]:k.from[i+1]] {
			all[part.tile] = base + part.at
		}
	}
	return all[:k.rects]
}
