package hunt

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
)

// run runs searches in their order and merges them up to the first one that
// reaches the target or refutes it. What comes after does not count, nor does a
// search for what has been found before it.
func (h *hunt) run(tasks []task) {
	target := h.target()
	ends := make([]chan exact.Result, len(tasks))
	ctx, cancel := context.WithCancel(h.ctx)
	defer cancel()
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range tasks {
		ends[i] = make(chan exact.Result, 1)
	}
	group.Go(func() {
		for i, t := range tasks {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return
			}
			group.Go(func() {
				s := h.searchers.Get().(*exact.Searcher)
				ends[i] <- s.Search(ctx, t.options)
				h.searchers.Put(s)
				<-room
			})
		}
	})
	for i, t := range tasks {
		if t.options.Capacity >= h.Height {
			continue
		}
		select {
		case r := <-ends[i]:
			h.merge(t, r)
		case <-ctx.Done():
			return
		}
		if h.Height <= target || h.target() > target {
			return
		}
	}
}
