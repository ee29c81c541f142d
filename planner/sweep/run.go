package sweep

import (
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
	Cache    *Cache         // may be nil
	Progress func(Progress) // is told how far it is, from one goroutine at a time; may be nil
}

// Progress is how far a run is.
type Progress struct {
	Rows   int // of the shard
	Done   int // of these
	Errors int // of the done ones
	Made   int // of the done ones: planned by this run, not found in the part file or the cache
}

// Run makes the rows of a shard and returns them in their order. The part file stays, to
// be removed once the rows are safe. A run that was cancelled returns the error of the
// context; what it has finished is in the part file.
func (w *Work) Run(ctx context.Context, o Options) ([]Row, Progress, error) {
	r := &runner{Work: w, Options: o, wanted: o.Shard.rows(w.rows)}
	r.rows, r.done.Rows = make([]Row, len(r.wanted)), len(r.wanted)
	found := map[int]Row{}
	if o.Part != "" {
		p, rows, err := w.openPart(o.Part)
		if err != nil {
			return nil, r.done, err
		}
		defer p.file.Close()
		r.part, found = p, rows
	}
	var missing []int // indices in wanted
	for i, row := range r.wanted {
		if done, ok := found[row]; ok {
			r.take(i, done, false)
			continue
		}
		missing = append(missing, i)
	}
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
			if ctx.Err() != nil {
				return ctx.Err()
			}
			row, made, err := r.row(r.wanted[i])
			if err == nil && r.part != nil {
				err = r.part.add(row)
			}
			if err == nil {
				r.take(i, row, made)
			}
			return err
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
func (r *runner) row(n int) (row Row, made bool, err error) {
	row = r.head(n)
	key := r.key(n)
	if r.Cache != nil {
		if found, ok := r.Cache.get(key); ok {
			row.Result = found
			return row, false, nil
		}
	}
	row.Result = newResult(r.plan(n))
	if r.Cache != nil {
		err = r.Cache.put(key, row.Result)
	}
	return row, true, err
}

func (r *runner) take(i int, row Row, made bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows[i] = row
	r.done.Done++
	if row.Error != "" {
		r.done.Errors++
	}
	if made {
		r.done.Made++
	}
	if r.Progress != nil {
		r.Progress(r.done)
	}
}
