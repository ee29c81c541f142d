package verify

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// life is the half-open interval of steps in which the bytes of a buffer may be
// in use.
type life struct{ first, end int }

// lifetimes walks the sequence backwards. The first time that a buffer is met is
// its last use, and the last use of all it points into that has not been met
// yet; so nothing is looked at twice.
func lifetimes(seq *sequences.Sequence, dynamic []bool, steps []abi.StepInfo) []life {
	lives := make([]life, len(seq.Buffers))
	w := newWalk(seq)
	w.meeting = func(b sequences.BufferID, s int) { lives[b].end = s + 1 }
	n := len(seq.Steps)
	always := func(b *sequences.Buffer) bool { return b.Keep || seq.Scope(b.Scope).Reuse == sequences.ReuseOff }
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.Output || always(b) {
			w.meet(sequences.BufferID(i), n)
		}
	}
	for s := n - 1; s >= 0; s-- {
		w.step(s, dynamic)
	}
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		w.meet(sequences.BufferID(i), 0) // an input that nothing reads
		l := &lives[i]
		l.first = max(0, int(b.Step))
		l.end = min(n, max(l.end, l.first+1))
		if always(b) && !dynamic[i] {
			l.first = 0
		}
	}
	for i, end := range flights(seq, steps) {
		lives[i].end = max(lives[i].end, end)
	}
	return lives
}

// walk goes through steps and calls meeting the first time that a step uses a buffer.
type walk struct {
	seq     *sequences.Sequence
	meeting func(b sequences.BufferID, s int)
	round   int
	met     []int // the round in which the buffer was met
	sized   []int // the round in which its size was
}

func newWalk(seq *sequences.Sequence) *walk {
	return &walk{seq: seq, round: 1, met: make([]int, len(seq.Buffers)), sized: make([]int, len(seq.Buffers))}
}

// restart forgets what was met.
func (w *walk) restart() { w.round++ }

func (w *walk) step(s int, dynamic []bool) {
	step := &w.seq.Steps[s]
	for _, b := range used(w.seq, step) {
		if int(w.seq.Buffers[b].Step) <= s {
			w.meet(b, s)
		}
	}
	for _, list := range [][]sequences.BufferID{step.Writes, step.Scratch} {
		for _, b := range list {
			if dynamic[b] {
				w.size(b, s)
			}
		}
	}
}

// used returns the buffers that a step names.
func used(seq *sequences.Sequence, step *sequences.Step) []sequences.BufferID {
	var out []sequences.BufferID
	out = append(out, step.Reads...)
	out = append(out, step.Writes...)
	out = append(out, step.Scratch...)
	for _, g := range step.Barriers {
		out = append(out, seq.Groups[g].Members...)
	}
	return out
}

func (w *walk) meet(b sequences.BufferID, s int) {
	if w.met[b] == w.round {
		return
	}
	w.met[b] = w.round
	w.meeting(b, s)
	for _, v := range w.seq.Buffers[b].Views {
		w.meet(v, s)
	}
}

// size meets the memory of every count that the size of b depends on.
func (w *walk) size(b sequences.BufferID, s int) {
	if w.sized[b] == w.round {
		return
	}
	w.sized[b] = w.round
	count := w.seq.Buffers[b].Count
	for _, c := range expr.Refs(count, expr.Count) {
		w.meet(w.seq.Counts[c].At, s)
	}
	for _, other := range expr.Refs(count, expr.CountOf) {
		w.size(sequences.BufferID(other), s)
	}
}

// flights returns, for each buffer, the end of the time in which the device may
// still use it although the host has gone on: the host writes host memory up to
// the next wait, while a device step before may not have run. Zero where that
// does not happen.
func flights(seq *sequences.Sequence, steps []abi.StepInfo) []int {
	ends := make([]int, len(seq.Buffers))
	seen := make([]int, len(seq.Buffers)) // the stretch between two waits in which a buffer was met
	stretch, end := 1, 0
	var meet func(b sequences.BufferID)
	meet = func(b sequences.BufferID) {
		if seen[b] == stretch {
			return
		}
		seen[b] = stretch
		if seq.Buffers[b].Scope == sequences.Host {
			ends[b] = max(ends[b], end)
		}
		for _, v := range seq.Buffers[b].Views {
			meet(v)
		}
	}
	for s := len(seq.Steps) - 1; s >= 0; s-- {
		step := &seq.Steps[s]
		switch {
		case !step.Host && end > 0:
			for _, b := range used(seq, step) {
				if int(seq.Buffers[b].Step) <= s {
					meet(b)
				}
			}
		case step.Host && end == 0 && writesHost(seq, step):
			end = s + 1
		}
		if steps[s].Wait {
			stretch, end = stretch+1, 0
		}
	}
	return ends
}

func writesHost(seq *sequences.Sequence, step *sequences.Step) bool {
	for _, b := range append(append([]sequences.BufferID{}, step.Writes...), step.Scratch...) {
		if seq.Buffers[b].Scope == sequences.Host {
			return true
		}
	}
	return false
}
