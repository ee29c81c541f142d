package bench

import (
	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// planned plays batches in the way of the plan.
type planned struct {
	pool   *dynpool.Pool
	stream kernels.Stream
	slots  []abi.Slot // at the end of the batch
}

// play plays a batch. If it is not nil, after is called when the device program of a
// step is enqueued.
func (p *planned) play(b *batch, after func(step int) error) error {
	run, err := p.pool.Begin(p.stream, b.params...)
	if err != nil {
		return err
	}
	err = enqueue(p.stream, b.inputs)
	for s := range b.steps {
		if err == nil {
			err = run.Step(abi.StepID(s))
		}
		if err == nil && after != nil {
			err = after(s)
		}
		if err == nil {
			err = enqueue(p.stream, b.steps[s])
		}
	}
	status, endErr := run.End()
	p.slots = status.Slots
	if endErr != nil {
		return endErr // says more than what stopped the steps
	}
	return err
}
