package play

import (
	"errors"
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// edges are the waits that the streams of a plan make for each other.
type edges struct {
	before [][]sequences.StepID // by step: the steps of other streams that it waits for
	until  []sequences.StepID   // by step: the last one that waits for it, or None
	count  int
}

// findEdges returns the edges of a plan.
func findEdges(plan *planner.Plan) edges {
	e := edges{
		before: make([][]sequences.StepID, len(plan.Steps)),
		until:  slices.Repeat([]sequences.StepID{sequences.None}, len(plan.Steps)),
	}
	for s := range plan.Steps {
		step := &plan.Steps[s]
		for _, a := range step.After {
			if plan.Steps[a].Stream == step.Stream || slices.Contains(e.before[s], a) {
				continue // in order without
			}
			e.before[s] = append(e.before[s], a)
			e.until[a] = sequences.StepID(s)
			e.count++
		}
	}
	return e
}

// behind are the events behind steps that others wait for. An event is used again once
// all waits for it are queued, because a wait is for what was recorded before it.
type behind struct {
	dev   kernels.Device
	made  []kernels.Event
	spare []kernels.Event
	of    map[sequences.StepID]kernels.Event
}

func newBehind(dev kernels.Device) *behind {
	return &behind{dev: dev, of: make(map[sequences.StepID]kernels.Event)}
}

// reset forgets all steps.
func (b *behind) reset() {
	clear(b.of)
	b.spare = append(b.spare[:0], b.made...)
}

// record marks the end of a step in its stream.
func (b *behind) record(step sequences.StepID, s kernels.Stream) error {
	if len(b.spare) == 0 {
		e, err := b.dev.NewEvent()
		if err != nil {
			return err
		}
		b.made, b.spare = append(b.made, e), append(b.spare, e)
	}
	last := len(b.spare) - 1
	e := b.spare[last]
	b.spare, b.of[step] = b.spare[:last], e
	return s.Record(e)
}

// wait makes a stream wait for a step; last says that no other wait for it follows.
func (b *behind) wait(step sequences.StepID, s kernels.Stream, last bool) error {
	e := b.of[step]
	if last {
		delete(b.of, step)
		b.spare = append(b.spare, e)
	}
	return s.Wait(e)
}

func (b *behind) close() error {
	var errs []error
	for _, e := range b.made {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}
