package pack

import "context"

// Subset is a problem with some of the buffers only.
func Subset(p Problem, buffers []int) Problem { return p.subset(buffers) }

// Stages are the parts of a search that may prove something, each on its own.
var Stages = map[string]func(*solver, context.Context){
	"search":   (*solver).hunt,
	"pairwise": func(s *solver, ctx context.Context) { s.pairwise(ctx, s.pairs) },
}

// Alone runs one part of the search for a valid problem, and nothing before it.
// It returns false where there is no packing at any height.
func Alone(ctx context.Context, p Problem, stage func(*solver, context.Context)) (Result, bool) {
	c, conflict, err := newCore(p)
	if err != nil || conflict != nil {
		return Result{}, false
	}
	s := &solver{core: c, Result: Result{Bound: c.bound}, budget: Engine{Effort: Quick}.budget(1)}
	stage(s, ctx)
	return s.Result, true
}
