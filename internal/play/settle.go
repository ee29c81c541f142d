package play

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// MaxEvents is how many events a batch may have, and MaxRun how many all batches
// together: each event is drawn and counted.
const (
	MaxEvents = 1 << 22
	MaxRun    = 1 << 28
)

// Events returns how many events a batch has where want were asked for: 0 stands
// for the largest batch of the plan, and more than that is refused.
func Events(seq *sequences.Sequence, want uint64) (uint64, error) {
	largest := uint64(1)
	if seq.Batch != sequences.None {
		largest = seq.Params[seq.Batch].Max
	}
	if want == 0 {
		want = largest
	}
	if want > MaxEvents {
		return 0, fmt.Errorf("a batch of %d events is more than the %d that can be played: choose a smaller one", want, MaxEvents)
	}
	if want > largest {
		return 0, fmt.Errorf("%d events in a batch, but the plan is proved for at most %d", want, largest)
	}
	return want, nil
}

// Capacity returns the bytes of a device pool in which batches of a plan can be
// expected to fit, in both arena modes: the static region and the worst-case arena,
// or, where that is not known, the typical one and half again.
func Capacity(plan *planner.Plan) (uint64, error) {
	worst, err := plan.DeviceNeed(planner.BasisWorst)
	if err == nil {
		return uint64(worst), nil
	}
	typical, err := plan.DeviceNeed(planner.BasisTypical)
	if err != nil {
		return 0, fmt.Errorf("no capacity was given, and none follows from the counts: %w", err)
	}
	return checked.Add(uint64(typical), uint64(plan.Arena.Typical.Sum)/2)
}

// At returns the point of a batch of some events, and the values of the launch-time
// parameters there, in the order of the layout. Other parameters than the batch size
// have their largest value.
func At(seq *sequences.Sequence, events uint64) (at *planner.Point, launch []uint64, err error) {
	params := make([]uint64, len(seq.Params))
	for i, q := range seq.Params {
		params[i] = q.Max
		if q.ID == seq.Batch {
			params[i] = events
		}
		if !q.Fixed() {
			launch = append(launch, params[i])
		}
	}
	at, err = planner.At(seq, params)
	return at, launch, err
}

// settle replaces the defaults of the options.
func (o *Options) settle(seq *sequences.Sequence, plan *planner.Plan) (err error) {
	if err := o.Dynamic.check(o); err != nil {
		return err
	}
	if o.Dynamic == Arena {
		o.Mode = o.Mode.resolve(plan)
	}
	if o.Events, err = Events(seq, o.Events); err != nil {
		return err
	}
	if o.Batches < 0 || uint64(o.Batches) > MaxRun/o.Events {
		return fmt.Errorf("%d batches of %d events, but %d events can be played in one run", o.Batches, o.Events, MaxRun)
	}
	if o.Overload == 0 {
		o.Overload = Thousand
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.Capacity == 0 {
		o.Capacity, err = Capacity(plan)
	}
	return err
}
