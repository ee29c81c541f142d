package sweep

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Options choose how to run. The zero value is the normal way.
type Options struct {
	Shard    Shard          // the zero value is all rows
	Jobs     int            // plans at a time; 0 means runtime.GOMAXPROCS
	Part     string         // path of the part file; none if empty
	Anew     bool           // a file there that is not the part file of the work is overwritten
	Cache    *Cache         // may be nil
	Progress func(Progress) // is told how far it is, from one goroutine at a time; may be nil
}

// Progress is how far a run is.
type Progress struct {
	Rows     int // of the shard
	Done     int // of these
	Kept     int // of the done ones: found in the part file
	Made     int // of the done ones: planned by this run, not found in the part file or the cache
	Errors   int // of the done ones
	Exceeded int // of the done ones: a budget does not hold, or cannot be checked

	Uncached error // why a result was not kept in the cache, the first time that it was not
}

// Run makes the rows of a shard and returns them in their order. The part file stays, to
// be removed once the rows are safe. A run that was cancelled returns the error of the
// context, without waiting for the plans that it was at; what it has finished is in the
// part file. It fails with an OtherError.
func (w *Work) Run(ctx context.Context, o Options) ([]Row, Progress, error) {
	r := &runner{Work: w, Options: o, wanted: o.Shard.rows(w.rows)}
	r.rows, r.done.Rows = make([]Row, len(r.wanted)), len(r.wanted)
	found := map[int]Row{}
	if o.Part != "" {
		p, rows, err := w.openPart(o.Part, o.Shard, o.Anew)
		if err != nil {
			return nil, r.done, err
		}
		defer p.file.Close()
		r.part, found = p, rows
	}
	var missing []int // indices in wanted
	for i, row := range r.wanted {
		if done, ok := found[row]; ok {
			r.done.Kept++
			r.take(i, done)
			continue
		}
		missing = append(missing, i)
	}
	r.tell()
	err := r.each(ctx, missing)
	return r.rows, r.done, err
}

type runner struct {
	*Work
	Options
	part   *part
	wanted []int

	mu   sync.Mutex
	rows []Row // by index in wanted
	done Progress
}

// each makes rows, several at a time. The packing of one plan may use more than one core
// too; they all share those that there are.
func (r *runner) each(ctx context.Context, missing []int) error {
	jobs := r.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	for _, i := range missing {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			row, made, err := r.row(ctx, r.wanted[i])
			if err == nil && r.part != nil {
				err = r.part.add(row)
			}
			if err != nil {
				return err
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if made {
				r.done.Made++
			}
			r.take(i, row)
			r.tell()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if r.done.Done < r.done.Rows {
		return context.Cause(ctx)
	}
	return nil
}

// row makes one row, or finds it in the cache.
func (r *runner) row(ctx context.Context, n int) (row Row, made bool, err error) {
	row = r.head(n)
	key := r.key(n)
	if r.Cache != nil {
		if found, ok := r.Cache.get(key); ok {
			row.Result = found
			return row, false, nil
		}
	}
	row.Result, err = r.result(ctx, n)
	if err == nil && r.Cache != nil {
		r.uncached(r.Cache.put(key, row.Result))
	}
	return row, true, err
}

// uncached keeps the first error of the cache. It stops no run.
func (r *runner) uncached(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done.Uncached = cmp.Or(r.done.Uncached, err)
}

// take takes a row that is done.
func (r *runner) take(i int, row Row) {
	r.rows[i] = row
	r.done.Done++
	if row.Error != "" {
		r.done.Errors++
	}
	if !row.Budgets.Hold() {
		r.done.Exceeded++
	}
}

func (r *runner) tell() {
	if r.Progress != nil {
		r.Progress(r.done)
	}
}
