package planner

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// life is the lifetime of one buffer and the uses that make it.
type life struct {
	interval Interval
	own      sequences.StepID // the end without the buffers that take over its storage
	uses     []Use            // sorted by step; of repeated ones for the same reason the last
}

// findLifetimes computes from where to where every buffer is alive: the
// half-open interval [first write, last use + 1) of steps. Inputs are written at
// step 0; what lives to the end of the batch ends at the number of steps.
func findLifetimes(seq *sequences.Sequence, classes []classified, waits []Wait) []life {
	l := &liveness{
		seq:   seq,
		end:   sequences.StepID(len(seq.Steps)),
		first: make([]sequences.StepID, len(seq.Buffers)),
		last:  make([]sequences.StepID, len(seq.Buffers)),
		uses:  make([][]Use, len(seq.Buffers)),
	}
	for b, buffer := range seq.Buffers {
		l.first[b] = max(0, buffer.Step)
		l.use(sequences.BufferID(b), l.first[b], UseWrite, "")
	}
	l.steps()
	l.counts(classes)
	l.wholeBatch(classes)
	l.viewed()
	l.own = slices.Clone(l.last)
	l.tookOver()
	l.inFlight(waits)
	out := make([]life, len(seq.Buffers))
	for b := range out {
		slices.SortStableFunc(l.uses[b], func(u, v Use) int { return cmp.Compare(u.Step, v.Step) })
		out[b] = life{Interval{l.first[b], min(l.last[b]+1, l.end)}, min(l.own[b]+1, l.end), l.uses[b]}
	}
	return out
}

type liveness struct {
	seq         *sequences.Sequence
	end         sequences.StepID // the number of steps
	first, last []sequences.StepID
	own         []sequences.StepID // last, before the storage is taken over
	uses        [][]Use
}

func (l *liveness) use(b sequences.BufferID, s sequences.StepID, why UseKind, of string) {
	l.last[b] = max(l.last[b], s)
	l.uses[b] = append(l.uses[b], Use{Step: s, Why: why, Of: of})
}

// steps adds what the steps read, and their barriers. Of several barriers on one
// group only the last one matters to a member.
func (l *liveness) steps() {
	barrier := make([]sequences.StepID, len(l.seq.Groups))
	for s, step := range l.seq.Steps {
		for _, b := range step.Reads {
			l.use(b, sequences.StepID(s), UseRead, "")
		}
		for _, g := range step.Barriers {
			barrier[g] = sequences.StepID(s) + 1 // 0 = none
		}
	}
	for g, group := range l.seq.Groups {
		for _, b := range group.Members {
			if at := barrier[g] - 1; at >= l.first[b] {
				l.use(b, at, UseBarrier, group.Name)
			}
		}
	}
}

// counts keeps the memory of a count until the last device program that reads
// it: that of the last step with a buffer that the count drives.
func (l *liveness) counts(classes []classified) {
	needed := make([]sequences.StepID, len(l.seq.Counts))
	for b, c := range classes {
		for _, id := range c.drivenBy {
			needed[id] = max(needed[id], l.seq.Buffers[b].Step+1) // 0 = never
		}
	}
	for id, count := range l.seq.Counts {
		if at := needed[id] - 1; at >= 0 {
			l.use(count.At, at, UseCount, count.Name)
		}
	}
}

// wholeBatch adds the reasons to live to the end. What is persistent, or static
// in a scope without reuse, also lives from the start; a dynamic buffer has no
// memory before its step.
func (l *liveness) wholeBatch(classes []classified) {
	for i := range l.seq.Buffers {
		b := sequences.BufferID(i)
		buffer := &l.seq.Buffers[b]
		if buffer.Output {
			l.use(b, l.end, UseOutput, "")
		}
		var why UseKind
		switch {
		case buffer.Keep:
			why = UseKeep
		case l.seq.Scope(buffer.Scope).Reuse == sequences.ReuseOff:
			why = UseNoReuse
		default:
			continue
		}
		l.use(b, l.end, why, "")
		if classes[b].class == Static {
			l.first[b] = 0
		}
	}
}

// viewed extends the life of what a buffer holds pointers into to its own. The
// last uses spread from the latest to the earliest, so each buffer is reached
// once, with its final value.
func (l *liveness) viewed() {
	order := make([]sequences.BufferID, len(l.seq.Buffers))
	for b := range order {
		order[b] = sequences.BufferID(b)
	}
	slices.SortStableFunc(order, func(a, b sequences.BufferID) int { return cmp.Compare(l.last[b], l.last[a]) })
	done := make([]bool, len(order))
	for _, source := range order {
		if done[source] {
			continue
		}
		done[source] = true
		last := l.last[source]
		for queue := []sequences.BufferID{source}; len(queue) > 0; {
			b := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			l.last[b] = last
			for _, v := range l.seq.Buffers[b].Views {
				if !done[v] {
					done[v] = true
					queue = append(queue, v)
				}
			}
		}
	}
	for b, buffer := range l.seq.Buffers {
		for _, v := range buffer.Views {
			l.use(v, l.last[b], UseView, buffer.Name)
		}
	}
}

// tookOver extends the life of a buffer whose storage another one takes over, so
// that it covers the storage. A base comes before its taker in file order.
func (l *liveness) tookOver() {
	for b, buffer := range slices.Backward(l.seq.Buffers) {
		if buffer.InPlaceOf != sequences.None {
			l.use(buffer.InPlaceOf, l.last[b], UseInPlace, buffer.Name)
		}
	}
}
