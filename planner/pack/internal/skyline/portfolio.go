package skyline

import (
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// inOrder runs the tasks 0 to n-1, several at a time. After one that says that it
// is the last none is started, and it returns how many tasks count: up to the
// first one that was the last. Which those are does not depend on how many run at
// a time, if a task depends on nothing but its number.
func inOrder(n int, task func(i int) (last bool)) int {
	lasts := make([]bool, n)
	var stop atomic.Bool
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		if stop.Load() {
			break
		}
		group.Go(func() error {
			if lasts[i] = task(i); lasts[i] {
				stop.Store(true)
			}
			return nil
		})
	}
	_ = group.Wait() // the functions return no errors
	for i, last := range lasts {
		if last {
			return i + 1
		}
	}
	return n
}

// attempt is what a task found.
type attempt struct {
	offsets []uint64 // nil: nothing
	method  string
	work    uint64
}

// passes runs the portfolio of whole passes.
func (r *runner) passes() {
	all := priorities()
	if r.over() {
		return
	}
	limit := r.left / 4
	found := make([]attempt, len(all))
	n := inOrder(len(all), func(i int) bool {
		if r.ctx.Err() != nil {
			return true
		}
		p := newPass(r.shape)
		r.shape.keys(p.pick.keys, all[i].weights, nil)
		if p.run(all[i].critical, limit) {
			found[i] = attempt{p.offsets, all[i].name, p.work}
			return p.top <= r.Target
		}
		found[i].work = p.work
		return false
	})
	for _, a := range found[:n] {
		r.spend(a.work)
		if a.offsets != nil {
			r.offer(a.offsets, a.method)
		}
	}
}
