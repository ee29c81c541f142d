package play

import (
	"cmp"
	"errors"
	"slices"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/sequences"
)

// table is what a run has on the device.
type table struct {
	*game
	dev     kernels.Device
	counted *tally.Device // the same, for what is counted
	ground  ground
	runner  *dynpool.Runner
	players []*player
}

func (t *table) open() (err error) {
	if t.ground, err = t.opts.ground(t.counted); err != nil {
		return err
	}
	var pools []dynpool.Option
	if t.opts.Dynamic == Arena {
		pools = append(pools, dynpool.WithCapacity(t.opts.Capacity), dynpool.WithReuse(t.opts.Mode == Reuse))
	} else {
		// The static region alone, if that fits.
		pools = append(pools, dynpool.WithCapacity(min(t.opts.Capacity, t.plan.Layout.Device.Size)))
	}
	if t.opts.Fail > 0 {
		pools = append(pools, dynpool.WithFaults(dynpool.FaultPlan{Rate: t.opts.Fail, Seed: t.opts.Seed}))
	}
	if t.runner, err = dynpool.OpenRunner(t.ground.dev, t.plan.Layout, t.opts.Workers, pools...); err != nil {
		return err
	}
	for _, w := range t.runner.Workers() {
		p := &player{game: t.game, pool: w.Pool(), behind: newBehind(t.ground.dev), kept: make(map[sequences.BufferID]written)}
		t.players = append(t.players, p)
		if p.stream, err = openLanes(t.ground.dev, w.Stream(), len(t.plan.Streams)); err != nil {
			return err
		}
		if t.opts.Dynamic == Arena {
			p.memory = &arena{pool: p.pool, stream: p.stream}
		} else {
			h, err := openHosted(t.game, t.dev, p.pool, p.stream, t.ground)
			if err != nil {
				return err
			}
			p.memory = h
		}
		if err := p.open(t.dev); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) close() error {
	var errs []error
	for _, p := range t.players {
		if p.memory != nil {
			// A source may still wait for its stream. Nothing that is queued uses it:
			// each batch has waited at its end.
			errs = append(errs, p.memory.close())
		}
	}
	// First the streams: what is queued uses the memory of the players.
	for _, p := range t.players {
		errs = append(errs, p.stream.close(), p.behind.close())
	}
	if t.runner != nil {
		errs = append(errs, t.runner.Close())
	}
	for _, p := range t.players {
		errs = append(errs, p.close(t.dev))
	}
	if t.ground.close != nil {
		errs = append(errs, t.ground.close())
	}
	return errors.Join(errs...)
}

// result adds up what the workers found. Which of them played a batch is chance, and
// nothing here depends on it, unless a plan lets persistent buffers be overwritten; what
// a pool of the host holds depends on what it has served before.
func (t *table) result(run dynpool.RunStats) (*Result, error) {
	info, pools := t.dev.Info(), t.runner.Stats()
	r := &Result{
		Device: info.Backend + ": " + info.Name, Workers: t.opts.Workers, Dynamic: t.opts.Dynamic, Mode: t.opts.Mode,
		Batches: t.opts.Batches, Capacity: t.opts.Capacity, Arena: pools.Capacity,
		Stats: run.SplitStats, Fail: t.opts.Fail, Injected: pools.Injected, Waits: t.counted.Total().Waits,
		HighWater: pools.HighWater, Reserved: pools.Capacity, Allocations: t.counted.Allocations(),
	}
	if len(t.plan.Streams) > 1 {
		r.Streams, r.Edges = t.plan.Streams, t.edges.count
	}
	for _, times := range t.played {
		switch {
		case times == 0:
			r.Lost++
		case times > 1:
			r.Twice++
		}
	}
	for _, p := range t.players {
		if err := p.memory.peaks(r); err != nil {
			return nil, err
		}
		r.Waits -= p.stream.idle
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
	return r, nil
}
