package hunt

import (
	"context"
	"slices"
	"sync"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
)

// Options of a hunt.
type Options struct {
	Low    uint64 // no packing is lower
	Goal   uint64 // a packing of at most this height ends the hunt; below Low it is Low
	Height uint64 // of a packing that is known; 0 if there is none yet
	Work   uint64 // budget, of workPerUnit: about nodes times tiles
	Seed   uint64
	// Heuristic says that the tiles have more in use than what they stand for: what
	// is refuted for them proves nothing.
	Heuristic bool
	// Report is told what is known after each round; may be nil.
	Report func(Result)
}

// Result is what is known.
type Result struct {
	Low     uint64   // no packing of the tiles is lower
	Refuted bool     // a search has shown that, for what the tiles stand for too
	Offsets []uint64 // nil: none was found, or none below that of the options
	Height  uint64   // the lowest that is known; the largest uint64 if none is
	Method  string   // of the search that found Offsets
	Nodes   uint64
}

// workPerUnit is what a unit of the budget is.
const workPerUnit = 16

// hunt is the state between rounds.
type hunt struct {
	ctx     context.Context
	problem *exact.Problem
	options Options
	Result
	grid      grid
	searched  uint64    // of that, what nodes have taken
	work      uint64    // spent, as exact.Result.Work counts
	most      uint64    // that may be spent
	cost      uint64    // of a node: as it was so far, since problems differ much
	searchers sync.Pool // a search is alone on its own
	totals    []uint64  // by section
	ways      []way
	rounds    uint64
}

// Run hunts until Goal is reached, Low meets the height, the work is spent, or ctx
// is cancelled.
func Run(ctx context.Context, p *exact.Problem, o Options) Result {
	h := &hunt{ctx: ctx, problem: p, options: o, most: min(o.Work, ^uint64(0)/workPerUnit) * workPerUnit, grid: newGrid(p), totals: p.Totals()}
	h.Result = Result{Low: h.grid.from(max(o.Low, p.Bound())), Height: o.Height}
	if h.Height == 0 {
		h.Height = unknown
	}
	h.Refuted = h.Low > o.Low && !o.Heuristic // a section, or no height is possible between
	if !h.open() {
		return h.Result
	}
	h.ways = newWays()
	var g *exact.Graph
	if g, h.work = exact.NewGraph(ctx, p, h.most/2); g == nil {
		return h.Result
	}
	h.searchers.New = func() any { return exact.NewSearcher(g) }
	n := uint64(len(p.Tiles))
	h.cost = workPerUnit * max(1, n)
	for _, nodes := range []uint64{2 * n, 16 * n} {
		h.climb(nodes)
	}
	for h.affords(2*n) && h.open() {
		h.round()
	}
	return h.Result
}

// affords reports whether one more search of so many nodes for each way fits the
// budget.
func (h *hunt) affords(nodes uint64) bool {
	return nodes*h.cost*uint64(len(h.ways)) <= h.left()
}

// left is the work that may still be done.
func (h *hunt) left() uint64 { return h.most - min(h.work, h.most) }

// part is one of some parts of it, and never 0, which is no limit.
func (h *hunt) part(of int) uint64 { return max(1, h.left()/uint64(of)) }

// open reports whether anything is left to do.
func (h *hunt) open() bool {
	return h.Height > h.target() && h.left() > 0 && h.ctx.Err() == nil
}

// target is the height to reach.
func (h *hunt) target() uint64 { return max(h.Low, h.options.Goal) }

// unknown is the height where there is no packing yet.
const unknown = ^uint64(0)

func height(p *exact.Problem, offsets []uint64) uint64 {
	var top uint64
	for i := range p.Tiles {
		top = max(top, offsets[i]+p.Tiles[i].Top)
	}
	return top
}

// merge takes in the end of a search.
func (h *hunt) merge(t task, r exact.Result) {
	h.Nodes += r.Nodes
	h.work += r.Work
	if r.Nodes > 0 {
		h.searched += r.Work
	}
	if h.Nodes > uint64(len(h.problem.Tiles)) {
		h.cost = max(1, h.searched/h.Nodes)
	}
	w := &h.ways[t.way]
	w.area = max(w.area, r.Area)
	switch r.Outcome {
	case exact.Found:
		if top := height(h.problem, r.Offsets); top < h.Height {
			h.Offsets, h.Height, h.Method = slices.Clone(r.Offsets), top, w.String()
			w.wins++
		}
	case exact.Refuted:
		if low := h.grid.above(t.options.Capacity); low > h.Low {
			h.Low, h.Refuted = low, !h.options.Heuristic
		}
	}
}
