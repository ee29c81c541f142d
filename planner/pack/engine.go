package pack

import (
	"context"
	"fmt"
)

// Effort is how much work the engine may spend.
type Effort uint8

// The efforts. Each is a set of node budgets.
const (
	Normal Effort = iota // some seconds where a problem is hard
	Quick                // a tenth of that
	Max                  // some minutes
	numEfforts
)

func (e Effort) String() string {
	names := [numEfforts]string{"normal", "quick", "max"}
	if e < numEfforts {
		return names[e]
	}
	return "unknown"
}

// ParseEffort reads what String writes of a valid effort.
func ParseEffort(s string) (Effort, error) {
	for e := range numEfforts {
		if e.String() == s {
			return e, nil
		}
	}
	return 0, fmt.Errorf("%q is not quick, normal or max", s)
}

// Progress is what an engine knows while it works.
type Progress struct {
	Bound  uint64 // lower bound, bytes
	Height uint64 // of the best packing so far, bytes; 0 before there is one
	Nodes  uint64 // spent so far
	Doing  string // what runs now
}

// Engine is the packing engine. Its zero value is the normal one.
type Engine struct {
	Effort Effort
	Seed   uint64 // of the random choices
	// Progress is told what is known now and then, from one goroutine at a time;
	// may be nil.
	Progress func(Progress)
}

// Pack implements Packer.
func (e Engine) Pack(ctx context.Context, p Problem) (Result, error) {
	if e.Effort >= numEfforts {
		return Result{}, fmt.Errorf("%w: no effort %d", ErrInvalid, e.Effort)
	}
	r, err := e.solve(ctx, p, 1)
	if err != nil {
		return Result{}, err
	}
	r = e.explain(ctx, p, e.settle(ctx, p, r))
	r.Interrupted = ctx.Err() != nil && r.Status != Optimal
	return r, nil
}

// solve packs with a part of the budget of the effort. It does not look at hints,
// and leaves conflicts as they are found.
func (e Engine) solve(ctx context.Context, p Problem, part uint64) (Result, error) {
	c, conflict, err := newCore(p)
	if err != nil {
		return Result{}, err
	}
	if conflict != nil {
		return infeasible(Result{}, conflict, len(conflict) == 1), nil
	}
	s := &solver{Engine: e, core: c, Result: Result{Bound: c.bound}, budget: e.budget(part), outermost: part == 1}
	s.run(ctx)
	return s.end(), nil
}
