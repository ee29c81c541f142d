package disjunct

import "context"

// Work is a budget of elementary things to do, each of about a nanosecond: a look at
// a forbidden range, at a window of a clique, at a pair of them.
type Work struct {
	ctx                context.Context
	spent, limit, next uint64 // next: when to look closer
	cancelled          bool
}

// lookEvery is how much is spent between two looks at the context.
const lookEvery = 1 << 20

// NewWork is a budget that ends when it is spent or the context is cancelled.
func NewWork(ctx context.Context, limit uint64) *Work { return &Work{ctx: ctx, limit: limit} }

// Spend takes something from the budget before it is done. It returns false, from
// then on always, if that is too much, or the budget has ended.
func (w *Work) Spend(units int) bool {
	w.spent += uint64(units)
	return w.spent < w.next || w.look()
}

// Spent is what was taken so far: more than the limit by the last thing at most.
func (w *Work) Spent() uint64 { return w.spent }

func (w *Work) look() bool {
	w.cancelled = w.cancelled || w.ctx.Err() != nil
	w.next = min(w.spent+lookEvery, w.limit)
	return !w.over()
}

func (w *Work) over() bool { return w.cancelled || w.spent > w.limit }

func (w *Work) left() uint64 { return w.limit - min(w.limit, w.spent) }

// within does something with a part of what is left. If that ends, it is no end for
// what comes next.
func (w *Work) within(units uint64, do func()) {
	limit := w.limit
	w.limit = w.spent + min(units, w.left())
	w.next = min(w.next, w.limit)
	do()
	w.limit = limit
}
