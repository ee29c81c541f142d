package planner

import (
	"slices"
	"strings"

	"github.com/seqplan/seqplan/sequences"
)

// The reasons of a Wait.
const (
	reasonDevice  = "reads device memory"
	reasonWritten = "reads what the device wrote"
	reasonSlot    = "uses a dynamic buffer, which the device sizes"
	reasonInPlace = "overwrites in place what the device used"
)

// moment orders what happens in one batch: each step first runs its device
// program, then the host waits if it has to, then the step itself runs. The
// inputs are filled at moment 0.
type moment int

const (
	never  moment = -1
	filled moment = 0
)

func programAt(s sequences.StepID) moment { return 3*moment(s) + 1 }
func waitAt(s sequences.StepID) moment    { return 3*moment(s) + 2 }
func bodyAt(s sequences.StepID) moment    { return 3*moment(s) + 3 }

// findWaits lists the steps before which the host has to wait for the device,
// besides the end of the batch. Only a host step waits, for one of these:
//
//   - it reads device memory;
//   - it reads host memory that a device step wrote;
//   - it uses or writes a dynamic buffer, whose slot the device fills;
//   - it takes over host memory in place that the device has used.
//
// Nothing waits for what an earlier wait covered, so host steps in a row with no
// device work between them have one wait, before the first of them.
func findWaits(seq *sequences.Sequence, classes []classified) []Wait {
	if !slices.ContainsFunc(seq.Steps, func(s sequences.Step) bool { return s.Host }) {
		return nil
	}
	w := &waiter{
		seq: seq, classes: classes, closure: newClosure(seq),
		covered: never, work: filled,
		access: make([]moment, len(seq.Buffers)),
	}
	for b := range w.access {
		w.access[b] = never
	}
	for s := range seq.Steps {
		w.step(sequences.StepID(s))
	}
	return w.waits
}

type waiter struct {
	seq     *sequences.Sequence
	classes []classified
	closure *closure
	covered moment   // the last wait: all device work before it is done
	work    moment   // the last device work so far
	access  []moment // by buffer: when a device step last used it
	waits   []Wait
}

func (w *waiter) step(id sequences.StepID) {
	step := &w.seq.Steps[id]
	declared := slices.Concat(step.Writes, step.Scratch)
	dynamic := func(b sequences.BufferID) bool { return w.classes[b].class == Dynamic }
	if slices.ContainsFunc(declared, dynamic) {
		w.work = programAt(id)
	}
	if !step.Host {
		w.work = bodyAt(id)
		for _, b := range w.closure.of(step.Reads, declared) {
			w.access[b] = w.work
		}
		return
	}
	var needs need
	for _, b := range w.closure.of(step.Reads) {
		w.read(&needs, b, slices.Contains(step.Reads, b))
	}
	for _, b := range declared {
		base := w.seq.Buffers[b].InPlaceOf
		switch {
		case dynamic(b):
			needs.add(reasonSlot, b)
		case base != sequences.None && w.seq.Buffers[b].Scope == sequences.Host && w.access[base] > w.covered:
			needs.add(reasonInPlace, base)
		}
	}
	if len(needs.buffers) > 0 {
		w.waits = append(w.waits, needs.wait(w.seq, id))
		w.covered = waitAt(id)
	}
	for _, b := range declared {
		if w.seq.Buffers[b].Scope == sequences.Device {
			w.work = bodyAt(id) // a copy to the device
		}
	}
}

// read adds what the host has to wait for before it reads b, directly or
// through a pointer. It never follows a pointer into device memory.
func (w *waiter) read(needs *need, b sequences.BufferID, direct bool) {
	buffer := &w.seq.Buffers[b]
	byDevice := buffer.Step != sequences.None && !w.seq.Steps[buffer.Step].Host
	switch {
	case w.classes[b].class == Dynamic && programAt(buffer.Step) > w.covered:
		needs.add(reasonSlot, b)
	case buffer.Scope == sequences.Device && direct && w.work > w.covered:
		needs.add(reasonDevice, b)
	case buffer.Scope == sequences.Host && byDevice && bodyAt(buffer.Step) > w.covered:
		needs.add(reasonWritten, b)
	}
}

// need collects why one step has to wait.
type need struct {
	reasons []string
	buffers []sequences.BufferID
}

func (n *need) add(reason string, b sequences.BufferID) {
	if !slices.Contains(n.reasons, reason) {
		n.reasons = append(n.reasons, reason)
	}
	n.buffers = append(n.buffers, b)
}

func (n *need) wait(seq *sequences.Sequence, step sequences.StepID) Wait {
	slices.Sort(n.buffers)
	return Wait{
		Step:    step,
		Reason:  strings.Join(n.reasons, "; "),
		Buffers: bufferNames(seq, slices.Compact(n.buffers)),
	}
}
