package pack

import (
	"context"
	"math"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/hunt"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/skyline"
)

// solver runs the engines on one problem.
type solver struct {
	Engine
	*core
	Result
	budget
	outermost bool              // the problem is no window of another one
	byPairs   *disjunct.Problem // of pairwise, which runs twice
	conflict  []int             // buffers for which no packing exists at any height
}

// maxFew is the number of buffers up to which an exact search promises more than
// the engine for large inputs.
const maxFew = 500

// run spends the budget: first what is cheap, then what proves most.
func (s *solver) run(ctx context.Context) {
	if s.Bound.Bytes > s.problem.capacity() {
		return
	}
	if s.model != nil && !s.firstFit(ctx) {
		return
	}
	if s.small {
		s.sky(ctx, firstShare)
	}
	s.kernelise(ctx)
	s.pairwise(ctx, s.pairs/8)
	few := s.rect == nil || len(s.rect.Rects) <= maxFew
	if !few {
		s.sky(ctx, 1)
	}
	s.hunt(ctx)
	s.pairwise(ctx, s.pairs)
	if few {
		s.sky(ctx, 1)
	}
	if s.outermost {
		s.windows(ctx)
	}
}

// target is the height that needs no improvement.
func (s *solver) target() uint64 {
	if s.problem.Capacity != nil {
		return max(s.Bound.Bytes, *s.problem.Capacity)
	}
	return s.Bound.Bytes
}

// done reports whether nothing is left to find.
func (s *solver) done() bool { return s.Offsets != nil && s.Height <= s.target() }

// firstFit finds a first packing. It returns false if there is none at any height.
func (s *solver) firstFit(ctx context.Context) bool {
	many := len(s.model.uses()) > maxTiles
	for o := range numOrders {
		f := FirstFit{o}
		offsets, conflict := f.place(ctx, s.model)
		if conflict != nil {
			s.conflict = conflict
			return false
		}
		s.Nodes += uint64(len(s.model.items))
		s.take(s.model.offsets(offsets), f.String())
		if s.done() || many || ctx.Err() != nil {
			break
		}
	}
	return true
}

// Of the engine for large inputs: the part of its budget for a first packing, what
// a small problem may cost, and what about a placement costs.
const (
	firstShare   = 40
	workPerPair  = 4000
	workPerPlace = 100
)

// sky packs with the engine for large inputs, on a part of its budget.
func (s *solver) sky(ctx context.Context, part uint64) {
	if s.rect == nil || s.done() {
		return
	}
	n := uint64(len(s.rect.Rects))
	r := skyline.Pack(ctx, s.rect, skyline.Options{
		Target: s.target() / s.unit,
		Work:   min(s.skyline, workPerPair*n*n) / part,
		Seed:   splitmix.Hash(s.Seed, part), // not the same draws again
		Better: func(height uint64) { s.tell(min(s.lowest(), height*s.unit), "skyline") },
	})
	s.Nodes += r.Work / workPerPlace
	s.take(s.spread(r.Offsets, s.rectOf, s.unit), r.Method)
}

// kernelise looks for a packing at the bound of what is left of a problem without
// room when all that must lie together is one.
func (s *solver) kernelise(ctx context.Context) {
	if s.rect == nil || s.done() {
		return
	}
	offsets, outcome, nodes := kernel.Solve(ctx, s.rect, s.target()/s.unit, s.budget.kernel)
	s.Nodes += nodes
	if outcome == kernel.Found {
		s.take(s.spread(offsets, s.rectOf, s.unit), "kernel")
	}
}

// hunt searches with the exact engine.
func (s *solver) hunt(ctx context.Context) {
	if !s.small || s.done() || s.Bound.Bytes > s.problem.capacity() {
		return
	}
	p, of, unit := s.tiles()
	o := hunt.Options{Goal: s.target() / unit, Work: s.search, Seed: s.Seed, Heuristic: s.loose}
	if s.Bound.Bytes > s.beside(of) {
		o.Low = s.Bound.Bytes / unit // the tiles make it, not what lies beside them
	}
	if s.Offsets != nil {
		o.Height = s.Height / unit
	}
	nodes := s.Nodes
	o.Report = func(r hunt.Result) {
		s.Nodes = nodes + r.Nodes
		if r.Refuted {
			s.refuted(r.Low * unit)
		}
		if r.Offsets != nil {
			s.take(s.spread(r.Offsets, of, unit), r.Method)
		}
		s.report("search")
	}
	o.Report(hunt.Run(ctx, p, o))
}

// take keeps a packing if it is the lowest.
func (s *solver) take(offsets []uint64, method string) {
	if height := s.problem.height(offsets); height < s.lowest() {
		s.Offsets, s.Height, s.Method = offsets, height, method
		s.report(method)
	}
}

// refuted takes in that no packing of the whole is below a height.
func (s *solver) refuted(low uint64) {
	if low > s.Bound.Bytes {
		first, end := s.problem.span()
		s.Bound = Bound{Bytes: low, Kind: Refuted, First: first, End: end}
	}
}

func (s *solver) report(doing string) { s.tell(s.Height, doing) }

// tell reports a height that is not taken yet.
func (s *solver) tell(height uint64, doing string) {
	if s.Progress != nil {
		s.Progress(Progress{Bound: s.Bound.Bytes, Height: height, Nodes: s.Nodes, Doing: doing})
	}
}

// lowest is the height so far, or more than any where there is none.
func (s *solver) lowest() uint64 {
	if s.Offsets == nil {
		return math.MaxUint64
	}
	return s.Height
}

// end says what is known.
func (s *solver) end() Result {
	s.report("end")
	r := s.Result
	switch {
	case s.conflict != nil:
		return infeasible(r, s.conflict, false)
	case r.Bound.Bytes > s.problem.capacity():
		return infeasible(r, s.problem.alive(r.Bound.First, r.Bound.End), false)
	}
	return r.with(s.problem, r.Offsets)
}
