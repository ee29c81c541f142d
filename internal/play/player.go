package play

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// player holds what one run needs; batch state lies in round.
type player struct {
	seq     *sequences.Sequence
	plan    *planner.Plan
	opts    Options
	draw    drawer
	scripts []script
	checks  int                         // in all scripts
	taken   map[sequences.BufferID]bool // another buffer takes over their storage

	pool   *dynpool.Pool
	stream kernels.Stream
	kernel struct{ fill, check, store, checkValue kernels.Kernel }

	staging kernels.Addr       // device memory for host-scope buffers
	reports kernels.Addr       // one CheckReport per check
	landed  kernels.HostMemory // where the reports come back

	kept   map[sequences.BufferID]written // what persistent buffers hold
	serial uint64                         // of the round
	batch  int
	event  uint64 // number of the first event of the batch since the start
	result Result
}

// written says what the bytes of a buffer are.
type written struct {
	seed, size uint64
	cells      []cell
}

// Run plays a planned sequence on a device. A corruption is not an error: it is
// in the Result. The error is a *staticpool.CapacityError if the static region
// does not fit, else what the device reported.
func Run(seq *sequences.Sequence, plan *planner.Plan, dev kernels.Device, opts Options) (_ *Result, err error) {
	p := &player{
		seq: seq, plan: plan, opts: opts, scripts: scripts(seq, plan),
		kept: make(map[sequences.BufferID]written), taken: make(map[sequences.BufferID]bool),
	}
	for i := range seq.Buffers {
		if base := seq.Buffers[i].InPlaceOf; base != sequences.None {
			p.taken[base] = true
		}
	}
	if err := p.settle(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close(dev)) }()
	if err := p.open(dev); err != nil {
		return nil, err
	}
	for p.batch = range p.opts.Batches {
		if err := p.playBatch(); err != nil {
			return nil, fmt.Errorf("batch %d: %w", p.batch, err)
		}
		p.event += p.opts.Events
		p.result.Batches++
	}
	return &p.result, nil
}

// settle replaces the defaults of the options.
func (p *player) settle() error {
	o := &p.opts
	largest := uint64(1)
	if p.seq.Batch != sequences.None {
		largest = p.seq.Params[p.seq.Batch].Max
	}
	if o.Events == 0 {
		o.Events = largest
	}
	if o.Events > MaxEvents {
		return fmt.Errorf("a batch of %d events is more than the %d that can be played: choose a smaller one", o.Events, MaxEvents)
	}
	if o.Events > largest {
		return fmt.Errorf("%d events in a batch, but the plan is proved for at most %d", o.Events, largest)
	}
	if o.Overload == 0 {
		o.Overload = Thousand
	}
	p.draw = drawer{p.seq, o.Seed, o.Overload}
	if o.Capacity != 0 {
		return nil
	}
	worst, err := p.plan.DeviceNeed(planner.BasisWorst)
	if err == nil {
		o.Capacity = uint64(worst)
		return nil
	}
	typical, err := p.plan.DeviceNeed(planner.BasisTypical)
	if err != nil {
		return fmt.Errorf("no capacity was given, and none follows from the counts: %w", err)
	}
	o.Capacity, err = checked.Add(uint64(typical), uint64(p.plan.Arena.Typical.Sum)/2)
	return err
}

func (p *player) open(dev kernels.Device) (err error) {
	if p.pool, err = dynpool.Open(dev, p.plan.Layout, dynpool.WithCapacity(p.opts.Capacity)); err != nil {
		return err
	}
	p.result.Capacity = p.opts.Capacity
	p.result.Arena = p.pool.ArenaCapacity()
	if p.stream, err = dev.NewStream(); err != nil {
		return err
	}
	for _, k := range []struct {
		name string
		to   *kernels.Kernel
	}{
		{kernels.Fill, &p.kernel.fill},
		{kernels.Check, &p.kernel.check},
		{kernels.Store, &p.kernel.store},
		{kernels.CheckValue, &p.kernel.checkValue},
	} {
		if *k.to, err = dev.Kernel(k.name); err != nil {
			return err
		}
	}
	staging := uint64(1)
	for i := range p.plan.Buffers {
		b := &p.plan.Buffers[i]
		if b.Scope == sequences.Host && b.Class == planner.Static {
			staging = max(staging, uint64(b.Max))
		}
	}
	if p.staging, err = dev.Alloc(staging); err != nil {
		return err
	}
	for _, s := range p.scripts {
		p.checks += len(s.before) + len(s.after)
	}
	size := uint64(p.checks+len(p.seq.Buffers)+1) * kernels.CheckReportSize
	if p.reports, err = dev.Alloc(size); err != nil {
		return err
	}
	p.landed, err = dev.AllocHost(size)
	return err
}

func (p *player) close(dev kernels.Device) error {
	var errs []error
	if p.stream != nil {
		errs = append(errs, p.stream.Close())
	}
	if p.landed != nil {
		errs = append(errs, p.landed.Free())
	}
	for _, a := range []kernels.Addr{p.reports, p.staging} {
		if a != 0 {
			errs = append(errs, dev.Free(a))
		}
	}
	if p.pool != nil {
		errs = append(errs, p.pool.Close())
	}
	return errors.Join(errs...)
}

// playBatch plays one batch, in halves where it does not fit, and counts its
// events.
func (p *player) playBatch() error {
	played := make([]uint8, p.opts.Events)
	least := uint64(1)
	if p.seq.Batch != sequences.None {
		least = p.seq.Params[p.seq.Batch].Min
	}
	stats, err := dynpool.Split(p.opts.Events, func(first, count uint64) error {
		err := p.round(first, count)
		if err == nil {
			for i := range count {
				played[first+i]++
			}
		}
		return err
	}, dynpool.SplitMin(least))
	p.result.Stats.Add(stats)
	if err != nil {
		return err
	}
	for _, u := range stats.Unfit {
		played[u.Event]++
	}
	for _, times := range played {
		switch {
		case times == 0:
			p.result.Lost++
		case times > 1:
			p.result.Twice++
		}
	}
	return nil
}
