package skyline

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Options say how far to go.
type Options struct {
	Target uint64              // stop at this height, the lower bound
	Work   uint64              // to spend, in units of about a nanosecond of one core
	Seed   uint64              // of the random choices
	Better func(height uint64) // told about each better packing, from the caller's goroutine; may be nil
}

// Result is a packing.
type Result struct {
	Offsets []uint64 // units, by rectangle
	Height  uint64   // units
	Method  string   // what found it
	Work    uint64   // spent, in units of Options.Work
}

// Pack packs p. It always runs one cheap pass, and may spend up to twice the work
// that is left when it starts something. The result is the same on any machine
// and on any number of cores, unless ctx is cancelled: then it is the best packing
// so far.
func Pack(ctx context.Context, p *rect.Problem, o Options) Result {
	if len(p.Rects) == 0 {
		return Result{Offsets: []uint64{}, Method: "nothing to place"}
	}
	r := &runner{shape: newShape(p), Options: o, ctx: ctx, left: o.Work}
	r.goal = max(o.Target, slices.Max(r.totals))
	r.begin()
	r.passes()
	r.look()
	return Result{Offsets: r.byID(r.best), Height: r.height, Method: r.method, Work: r.spent}
}

// runner is the state of Pack.
type runner struct {
	*shape
	Options
	ctx         context.Context
	goal        uint64 // the target, or the bound where that is higher
	left, spent uint64 // work
	dearest     uint64 // steps of an attempt so far
	best        []uint64
	height      uint64
	method      string
}

// attempt is what one task found.
type attempt struct {
	offsets []uint64 // nil: nothing
	method  string
	steps   uint64
}

// workOfStep is the work of what the engines count as a step.
const workOfStep = 2

// take accounts for an attempt, and keeps its packing if it is better.
func (r *runner) take(a attempt) {
	r.dearest = max(r.dearest, a.steps)
	r.spent += a.steps * workOfStep
	r.left -= min(r.left, a.steps*workOfStep)
	if a.offsets == nil {
		return
	}
	if h := r.heightOf(a.offsets); r.best == nil || h < r.height {
		r.best, r.height, r.method = slices.Clone(a.offsets), h, a.method
		if r.Better != nil {
			r.Better(h)
		}
	}
}

// steps is how many may still be taken.
func (r *runner) steps() uint64 { return r.left / workOfStep }

func (r *runner) cancelled() bool { return r.ctx.Err() != nil }

// over is true if nothing is left to do.
func (r *runner) over() bool { return r.height <= r.goal || r.left == 0 || r.cancelled() }

// begin makes the first packing. The steps that it may take beyond the work grow
// with the number of rectangles only.
func (r *runner) begin() {
	allowance := 1000 * uint64(r.len())
	found := make([]attempt, 2)
	n := inOrder(context.WithoutCancel(r.ctx), 2, func(i int, stop func() bool) bool {
		if i == 0 {
			found[i] = r.pass(choices()[i], max(allowance, r.steps()), stop)
			return r.steps() < allowance || r.good(found[i])
		}
		found[i] = r.pass(choices()[i], r.steps(), func() bool { return stop() || r.cancelled() })
		return false
	})
	for _, a := range found[:n] {
		r.take(a)
	}
	if r.best == nil {
		offsets, steps := drop(r.shape)
		r.take(attempt{offsets, "one on top of the other", steps})
	}
}

// good reports whether a reaches the target.
func (r *runner) good(a attempt) bool {
	return a.offsets != nil && r.heightOf(a.offsets) <= r.goal
}
