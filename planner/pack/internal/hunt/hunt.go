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
	Work   uint64 // budget: nodes times tiles
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

// hunt is the state between rounds.
type hunt struct {
	ctx     context.Context
	problem *exact.Problem
	options Options
	Result
	grid      grid
	cost      uint64    // of a node: tiles, and a part of their sections
	work      uint64    // spent
	searchers sync.Pool // a search is alone on its own
	totals    []uint64  // by section
	ways      []way
	rounds    uint64
}

// Run hunts until Goal is reached, Low meets the height, the work is spent, or ctx
// is cancelled.
func Run(ctx context.Context, p *exact.Problem, o Options) Result {
	h := &hunt{ctx: ctx, problem: p, options: o, grid: newGrid(p), totals: p.Totals()}
	h.Result = Result{Low: h.grid.from(max(o.Low, p.Bound())), Height: o.Height}
	if h.Height == 0 {
		h.Height = unknown
	}
	h.Refuted = h.Low > o.Low && !o.Heuristic // a section, or no height is possible between
	h.ways = newWays()
	g := exact.NewGraph(p)
	h.searchers.New = func() any { return exact.NewSearcher(g) }
	h.cost = costOf(p)
	n := uint64(len(p.Tiles))
	for _, nodes := range []uint64{2 * n, 16 * n} {
		h.climb(nodes)
	}
	for h.affords(2*n) && h.open() {
		h.round()
	}
	return h.Result
}

// costOf estimates what a node costs: it looks at each tile, and at some of their
// sections.
func costOf(p *exact.Problem) uint64 {
	uses := 0
	for i := range p.Tiles {
		uses += len(p.Tiles[i].Uses)
	}
	return uint64(len(p.Tiles) + uses/64)
}

// affords reports whether one more search of so many nodes for each way fits the
// budget.
func (h *hunt) affords(nodes uint64) bool {
	return h.work+nodes*h.cost*uint64(len(h.ways)) <= h.options.Work
}

// open reports whether anything is left to do.
func (h *hunt) open() bool {
	return h.Height > h.target() && h.work < h.options.Work && h.ctx.Err() == nil
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
	h.work += max(1, r.Nodes) * h.cost
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
