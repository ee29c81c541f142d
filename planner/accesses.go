package planner

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// accesses knows the steps at which the content of a buffer is in use: every Use of
// it, and not only the last one of each kind. That an input is filled counts as
// sequences.None, before every step, the end of the batch as the number of steps.
type accesses struct {
	seq      *sequences.Sequence
	flights  []sequences.StepID     // see liveness.flights
	readers  [][]sequences.StepID   // by buffer
	holders  [][]sequences.BufferID // by buffer: those that hold pointers into it
	barriers [][]sequences.StepID   // by group
	counts   [][]sequences.CountID  // by buffer: the counts in it
	loads    [][]sequences.StepID   // by count: where the device loads it
}

func findAccesses(seq *sequences.Sequence, classes []classified, flights []sequences.StepID) *accesses {
	a := &accesses{
		seq: seq, flights: flights,
		readers: make([][]sequences.StepID, len(seq.Buffers)), holders: make([][]sequences.BufferID, len(seq.Buffers)),
		barriers: make([][]sequences.StepID, len(seq.Groups)),
		counts:   make([][]sequences.CountID, len(seq.Buffers)), loads: make([][]sequences.StepID, len(seq.Counts)),
	}
	for s, step := range seq.Steps {
		for _, b := range step.Reads {
			a.readers[b] = append(a.readers[b], sequences.StepID(s))
		}
		for _, g := range step.Barriers {
			a.barriers[g] = append(a.barriers[g], sequences.StepID(s))
		}
	}
	for b, buffer := range seq.Buffers {
		for _, v := range buffer.Views {
			a.holders[v] = append(a.holders[v], sequences.BufferID(b))
		}
		for _, c := range classes[b].drivenBy {
			a.loads[c] = append(a.loads[c], buffer.Step)
		}
	}
	for c, count := range seq.Counts {
		a.counts[count.At] = append(a.counts[count.At], sequences.CountID(c))
		slices.Sort(a.loads[c])
		a.loads[c] = slices.Compact(a.loads[c])
	}
	return a
}

// own lists the accesses of a buffer but for those through pointers into it.
func (a *accesses) own(b sequences.BufferID, barriers, loads [][]sequences.StepID) []sequences.StepID {
	buffer := &a.seq.Buffers[b]
	out := append([]sequences.StepID{buffer.Step}, a.readers[b]...)
	for _, g := range buffer.Groups {
		for _, s := range barriers[g] {
			if s >= buffer.Step { // an earlier one has nothing to keep
				out = append(out, s)
			}
		}
	}
	for _, c := range a.counts[b] {
		out = append(out, loads[c]...)
	}
	if buffer.Output || a.always(b) {
		out = append(out, a.end())
	}
	return out
}

// always reports whether a static buffer has its bytes in the whole batch.
func (a *accesses) always(b sequences.BufferID) bool {
	buffer := &a.seq.Buffers[b]
	return buffer.Keep || a.seq.Scope(buffer.Scope).Reuse == sequences.ReuseOff
}

func (a *accesses) end() sequences.StepID { return sequences.StepID(len(a.seq.Steps)) }

// all lists the accesses of a buffer, ascending.
func (a *accesses) all(b sequences.BufferID) []sequences.StepID {
	met := map[sequences.BufferID]bool{b: true}
	var out []sequences.StepID
	for queue := []sequences.BufferID{b}; len(queue) > 0; {
		next := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		out = append(out, a.own(next, a.barriers, a.loads)...)
		for _, h := range a.holders[next] {
			if !met[h] {
				met[h] = true
				queue = append(queue, h)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inFlight adds to some accesses of a buffer the host steps until which the device
// may still be at them.
func (a *accesses) inFlight(b sequences.BufferID, steps []sequences.StepID) []sequences.StepID {
	if a.flights == nil || a.seq.Buffers[b].Scope != sequences.Host {
		return steps
	}
	for _, s := range slices.Clone(steps) {
		if s >= 0 && s < a.end() && !a.seq.Steps[s].Host && a.flights[s] > 0 {
			steps = append(steps, a.flights[s])
		}
	}
	return steps
}
