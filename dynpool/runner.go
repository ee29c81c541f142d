package dynpool

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Runner is several workers on one device. Each has pools and a stream of its own,
// so the memory need is that of one worker times their number.
type Runner struct {
	workers []*Worker

	mu      sync.Mutex
	running bool
	closed  bool
}

// Worker is one pool with its stream. It belongs to the function that Run has
// called with it, until that returns.
type Worker struct {
	index  int
	pool   *Pool
	stream kernels.Stream
}

// Index returns which of the workers it is, from 0.
func (w *Worker) Index() int { return w.index }

// Pool returns the pool. The Runner closes it.
func (w *Worker) Pool() *Pool { return w.pool }

// Stream returns the stream that the batches run in. The Runner closes it.
func (w *Worker) Stream() kernels.Stream { return w.stream }

// OpenRunner opens a number of workers, at least one, each as Open does it with the
// same options. Where one cannot be opened it closes the others.
func OpenRunner(dev kernels.Device, layout *abi.Layout, workers int, opts ...Option) (*Runner, error) {
	if workers < 1 {
		return nil, fmt.Errorf("a runner of %d workers", workers)
	}
	r := &Runner{workers: make([]*Worker, 0, workers)}
	for i := range workers {
		w := &Worker{index: i}
		err := w.open(dev, layout, opts)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("worker %d of %d: %w", i, workers, err), r.Close())
		}
		r.workers = append(r.workers, w)
	}
	return r, nil
}

func (w *Worker) open(dev kernels.Device, layout *abi.Layout, opts []Option) (err error) {
	if w.pool, err = Open(dev, layout, opts...); err != nil {
		return err
	}
	if w.stream, err = dev.NewStream(); err != nil {
		return errors.Join(err, w.pool.Close())
	}
	return nil
}

// Workers returns the workers by their index, for what must be done once for each
// before and after all batches. While Run is under way they must not be used.
func (r *Runner) Workers() []*Worker { return slices.Clone(r.workers) }

// Stats returns the sum of the statistics of all pools. It may be called at any
// time, from any goroutine.
func (r *Runner) Stats() Stats {
	var sum Stats
	for _, w := range r.workers {
		sum.Add(w.pool.Stats())
	}
	return sum
}

// WriteOpenMetrics writes the statistics of all pools, each with the label worker,
// its index. See the function WriteOpenMetrics.
func (r *Runner) WriteOpenMetrics(w io.Writer, labels map[string]string) error {
	series := make([]Series, len(r.workers))
	for i, worker := range r.workers {
		series[i] = Series{Labels: withWorker(labels, i), Stats: worker.pool.Stats()}
	}
	return WriteOpenMetrics(w, series...)
}

// Close waits for the streams and gives everything back. While Run or a batch is
// under way it closes nothing and is ErrBusy; a second Close does nothing.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		return fmt.Errorf("close: runner: %w", ErrBusy)
	}
	if r.closed {
		return nil
	}
	for _, w := range r.workers {
		if w.pool.batch.running {
			return fmt.Errorf("close: worker %d: %w", w.index, ErrBusy)
		}
	}
	r.closed = true
	var errs []error
	for _, w := range r.workers {
		// The stream first: work that is queued uses the pool.
		errs = append(errs, w.stream.Close(), w.pool.Close())
	}
	return errors.Join(errs...)
}

// begin makes sure that one Run is under way at a time.
func (r *Runner) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return fmt.Errorf("run: runner: %w", kernels.ErrClosed)
	case r.running:
		return fmt.Errorf("run: runner: %w", ErrBusy)
	}
	r.running = true
	return nil
}

func (r *Runner) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.workers {
		w.pool.faults.alone()
	}
	r.running = false
}
