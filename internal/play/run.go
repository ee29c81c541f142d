package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// game is what all workers of one run share. None of them changes it, but for the
// counts of their own events and the times of their own batches.
type game struct {
	seq     *sequences.Sequence
	plan    *planner.Plan
	opts    Options
	draw    Drawer
	scripts []script
	edges   edges
	checks  int                         // in all scripts
	taken   map[sequences.BufferID]bool // another buffer takes over their storage

	kernel struct{ fill, check, store, checkValue kernels.Kernel }
	played []uint8         // by event: how often it was played or reported
	times  []time.Duration // by batch, of the first maxTimed
}

// maxTimed is of how many batches the times are kept.
const maxTimed = 1 << 20

// Run plays a planned sequence on a device. A corruption is not an error: it is
// in the Result. The error is a *staticpool.CapacityError if the static region
// does not fit, else what the device reported.
func Run(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (*Result, error) {
	result, _, err := run(seq, plan, dev, opts)
	return result, err
}

// run also returns the time that each batch took, with all its passes.
func run(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (_ *Result, _ []time.Duration, err error) {
	if err := opts.settle(seq, plan); err != nil {
		return nil, nil, err
	}
	g, err := newGame(seq, plan, dev, opts)
	if err != nil {
		return nil, nil, err
	}
	t := &table{game: g, dev: dev, counted: tally.New(dev)}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.open(); err != nil {
		return nil, nil, err
	}
	t.counted.Reset()
	stats, err := g.run(t.runner, t.players)
	if err != nil {
		return nil, nil, err
	}
	result, err := t.result(stats)
	return result, g.times, err
}

func newGame(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (*game, error) {
	g := &game{
		seq: seq, plan: plan, opts: opts, draw: Drawer{seq, opts.Seed, opts.Overload},
		scripts: scripts(seq, plan), edges: findEdges(plan), taken: make(map[sequences.BufferID]bool),
		played: make([]uint8, uint64(opts.Batches)*opts.Events), times: make([]time.Duration, min(opts.Batches, maxTimed)),
	}
	for i := range seq.Buffers {
		if base := seq.Buffers[i].InPlaceOf; base != sequences.None {
			g.taken[base] = true
		}
	}
	for _, s := range g.scripts {
		g.checks += len(s.ends) + len(s.before) + len(s.after)
	}
	for _, k := range []struct {
		name string
		to   *kernels.Kernel
	}{
		{kernels.Fill, &g.kernel.fill},
		{kernels.Check, &g.kernel.check},
		{kernels.Store, &g.kernel.store},
		{kernels.CheckValue, &g.kernel.checkValue},
	} {
		var err error
		if *k.to, err = dev.Kernel(k.name); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// run plays all batches, in halves where they do not fit, and counts their events.
func (g *game) run(runner *dynpool.Runner, players []*player) (dynpool.RunStats, error) {
	least := uint64(1)
	if g.seq.Batch != sequences.None {
		least = g.seq.Params[g.seq.Batch].Min
	}
	play := func(w *dynpool.Worker, first, count uint64) error {
		start := time.Now()
		err := players[w.Index()].round(first, count)
		if b := first / g.opts.Events; b < uint64(len(g.times)) {
			g.times[b] += time.Since(start) // one worker has all of a batch
		}
		if err == nil {
			for i := range count {
				g.played[first+i]++ // no other worker has these events
			}
		}
		return err
	}
	stats, err := runner.Run(context.Background(), uint64(len(g.played)), g.opts.Events, play, dynpool.SplitMin(least))
	for _, u := range stats.Unfit {
		g.played[u.Event]++
	}
	return stats, g.inBatches(err)
}

// inBatches says of each error of a run which batch it was.
func (g *game) inBatches(err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	var errs []error
	for _, err := range all {
		var e *dynpool.BatchError
		if errors.As(err, &e) {
			err = fmt.Errorf("batch %d: %w", e.First/g.opts.Events, e.Err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
