package planner

import (
	"github.com/seqplan/seqplan/sequences"
)

// inFlight keeps host memory that a device step uses from being reused by the
// host too early. The host runs ahead of the device: when it reaches a host step
// that writes to host memory, the device may not have run the steps before it,
// unless the host has waited. So a host buffer that the device uses at a step d
// lives at least through the last host step that writes host memory after d and
// before the next wait, which is for all streams. Memory that only device steps reuse
// needs none of this: the streams and the waits between them order them.
func (l *liveness) inFlight(waits []Wait) {
	flights := findFlights(l.seq, waits)
	if flights == nil {
		return
	}
	used := make([]sequences.StepID, len(l.seq.Buffers)) // last device step + 1 that uses a buffer
	closure := newClosure(l.seq)
	for s, step := range l.seq.Steps {
		if step.Host {
			continue
		}
		for _, b := range closure.of(step.Reads, step.Writes, step.Scratch, l.members(step.Barriers)) {
			used[b] = sequences.StepID(s) + 1
		}
	}
	for i := range l.seq.Buffers {
		b := sequences.BufferID(i)
		if l.seq.Buffers[b].Scope != sequences.Host || used[b] == 0 {
			continue
		}
		to := flights[used[b]-1]
		l.own[b] = max(l.own[b], to)
		if to > l.last[b] {
			l.use(b, to, UseInFlight, l.seq.Steps[to].Name)
		}
	}
}

// findFlights returns for each step the last later host step that writes host memory
// before the next wait, or 0 where there is none; nil if there is none at all.
func findFlights(seq *sequences.Sequence, waits []Wait) []sequences.StepID {
	wait := make([]bool, len(seq.Steps))
	for _, w := range waits {
		wait[w.Step] = true
	}
	out := make([]sequences.StepID, len(seq.Steps))
	var to sequences.StepID
	found := false
	for s := len(seq.Steps) - 1; s >= 0; s-- {
		out[s] = to
		switch {
		case wait[s]:
			to = 0
		case to == 0 && writesHost(seq, &seq.Steps[s]):
			to, found = sequences.StepID(s), true
		}
	}
	if !found {
		return nil
	}
	return out
}

// writesHost reports whether a host step writes host memory itself.
func writesHost(seq *sequences.Sequence, step *sequences.Step) bool {
	if !step.Host {
		return false
	}
	for _, list := range [][]sequences.BufferID{step.Writes, step.Scratch} {
		for _, b := range list {
			if seq.Buffers[b].Scope == sequences.Host {
				return true
			}
		}
	}
	return false
}

// members returns the buffers of some groups.
func (l *liveness) members(groups []sequences.GroupID) []sequences.BufferID {
	var out []sequences.BufferID
	for _, g := range groups {
		out = append(out, l.seq.Groups[g].Members...)
	}
	return out
}
