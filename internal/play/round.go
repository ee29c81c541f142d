package play

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// round is one pass over the sequence with some events of a batch.
type round struct {
	*player
	at      *planner.Point
	batch   *dynpool.Batch
	cells   map[sequences.BufferID][]cell
	holds   []written                   // by BufferID
	pending []check                     // by index of the report
	placed  map[sequences.BufferID]bool // dynamic host buffers that were filled
	step    sequences.StepID
	host    bool     // the step runs on the host
	flights []flight // since the last wait
}

// cell is where a count lies in its buffer.
type cell struct {
	at    uint64 // bytes
	width uint64 // bytes
	value uint64
}

// round plays the events [first, first+count) of the batch.
func (p *player) round(first, count uint64) error {
	p.serial++
	r := &round{player: p, holds: make([]written, len(p.seq.Buffers)), placed: make(map[sequences.BufferID]bool)}
	if err := r.begin(first, count); err != nil {
		return err
	}
	// Whatever happens, the batch must end, and its end says most of a failure.
	err := r.steps()
	if e := r.collect(); err == nil {
		err = e
	}
	status, endErr := r.batch.End()
	p.result.HighWater = max(p.result.HighWater, status.High)
	var stopped *dynpool.ExhaustedError
	if endErr != nil && (err == nil || errors.As(endErr, &stopped)) {
		err = endErr
	}
	if err == nil || errors.As(err, &stopped) {
		r.report()
	}
	if err != nil {
		return err
	}
	r.hostSlots()
	return nil
}

func (r *round) begin(first, count uint64) error {
	params := make([]uint64, len(r.seq.Params))
	var launch []uint64
	for i, q := range r.seq.Params {
		params[i] = q.Max
		if q.ID == r.seq.Batch {
			params[i] = count
		}
		if !q.Fixed() {
			launch = append(launch, params[i])
		}
	}
	var err error
	if r.at, err = planner.At(r.seq, params); err != nil {
		return err
	}
	if err := r.drawCells(first, count); err != nil {
		return err
	}
	if r.batch, err = r.pool.Begin(r.stream, launch...); err != nil {
		return err
	}
	return nil
}

// drawCells draws the counts and finds the cells they lie in. Two counts in one
// cell are one number.
func (r *round) drawCells(first, count uint64) error {
	values, err := r.draw.counts(r.at, r.event+first, count)
	if err != nil {
		return err
	}
	r.cells = make(map[sequences.BufferID][]cell)
	for i := range r.seq.Counts {
		c := &r.seq.Counts[i]
		index, err := r.at.Eval(c.Index)
		if err != nil {
			return err
		}
		width := uint64(r.seq.Types[r.seq.Buffers[c.At].Type].Size)
		n := cell{index * width, width, values[i]}
		if !slices.ContainsFunc(r.cells[c.At], func(o cell) bool { return o.at == n.at }) {
			r.cells[c.At] = append(r.cells[c.At], n)
		}
	}
	for _, cells := range r.cells {
		slices.SortFunc(cells, func(a, b cell) int { return cmp.Compare(a.at, b.at) })
	}
	return nil
}

// steps enqueues the whole sequence.
func (r *round) steps() error {
	if err := r.stream.Memset(r.reports, 0, uint64(len(r.landed.Bytes()))); err != nil {
		return err
	}
	if err := r.inputs(); err != nil {
		return err
	}
	for s := range r.seq.Steps {
		if err := r.batch.Step(abi.StepID(s)); err != nil {
			return err
		}
		if r.plan.Layout.Steps[s].Wait {
			r.flights = r.flights[:0]
		}
		r.step, r.host = sequences.StepID(s), r.seq.Steps[s].Host
		if err := r.play(&r.scripts[s]); err != nil {
			return fmt.Errorf("step %s: %w", r.seq.Steps[s].Name, err)
		}
	}
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
			if err := r.compare(check{b, 0, planner.UseKeep, "the batch before"}); err != nil {
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
	return nil
}

// collect brings the reports back with the end of the batch.
func (r *round) collect() error {
	n := len(r.pending) * kernels.CheckReportSize
	return r.stream.CopyToHost(r.landed.Bytes()[:n], r.reports)
}

// report notes what the device found.
func (r *round) report() {
	for i, c := range r.pending {
		r.note(c, kernels.ReadCheckReport(r.landed.Bytes()[i*kernels.CheckReportSize:]))
	}
}
