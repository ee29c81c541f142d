package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// WarmUp is how many batches of each way come before those that are timed. In them
// every slot on the device is compared.
const WarmUp = 3

// Options choose what to measure.
type Options struct {
	Batches  int    // of each way that are timed
	Events   uint64 // events per batch; 0: the largest batch of the plan
	Work     Work
	Seed     uint64 // of the counts
	Capacity uint64 // bytes of the device pool; 0: see play.Capacity
}

// Result is what was measured.
type Result struct {
	Device   string `json:"device"` // back end and name
	Sequence string `json:"sequence"`
	Steps    int    `json:"steps"`
	Slots    int    `json:"slots"` // dynamic buffers
	Events   uint64 `json:"events"`
	Batches  int    `json:"batches"`
	Work     Work   `json:"work"`
	Readback Way    `json:"readback"`
	Planned  Way    `json:"planned"`
}

// Ratio is the median time of readback over that of planned.
func (r *Result) Ratio() float64 {
	return float64(r.Readback.Median) / float64(max(r.Planned.Median, 1))
}

// Way is one way to play a batch.
type Way struct {
	Median      time.Duration `json:"median_ns"` // of a batch
	Low         time.Duration `json:"low_ns"`    // a quarter of the batches took less
	High        time.Duration `json:"high_ns"`   // a quarter of them took more
	tally.Tally               // of one batch; all have the same
}

// bench is one measurement.
type bench struct {
	workload
	dev      *tally.Device
	pool     *dynpool.Pool
	stream   kernels.Stream
	readback *readback
	planned  planned
}

// Run measures a planned sequence on a device. A batch that does not fit is an
// error, as is one that the two ways do not place alike.
func Run(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (_ *Result, err error) {
	if opts.Events, err = play.Events(seq, opts.Events); err != nil {
		return nil, err
	}
	if opts.Batches < 1 || uint64(opts.Batches) > play.MaxRun/opts.Events {
		return nil, fmt.Errorf("%d batches of %d events: want at least one batch, and at most %d events", opts.Batches, opts.Events, play.MaxRun)
	}
	if opts.Capacity == 0 {
		if opts.Capacity, err = play.Capacity(plan); err != nil {
			return nil, err
		}
	}
	b := &bench{dev: tally.New(dev)}
	b.workload = workload{seq: seq, plan: plan, work: opts.Work, draw: play.Drawer{Sequence: seq, Seed: opts.Seed, Overload: play.Thousand}}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.open(opts); err != nil {
		return nil, err
	}
	info := dev.Info()
	r := &Result{
		Device: info.Backend + ": " + info.Name, Sequence: seq.Name, Steps: len(seq.Steps), Slots: len(plan.Layout.Slots),
		Events: opts.Events, Batches: opts.Batches, Work: opts.Work,
	}
	var times [2][]time.Duration
	for i := range WarmUp + opts.Batches {
		batch, err := b.workload.batch(uint64(i)*opts.Events, opts.Events)
		if err == nil && i < WarmUp {
			err = b.watched(batch)
		} else if err == nil {
			err = b.measure(batch, i-WarmUp, r, &times)
		}
		if err == nil {
			err = b.compare()
		}
		if err != nil {
			return nil, fmt.Errorf("batch %d: %w", i, err)
		}
	}
	r.Readback.time(times[0])
	r.Planned.time(times[1])
	return r, nil
}

func (w *Way) time(all []time.Duration) {
	slices.Sort(all)
	n := len(all)
	w.Low, w.Median, w.High = all[n/4], (all[(n-1)/2]+all[n/2])/2, all[n-1-n/4]
}

func (b *bench) open(opts Options) (err error) {
	if b.pool, err = dynpool.Open(b.dev, b.plan.Layout, dynpool.WithCapacity(opts.Capacity), dynpool.WithReuse(false)); err != nil {
		return err
	}
	if b.stream, err = b.dev.NewStream(); err != nil {
		return err
	}
	b.base, b.planned = b.pool.Base(), planned{pool: b.pool, stream: b.stream}
	if b.fill, err = b.dev.Kernel(kernels.Fill); err != nil {
		return err
	}
	if b.store, err = b.dev.Kernel(kernels.Store); err != nil {
		return err
	}
	at, params, err := play.At(b.seq, opts.Events)
	if err != nil {
		return err
	}
	b.readback, err = newReadback(&b.workload, b.pool, b.stream, params, at)
	return err
}

func (b *bench) close() error {
	var errs []error
	if b.stream != nil {
		errs = append(errs, b.stream.Close()) // first: what is queued uses the rest
	}
	if b.readback != nil {
		errs = append(errs, b.readback.close())
	}
	if b.pool != nil {
		errs = append(errs, b.pool.Close())
	}
	return errors.Join(errs...)
}

// measure plays batch i in both ways, in turns which comes first.
func (b *bench) measure(batch *batch, i int, r *Result, times *[2][]time.Duration) error {
	ways := [2]struct {
		result *Way
		play   func() error
	}{
		{&r.Readback, func() error { return b.readback.play(batch) }},
		{&r.Planned, func() error { return b.planned.play(batch, nil) }},
	}
	for turn := range ways {
		n := (i + turn) % 2
		w := ways[n].result
		b.dev.Reset()
		start := time.Now()
		err := ways[n].play()
		times[n] = append(times[n], time.Since(start))
		if err != nil {
			return err
		}
		total := b.dev.Total()
		if i > 0 && w.Tally != total {
			return fmt.Errorf("%w from batch to batch: %+v, then %+v", ErrDiffers, w.Tally, total)
		}
		w.Tally = total
	}
	return nil
}
