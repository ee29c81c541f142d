package gen

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// queue is where a step is queued and what it waits for, as the plan has it. With one
// stream there is nothing to say, and nothing is generated.
type queue struct {
	stream   int
	waits    []sequences.StepID // of other streams, ascending
	event    bool               // a later step waits for it
	hostWait bool               // the host waits for all streams before it
}

// findQueues returns the queues of the steps, or nil if all are on one stream.
func findQueues(seq *sequences.Sequence, plan *planner.Plan) []queue {
	if len(seq.Streams) <= 1 {
		return nil
	}
	out := make([]queue, len(plan.Steps))
	for i, s := range plan.Steps {
		out[i].stream, out[i].waits, out[i].hostWait = s.Stream, s.After, plan.Layout.Steps[i].Wait
		for _, a := range s.After {
			out[a].event = true
		}
	}
	return out
}

// several reports whether the steps are on several streams.
func (m *model) several() bool { return m.queues != nil }

// waits are the waits of all steps, one behind the other.
func (m *model) waits() []sequences.StepID {
	var out []sequences.StepID
	for _, q := range m.queues {
		out = append(out, q.waits...)
	}
	return out
}

// streams are the streams, each at its first step. With one stream there are none.
func (m *model) streams() []object {
	if !m.several() {
		return nil
	}
	out := make([]object, len(m.seq.Streams))
	for i, name := range m.seq.Streams {
		out[i] = object{"stream", name, sequences.Pos{File: m.seq.File}}
		first := slices.IndexFunc(m.seq.Steps, func(s sequences.Step) bool { return !s.Host && int(s.Stream) == i })
		if first >= 0 {
			out[i].pos = m.seq.Steps[first].Pos
		}
	}
	return out
}

// checkStreams makes sure that the plan queues each step on a stream that the sequence
// has, behind earlier steps.
func checkStreams(seq *sequences.Sequence, plan *planner.Plan) error {
	if len(seq.Streams) <= 1 {
		return nil
	}
	if !slices.Equal(plan.Streams, seq.Streams) || len(plan.Steps) != len(seq.Steps) {
		return fmt.Errorf("%w: it has other streams", ErrMismatch)
	}
	for i := range seq.Steps {
		s, p := &seq.Steps[i], &plan.Steps[i]
		ok := p.Name == s.Name && p.Stream == int(s.Stream) && p.Stream >= 0 && p.Stream < len(seq.Streams)
		for _, a := range p.After {
			ok = ok && a >= 0 && int(a) < i
		}
		if !ok {
			return fmt.Errorf("%w: at the stream of step %s", ErrMismatch, s.Name)
		}
	}
	return nil
}
