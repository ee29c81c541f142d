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
// is noted as unfit. Where SplitMin sets a smallest range, the last two batches
// share their events so that the last is not below it, if that can be.
//
// Any other error stops the run: workers finish the batch that they are in, with all
// its halves, and take no other. So does the end of the context. The error then
// joins one *BatchError for each worker that failed, by event, and the cause of the
// context. The events that did not run are those of the BatchErrors and those from
// RunStats.Next on.
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
	if err := r.begin(); err != nil {
		return RunStats{}, err
	}
	defer r.end()
	q := &queue{ctx: ctx, events: events, batch: batch, min: newSplitter(nil, opts).min}
	var wg sync.WaitGroup
	for _, w := range r.workers {
		wg.Go(func() { w.serve(q, run, opts) })
	}
	wg.Wait()
	return q.result()
}

// queue hands out the batches of a run and takes back what became of them.
type queue struct {
	ctx                context.Context
	events, batch, min uint64

	mu      sync.Mutex
	next    uint64
	stats   SplitStats
	errs    []*BatchError
	stopped error // the cause of the context
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
	first, count = q.next, min(q.batch, rest)
	if left := rest - count; left > 0 && left < q.min && rest/2 >= q.min {
		count = rest - q.min
	}
	q.next += count
	return first, count, true
}

func (q *queue) put(stats SplitStats, err *BatchError) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stats.Add(stats)
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

// serve runs batches until there is none.
func (w *Worker) serve(q *queue, run func(w *Worker, first, count uint64) error, opts []SplitOption) {
	for first, count, ok := q.take(); ok; first, count, ok = q.take() {
		s := newSplitter(func(first, count uint64, try int) error {
			w.pool.faults.aim(first, count, try)
			return w.settle(run(w, first, count))
		}, opts)
		err := s.split(first, count)
		w.pool.counters.split(s.stats)
		var failed *BatchError
		if err != nil {
			done := s.stats.Events + uint64(len(s.stats.Unfit)) // in order
			failed = &BatchError{First: first + done, Count: count - done, Worker: w.index, Err: err}
		}
		q.put(s.stats, failed)
	}
}

// settle ends a batch that the function has left under way, so that the next can
// begin. Where the function reports no error, that is one, of no batch.
func (w *Worker) settle(err error) error {
	b := &w.pool.batch
	if !b.running {
		return err
	}
	_, endErr := b.End()
	if err == nil {
		return fmt.Errorf("the function has not ended its batch, whose error is %v: %w", endErr, ErrBusy)
	}
	return errors.Join(err, endErr)
}
