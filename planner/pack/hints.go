package pack

import (
	"context"
	"slices"
)

// Above these the hints are not looked at: each try packs the whole problem.
const (
	maxHinted = 20_000 // buffers
	hintTries = 48
)

// settler moves buffers to their hints where that costs no height.
type settler struct {
	Engine
	problem Problem // with the height of the result as its capacity
	tries   int
	nodes   uint64
	best    []uint64
}

// settle returns a result in which as many hints are kept as it finds in some
// tries: all of them at once, else halves of them.
func (e Engine) settle(ctx context.Context, p Problem, r Result) Result {
	if r.Offsets == nil || r.Status == Unknown || len(p.Buffers) > maxHinted {
		return r
	}
	s := &settler{Engine: Engine{Effort: Quick, Seed: e.Seed}, problem: p, best: r.Offsets}
	height := r.Height
	s.problem.Capacity = &height
	var hinted []int
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if h := b.Hint; h != nil && b.Offset == nil && *h%b.Align == 0 && *h <= height && b.Size <= height-*h {
			hinted = append(hinted, i)
		}
	}
	s.settle(ctx, nil, hinted)
	r.Offsets, r.Nodes = s.best, r.Nodes+s.nodes
	r.Height = p.height(r.Offsets)
	return r
}

// settle adds to the buffers that are kept at their hints what can be, and returns
// all of them.
func (s *settler) settle(ctx context.Context, kept, more []int) []int {
	if len(more) == 0 || s.tries == hintTries || ctx.Err() != nil {
		return kept
	}
	s.tries++
	all := slices.Concat(kept, more)
	if s.try(ctx, all) {
		return all
	}
	if len(more) == 1 {
		return kept
	}
	half := len(more) / 2
	return s.settle(ctx, s.settle(ctx, kept, more[:half]), more[half:])
}

// try packs with some buffers fixed at their hints.
func (s *settler) try(ctx context.Context, kept []int) bool {
	p := s.problem
	p.Buffers = slices.Clone(p.Buffers)
	for _, i := range kept {
		p.Buffers[i].Offset = p.Buffers[i].Hint
	}
	r, err := s.solve(ctx, p, settleShare)
	s.nodes += r.Nodes
	if err != nil || r.Offsets == nil || r.Height > *p.Capacity {
		return false
	}
	s.best = r.Offsets
	return true
}
