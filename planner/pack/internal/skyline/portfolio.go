package skyline

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// inOrder runs the tasks 0 to n-1, several at a time. After one that says that it
// is the last none counts, and it returns how many do. Which those are does not
// depend on how many run at a time, if a task depends on nothing but its number:
// it may give up early only when stop says that it does not count, or that the
// context is cancelled.
func inOrder(ctx context.Context, n int, task func(i int, stop func() bool) (last bool)) int {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var count atomic.Int64
	count.Store(int64(n))
	for i := range n {
		group.Go(func() error {
			stop := func() bool { return ctx.Err() != nil || int64(i) >= count.Load() }
			if stop() || !task(i, stop) {
				return nil
			}
			for c := count.Load(); int64(i) < c && !count.CompareAndSwap(c, int64(i)+1); c = count.Load() {
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
	return int(count.Load())
}

// roundSize is how many tasks run at most before their results are looked at.
const roundSize = 8

// passes runs the rest of the portfolio of whole passes, on up to two thirds of
// the work.
func (r *runner) passes() {
	todo := choices()[2:]
	keep := r.Work / 3
	most := r.dearest
	for len(todo) > 0 && !r.over() && r.left > keep {
		count := min(uint64(len(todo)), roundSize, (r.left-keep)/workOfStep/max(1, most))
		if count == 0 {
			return
		}
		found := make([]attempt, count)
		n := inOrder(r.ctx, len(found), func(i int, stop func() bool) bool {
			found[i] = r.pass(todo[i], 4*most, stop)
			return r.good(found[i])
		})
		for _, a := range found[:n] {
			r.take(a)
		}
		todo = todo[count:]
	}
}

func (r *runner) pass(c choice, limit uint64, stop func() bool) attempt {
	p := newPass(r.shape, c, r.goal)
	if !p.run(limit, stop) {
		return attempt{steps: p.spent()}
	}
	return attempt{p.offsets, c.name, p.spent()}
}
