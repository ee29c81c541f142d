package bench

import (
	"fmt"
	"math"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Work says what the kernels of a step do to the device buffers that it writes. In
// any case they store the counts in them.
type Work uint8

// The kinds of work.
const (
	None  Work = iota // nothing else: the time is that of placing alone
	Touch             // one byte of each buffer
	Full              // all bytes of each buffer
)

var workNames = [...]string{None: "none", Touch: "touch", Full: "full"}

// String returns the word for the work.
func (w Work) String() string {
	if int(w) < len(workNames) {
		return workNames[w]
	}
	return "unknown"
}

// describe says what the kernels do.
func (w Work) describe() string {
	return [...]string{
		None:  "the kernels store the counts and nothing else",
		Touch: "the kernels store the counts, and a byte in each device buffer",
		Full:  "the kernels fill each device buffer, and store the counts",
	}[w]
}

// MarshalText writes the word for the work.
func (w Work) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the word for a work.
func (w *Work) UnmarshalText(text []byte) error {
	for i, name := range workNames {
		if name == string(text) {
			*w = Work(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no work: want none, touch or full", text)
}

// launch is one kernel of a step.
type launch struct {
	kernel kernels.Kernel
	grid   kernels.Grid
	args   kernels.Args
}

// batch is what one batch does, in both ways.
type batch struct {
	params []uint64   // the launch-time parameters
	inputs []launch   // before step 0
	steps  [][]launch // by StepID
}

// workload makes batches.
type workload struct {
	seq         *sequences.Sequence
	plan        *planner.Plan
	work        Work
	draw        play.Drawer
	base        kernels.Addr // of the device pool
	fill, store kernels.Kernel
}

var oneThread = kernels.Grid{Blocks: 1, Threads: 1}

// batch draws the counts of a batch and lists its kernels.
func (w *workload) batch(first, events uint64) (*batch, error) {
	at, params, err := play.At(w.seq, events)
	if err != nil {
		return nil, err
	}
	cells, err := w.draw.Cells(at, first, events)
	if err != nil {
		return nil, err
	}
	b := &batch{params: params, steps: make([][]launch, len(w.seq.Steps))}
	for i := range w.seq.Buffers {
		buffer := &w.seq.Buffers[i]
		if buffer.Scope != sequences.Device {
			continue
		}
		to := &b.inputs
		if buffer.Step != sequences.None {
			to = &b.steps[buffer.Step]
		}
		launches, err := w.buffer(at, buffer.ID)
		if err != nil {
			return nil, err
		}
		*to = append(*to, launches...)
		for _, c := range cells[buffer.ID] {
			*to = append(*to, w.storing(buffer.ID, c.At, c.Width, c.Value))
		}
	}
	return b, nil
}

// buffer lists the work in one buffer.
func (w *workload) buffer(at *planner.Point, b sequences.BufferID) ([]launch, error) {
	plan := &w.plan.Buffers[b]
	size, about := uint64(math.MaxUint64), uint64(plan.Max)
	if plan.Class == planner.Static {
		var err error
		if size, err = at.Bytes(b); err != nil {
			return nil, err
		}
		about = size
	} else if plan.Typical != nil {
		about = uint64(*plan.Typical)
	}
	switch {
	case w.work == Full:
		args := kernels.Args{uint64(w.base), w.plan.Layout.SlotsOffset, uint64(w.place(b)), 0, size, uint64(b)}
		return []launch{{w.fill, play.Grid(about), args}}, nil
	case w.work == Touch && size > 0: // the kernel looks at the size of a dynamic one
		return []launch{w.storing(b, 0, 1, uint64(b))}, nil
	}
	return nil, nil
}

// storing stores an integer in a buffer.
func (w *workload) storing(b sequences.BufferID, at, width, value uint64) launch {
	args := kernels.Args{uint64(w.base), w.plan.Layout.SlotsOffset, uint64(w.place(b)), at, width, value}
	return launch{w.store, oneThread, args}
}

func (w *workload) place(b sequences.BufferID) kernels.Place {
	plan := &w.plan.Buffers[b]
	if plan.Class == planner.Static {
		return kernels.StaticPlace(uint64(plan.Offset))
	}
	return kernels.SlotPlace(uint64(plan.Slot))
}

// enqueue launches kernels.
func enqueue(stream kernels.Stream, launches []launch) error {
	for i := range launches {
		l := &launches[i]
		if err := stream.Launch(l.kernel, l.grid, l.args); err != nil {
			return err
		}
	}
	return nil
}
