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

// roundSize is how many tasks run at most before their results are looked at.
const roundSize = 8

// passes runs the rest of the portfolio of whole passes, on up to a third of the
// work.
func (r *runner) passes() {
	todo := choices()[2:]
	keep := r.Work - r.Work/3
	most := r.dearest
	for len(todo) > 0 && !r.over() && r.left > keep {
		count := min(uint64(len(todo)), roundSize, (r.left-keep)/workOfStep/max(1, most))
		if count == 0 {
			return
		}
		found := make([]attempt, count)
		n := inOrder(len(found), func(i int) bool {
			found[i] = r.pass(todo[i], 4*most)
			return r.good(found[i])
		})
		for _, a := range found[:n] {
			r.take(a)
		}
		todo = todo[count:]
	}
}

func (r *runner) pass(c choice, limit uint64) attempt {
	p := newPass(r.shape, c, r.Target)
	if !p.run(limit, r.cancelled) {
		return attempt{steps: p.spent()}
	}
	return attempt{p.offsets, c.name, p.spent()}
}
