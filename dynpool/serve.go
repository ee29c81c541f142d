package dynpool

import (
	"errors"
	"fmt"
)

// errNoReturn is the error of a function that has left by a panic or by
// runtime.Goexit.
var errNoReturn = errors.New("the function did not return")

// serve runs batches until there is none.
func (w *Worker) serve(q *queue, run func(w *Worker, first, count uint64) error, opts []SplitOption) {
	for first, count, ok := q.take(); ok; first, count, ok = q.take() {
		w.batch(q, first, count, run, opts)
	}
}

// batch runs one batch, with its halves, and reports to the queue also if the
// function does not return.
func (w *Worker) batch(q *queue, first, count uint64, run func(w *Worker, first, count uint64) error, opts []SplitOption) {
	s := newSplitter(func(first, count uint64, try int) error {
		w.pool.faults.aim(first, count, try)
		return w.settle(run(w, first, count))
	}, opts)
	err := errNoReturn
	defer func() {
		panicked := recover()
		err = w.settle(err)
		w.pool.counters.split(s.stats)
		var failed *BatchError
		if err != nil {
			done := s.stats.Events + uint64(len(s.stats.Unfit)) // in order
			failed = &BatchError{First: first + done, Count: count - done, Worker: w.index, Err: err}
		}
		q.put(s.stats, failed, panicked)
	}()
	err = s.split(first, count)
}

// settle ends a batch that the function has left under way, so that the next can
// begin. Where the function reports no error, that is one, of no batch.
func (w *Worker) settle(err error) error {
	b := &w.pool.batch
	if !b.running {
		return err
	}
	_, endErr := b.End()
	switch {
	case err == nil:
		return fmt.Errorf("the function has not ended its batch, whose error is %v: %w", endErr, ErrBusy)
	case endErr == nil:
		return err
	}
	// %v: the error of the function alone decides whether the range is halved.
	return fmt.Errorf("%w; it has not ended its batch, whose error is %v", err, endErr)
}
