package skyline

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Options say how far to go.
type Options struct {
	Target uint64              // stop at this height, the lower bound
	Work   uint64              // steps to spend, of about a nanosecond each
	Seed   uint64              // of the random choices
	Better func(height uint64) // told about each better packing, from the caller's goroutine; may be nil
}

// Result is a packing.
type Result struct {
	Offsets []uint64 // units, by rectangle
	Height  uint64   // units
	Method  string   // what found it
	Work    uint64   // steps spent
}

// Pack packs p. The result is the same on any machine and on any number of cores,
// unless ctx is cancelled: then it is the best packing so far.
func Pack(ctx context.Context, p *rect.Problem, o Options) Result {
	if len(p.Rects) == 0 {
		return Result{Offsets: []uint64{}, Method: "drop"}
	}
	s := newShape(p)
	r := &runner{shape: s, Options: o, ctx: ctx, left: o.Work}
	offsets, work := drop(s)
	r.spend(work)
	r.offer(offsets, "drop by W")
	r.passes()
	return Result{Offsets: s.byID(r.best), Height: r.height, Method: r.method, Work: r.spent}
}

// runner is the state of Pack.
type runner struct {
	*shape
	Options
	ctx         context.Context
	left, spent uint64
	best        []uint64
	height      uint64
	method      string
}

func (r *runner) spend(work uint64) {
	r.spent += work
	r.left -= min(r.left, work)
}

// offer takes offsets if they are better than the best so far.
func (r *runner) offer(offsets []uint64, method string) {
	if h := r.shape.height(offsets); r.best == nil || h < r.height {
		r.best, r.height, r.method = slices.Clone(offsets), h, method
		if r.Better != nil {
			r.Better(h)
		}
	}
}

// over is true if there is nothing left to do.
func (r *runner) over() bool {
	return r.height <= r.Target || r.left == 0 || r.ctx.Err() != nil
}
