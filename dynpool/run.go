package dynpool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// RunStats counts what Run did.
type RunStats struct {
	SplitStats // of all workers, Unfit by event
	// Next is the first event that no worker was given: those from it on did not
	// run. It is the number of events unless Run was stopped.
	Next uint64 `json:"next"`
}

// BatchError is an error that stopped Run.
type BatchError struct {
	First, Count uint64 // the events that did not run because of it
	Worker       int    // the index of the worker
	Err          error
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("%d events from %d on, worker %d: %s", e.Count, e.First, e.Worker, e.Err)
}

// Unwrap returns the error of the function.
func (e *BatchError) Unwrap() error { return e.Err }

// Run calls run for the events [0, events), a batch of them at a time, from as many
// goroutines as there are workers. The function plays one batch in the pool and the
// stream of the worker, and returns its error. A batch that does not fit is halved
// as by Split, with its options; so each event runs with success exactly once, or
// is noted as unfit. Where SplitMin sets a smallest range, the first batches leave
// as many events to the others as those need, so that none is below it. Where that
// cannot be, as for 11 events in batches of 6 to 10, Run returns an error and calls
// nothing.
//
// Any other error stops the run: workers finish the batch that they are in, with all
// its halves, and take no other. So does the end of the context. The error then
// joins one *BatchError for each worker that failed, by event, and the cause of the
// context. The events that did not run are those of the BatchErrors and those from
// RunStats.Next on.
//
// A function that leaves by runtime.Goexit, as t.FailNow does, has failed: its batch
// is ended and there is a *BatchError. One that panics stops the run in the same way;
// then, when all workers have stopped, Run panics with the same value, the first if
// there are several.
//
// Which worker gets a batch depends on their speed. What is summed over all workers
// does not.
func (r *Runner) Run(ctx context.Context, events, batch uint64, run func(w *Worker, first, count uint64) error, opts ...SplitOption) (RunStats, error) {
	switch {
	case ctx == nil || run == nil:
		return RunStats{}, errors.New("run: a context and a function are needed")
	case batch == 0:
		return RunStats{}, errors.New("run: batches of 0 events")
	}
	q := &queue{ctx: ctx, events: events, batch: batch, min: newSplitter(nil, opts).min}
	if err := q.check(); err != nil {
		return RunStats{}, err
	}
	if err := r.begin(); err != nil {
		return RunStats{}, err
	}
	defer r.end()
	var wg sync.WaitGroup
	for _, w := range r.workers {
		wg.Go(func() { w.serve(q, run, opts) })
	}
	wg.Wait()
	if q.panicked != nil {
		panic(q.panicked)
	}
	return q.result()
}

// queue hands out the batches of a run and takes back what became of them.
type queue struct {
	ctx                context.Context
	events, batch, min uint64

	mu       sync.Mutex
	next     uint64
	stats    SplitStats
	errs     []*BatchError
	stopped  error // the cause of the context
	panicked any   // what the function has panicked with first
}

// check returns an error if a batch would be below the smallest range.
func (q *queue) check() error {
	if q.batch < q.min {
		return fmt.Errorf("run: batches of %d events are below the smallest range of %d", q.batch, q.min)
	}
	if n := q.batches(); n > 0 && q.events/n < q.min {
		return fmt.Errorf("run: %d events cannot be cut into batches of %d to %d", q.events, q.min, q.batch)
	}
	return nil
}

// batches returns how many batches the events need that no worker was given yet.
func (q *queue) batches() uint64 {
	rest := q.events - q.next
	n := rest / q.batch
	if rest%q.batch > 0 {
		n++
	}
	return n
}

// take returns the next batch, or false if there is none.
func (q *queue) take() (first, count uint64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	rest := q.events - q.next
	if rest == 0 || len(q.errs) > 0 {
		return 0, 0, false
	}
	if q.ctx.Err() != nil {
		q.stopped = context.Cause(q.ctx)
		return 0, 0, false
	}
	// Each batch after it needs q.min; check has seen that the events suffice.
	first, count = q.next, min(q.batch, rest-(q.batches()-1)*q.min)
	q.next += count
	return first, count, true
}

func (q *queue) put(stats SplitStats, err *BatchError, panicked any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats.Add(stats)
	if q.panicked == nil {
		q.panicked = panicked
	}
	if err != nil {
		q.errs = append(q.errs, err)
	}
}

func (q *queue) result() (RunStats, error) {
	slices.SortFunc(q.stats.Unfit, func(a, b Unfit) int { return cmp.Compare(a.Event, b.Event) })
	slices.SortFunc(q.errs, func(a, b *BatchError) int { return cmp.Compare(a.First, b.First) })
	var errs []error
	for _, err := range q.errs {
		errs = append(errs, err)
	}
	if q.stopped != nil {
		errs = append(errs, fmt.Errorf("run stopped before event %d: %w", q.next, q.stopped))
	}
	return RunStats{q.stats, q.next}, errors.Join(errs...)
}
