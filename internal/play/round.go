package play

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// round is one pass over the sequence with some events.
type round struct {
	*player
	events  uint64
	at      *planner.Point
	cells   map[sequences.BufferID][]Cell
	seed    uint64                      // of the patterns
	holds   []written                   // by BufferID
	pending []launched                  // by index of the report
	placed  map[sequences.BufferID]bool // dynamic host buffers that were filled
	step    sequences.StepID
	host    bool     // the step runs on the host
	flights []flight // since the last wait
}

// round plays the events [first, first+count), counted from the start of the run.
func (p *player) round(first, count uint64) error {
	if again := (struct{ first, count uint64 }{first, count}); again == p.last {
		p.try++
	} else {
		p.last, p.try = again, 0
	}
	p.batch = int(first / p.opts.Events)
	r := &round{
		player: p, events: count, holds: make([]written, len(p.seq.Buffers)), placed: make(map[sequences.BufferID]bool),
		// No two rounds of a run have the same, whoever plays them.
		seed: splitmix.Hash(p.opts.Seed, first, count, p.try),
	}
	if err := r.begin(first, count); err != nil {
		return err
	}
	// Whatever happens, the batch must end, and its end says most of a failure.
	err := r.steps()
	if e := r.stream.join(); err == nil {
		err = e
	}
	if err == nil {
		err = r.last()
	}
	if e := r.collect(); err == nil {
		err = e
	}
	endErr := r.memory.end()
	var stopped *dynpool.ExhaustedError
	if endErr != nil && (err == nil || errors.As(endErr, &stopped)) {
		err = endErr
	}
	if e := r.stream.settle(); e != nil {
		err = e // what the other streams have not done, the checks do not know
	}
	if err == nil || errors.As(err, &stopped) {
		r.report(err == nil)
	}
	if err != nil {
		return err
	}
	r.hostSlots()
	return nil
}

func (r *round) begin(first, count uint64) error {
	at, launch, err := At(r.seq, count)
	if err != nil {
		return err
	}
	r.at = at
	r.stream.to(0)
	r.behind.reset()
	if r.cells, err = r.draw.Cells(at, first, count); err != nil {
		return err
	}
	return r.memory.begin(count, at, launch)
}

// steps enqueues all steps.
func (r *round) steps() error {
	if err := r.stream.Memset(r.reports, 0, uint64(len(r.landed.Bytes()))); err != nil {
		return err
	}
	if err := r.inputs(); err != nil {
		return err
	}
	if err := r.stream.fork(); err != nil {
		return err
	}
	for s := range r.seq.Steps {
		r.step, r.host = sequences.StepID(s), r.seq.Steps[s].Host
		if err := r.enter(); err != nil {
			return err
		}
		if err := r.memory.step(abi.StepID(s)); err != nil {
			return err
		}
		if r.plan.Layout.Steps[s].Wait {
			r.flights = r.flights[:0]
		}
		err := r.play(&r.scripts[s])
		if err == nil {
			err = r.leave()
		}
		if err != nil {
			return fmt.Errorf("step %s: %w", r.seq.Steps[s].Name, err)
		}
	}
	return nil
}

// enter goes to the stream of a step, behind all that the step comes after. A wait of
// the host is for all streams.
func (r *round) enter() error {
	if r.plan.Layout.Steps[r.step].Wait || r.scripts[r.step].looks {
		if err := r.stream.join(); err != nil {
			return err
		}
	}
	r.stream.to(r.plan.Steps[r.step].Stream)
	for _, a := range r.edges.before[r.step] {
		if err := r.behind.wait(a, r.stream.Stream, r.edges.until[a] == r.step); err != nil {
			return err
		}
	}
	return nil
}

// leave lets others go on that come after a step.
func (r *round) leave() error {
	if r.edges.until[r.step] != sequences.None {
		if err := r.behind.record(r.step, r.stream.Stream); err != nil {
			return err
		}
	}
	if r.scripts[r.step].looks {
		return r.stream.fork()
	}
	return nil
}

// last enqueues what comes behind all steps.
func (r *round) last() error {
	r.host = false
	return r.play(&r.scripts[len(r.seq.Steps)])
}

// inputs checks what the persistent buffers still hold, and fills the inputs.
// The host does that, before step 0. The order of the buffers makes the order of
// the reports deterministic.
func (r *round) inputs() error {
	r.host = true
	for i := range r.seq.Buffers {
		b := sequences.BufferID(i)
		if old, ok := r.kept[b]; ok {
			r.holds[b] = old
			if err := r.compare(check{buffer: b, why: planner.UseKeep, of: "the batch before"}); err != nil {
				return err
			}
		}
	}
	for i := range r.seq.Buffers {
		if r.seq.Buffers[i].Kind == sequences.Input {
			if err := r.write(sequences.BufferID(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *round) play(s *script) error {
	for _, e := range s.ends {
		if err := r.regain(e); err != nil {
			return err
		}
	}
	for _, c := range s.before {
		if err := r.compare(c); err != nil {
			return err
		}
	}
	for _, b := range s.fill {
		if err := r.write(b); err != nil {
			return err
		}
	}
	for _, c := range s.after {
		if err := r.compare(c); err != nil {
			return err
		}
	}
	for _, k := range s.shrinks {
		if err := r.shrink(k); err != nil {
			return err
		}
	}
	return nil
}

// collect brings the reports back with the end of the batch.
func (r *round) collect() error {
	n := len(r.pending) * kernels.CheckReportSize
	if n == 0 {
		return nil
	}
	return r.stream.CopyToHost(r.landed.Bytes()[:n], r.reports)
}

// launched is a check that the device makes.
type launched struct {
	check
	gone bool // the host knows that there are bytes that it does not find
}

// report notes what the device found. Only in a batch that has failed may a buffer
// not be placed.
func (r *round) report(complete bool) {
	for i, c := range r.pending {
		found := kernels.ReadCheckReport(r.landed.Bytes()[i*kernels.CheckReportSize:])
		if c.gone {
			found.Unplaced++
		}
		if !complete {
			found.Unplaced = 0
		}
		r.note(c.check, found)
	}
}
