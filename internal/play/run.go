package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// game is what all workers of one run share. None of them changes it, but for the
// counts of their own events.
type game struct {
	seq     *sequences.Sequence
	plan    *planner.Plan
	opts    Options
	draw    Drawer
	scripts []script
	checks  int                         // in all scripts
	taken   map[sequences.BufferID]bool // another buffer takes over their storage

	kernel struct{ fill, check, store, checkValue kernels.Kernel }
	played []uint8 // by event: how often it was played or reported
}

// Run plays a planned sequence on a device. A corruption is not an error: it is
// in the Result. The error is a *staticpool.CapacityError if the static region
// does not fit, else what the device reported.
func Run(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (_ *Result, err error) {
	if err := opts.settle(seq, plan); err != nil {
		return nil, err
	}
	g, err := newGame(seq, plan, dev, opts)
	if err != nil {
		return nil, err
	}
	mode := opts.Mode.resolve(plan)
	pools := []dynpool.Option{dynpool.WithCapacity(opts.Capacity), mode.option()}
	if opts.Fail > 0 {
		pools = append(pools, dynpool.WithFaults(dynpool.FaultPlan{Rate: opts.Fail, Seed: opts.Seed}))
	}
	runner, err := dynpool.OpenRunner(dev, plan.Layout, opts.Workers, pools...)
	if err != nil {
		return nil, err
	}
	players := make([]*player, 0, opts.Workers)
	defer func() {
		err = errors.Join(err, runner.Close()) // first: what is queued uses the memory of the players
		for _, p := range players {
			err = errors.Join(err, p.close(dev))
		}
	}()
	for _, w := range runner.Workers() {
		p := &player{game: g, pool: w.Pool(), stream: w.Stream(), kept: make(map[sequences.BufferID]written)}
		players = append(players, p)
		if err := p.open(dev); err != nil {
			return nil, err
		}
	}
	stats, err := g.run(runner, players)
	if err != nil {
		return nil, err
	}
	return g.result(dev.Info(), mode, stats, runner.Stats(), players), nil
}

func newGame(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (*game, error) {
	g := &game{
		seq: seq, plan: plan, opts: opts, draw: Drawer{seq, opts.Seed, opts.Overload},
		scripts: scripts(seq, plan), taken: make(map[sequences.BufferID]bool),
		played: make([]uint8, uint64(opts.Batches)*opts.Events),
	}
	for i := range seq.Buffers {
		if base := seq.Buffers[i].InPlaceOf; base != sequences.None {
			g.taken[base] = true
		}
	}
	for _, s := range g.scripts {
		g.checks += len(s.before) + len(s.after)
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
		err := players[w.Index()].round(first, count)
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

// result adds up what the workers found. Which of them played a batch is chance, and
// nothing here depends on it, unless a plan lets persistent buffers be overwritten.
func (g *game) result(info kernels.Info, mode Mode, run dynpool.RunStats, pools dynpool.Stats, players []*player) *Result {
	r := &Result{
		Device: info.Backend + ": " + info.Name, Workers: g.opts.Workers, Mode: mode,
		Batches: g.opts.Batches, Capacity: g.opts.Capacity, Arena: pools.Capacity,
		Stats: run.SplitStats, Fail: g.opts.Fail, Injected: pools.Injected, Waits: pools.Syncs, HighWater: pools.HighWater,
	}
	for _, times := range g.played {
		switch {
		case times == 0:
			r.Lost++
		case times > 1:
			r.Twice++
		}
	}
	for _, p := range players {
		r.HostHigh = max(r.HostHigh, p.found.HostHigh)
		r.Checks += p.found.Checks
		r.Checked += p.found.Checked
		r.Mismatches += p.found.Mismatches
		r.Corrupted = append(r.Corrupted, p.found.Corrupted...)
	}
	// Each worker has its batches in order, and all of one batch.
	slices.SortStableFunc(r.Corrupted, func(a, b Corruption) int { return cmp.Compare(a.Batch, b.Batch) })
	if len(r.Corrupted) > MaxCorruptions {
		r.Corrupted = r.Corrupted[:MaxCorruptions]
	}
	return r
}
