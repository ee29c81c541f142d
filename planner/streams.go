package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// checkDynamicOrder checks that the steps that allocate are in order: the device
// program places the dynamic buffers in the order of the file.
func checkDynamicOrder(seq *sequences.Sequence, classes []classified) sequences.Diagnostics {
	if len(seq.Streams) <= 1 {
		return nil
	}
	var diags sequences.Diagnostics
	order := sequences.NewHappensBefore(seq)
	last := sequences.StepID(sequences.None) // that allocates
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if classes[i].class == Static || b.Step == sequences.None || b.Step == last {
			continue
		}
		if last != sequences.None && !order.Before(last, b.Step) {
			before, step := &seq.Steps[last], &seq.Steps[b.Step]
			hint := fmt.Sprintf("write \"after: [%s]\" in step %q", before.Name, step.Name)
			if len(step.After) > 0 {
				hint = fmt.Sprintf("add %q to the \"after\" of step %q", before.Name, step.Name)
			}
			diags = append(diags, sequences.Diagnostic{
				Pos: step.Pos, Code: CodeDynamicOrder, Severity: diag.Error, Hint: hint,
				Message: fmt.Sprintf("the device places %q of step %q behind the dynamic buffers of step %q, but the steps, on the streams %q and %q, are not in order",
					b.Name, step.Name, before.Name, seq.Streams[step.Stream], seq.Streams[before.Stream]),
			})
		}
		last = b.Step
	}
	return diags
}

func edgesOf(added []AddedEdge) []sequences.Edge {
	var out []sequences.Edge
	for _, e := range added {
		out = append(out, sequences.Edge{From: e.From, To: e.To})
	}
	return out
}

// findAfter finds for each step the fewest waits for steps of other streams that keep
// the order of the sequence and of the added edges, as Step.After describes them.
func findAfter(seq *sequences.Sequence, steps []abi.StepInfo, added []sequences.Edge) [][]sequences.StepID {
	out := make([][]sequences.StepID, len(seq.Steps))
	if len(seq.Streams) <= 1 {
		return out
	}
	w := &waitFinder{
		seq: seq, order: sequences.NewHappensBefore(seq, added...), covered: sequences.None,
		clocks: make([][]sequences.StepID, len(seq.Steps)), queued: make([][]sequences.StepID, len(seq.Streams)),
	}
	for s, info := range steps {
		step := &seq.Steps[s]
		copies := step.Host && writesDevice(seq, step)
		if !step.Host || info.Dynamic || copies && !info.Wait {
			out[s] = w.step(sequences.StepID(s))
		}
		switch {
		case !info.Wait:
		case copies: // they are queued behind the wait
			w.covered = sequences.StepID(s) - 1
			w.queue(sequences.StepID(s))
		default:
			w.covered = sequences.StepID(s)
		}
	}
	return out
}

// waitFinder follows what a run with the waits so far keeps in order.
type waitFinder struct {
	seq     *sequences.Sequence
	order   *sequences.HappensBefore
	covered sequences.StepID     // the host has waited for all steps up to this one
	clocks  [][]sequences.StepID // by step: of each stream, the last step that is complete before it
	queued  [][]sequences.StepID // by stream: what the device does for these steps is on it
}

// queue puts what the device does for a step on its stream; that for host steps is on
// stream 0.
func (w *waitFinder) queue(s sequences.StepID) {
	stream := w.seq.Steps[s].Stream
	if list := w.queued[stream]; len(list) == 0 || list[len(list)-1] != s {
		w.queued[stream] = append(list, s)
	}
	if w.clocks[s] == nil {
		w.clocks[s] = slices.Repeat([]sequences.StepID{sequences.None}, len(w.queued))
	}
}

// step queues a step and returns its waits.
func (w *waitFinder) step(s sequences.StepID) []sequences.StepID {
	stream := w.seq.Steps[s].Stream
	before := sequences.StepID(sequences.None)
	if list := w.queued[stream]; len(list) > 0 {
		before = list[len(list)-1]
	}
	w.queue(s)
	clock := w.clocks[s]
	w.join(clock, before)
	var needed []sequences.StepID
	for _, list := range w.queued {
		// The steps of a stream that are before s are its first ones.
		n, _ := slices.BinarySearchFunc(list, s, func(t, s sequences.StepID) int {
			if w.order.Before(t, s) {
				return -1
			}
			return 1
		})
		if n > 0 {
			needed = append(needed, list[n-1])
		}
	}
	// What implies another one is later in the file.
	slices.SortFunc(needed, func(a, b sequences.StepID) int { return cmp.Compare(b, a) })
	var out []sequences.StepID
	for _, t := range needed {
		if t > w.covered && t > clock[w.seq.Steps[t].Stream] {
			w.join(clock, t)
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return out
}

// join adds to a clock that a step is complete.
func (w *waitFinder) join(clock []sequences.StepID, t sequences.StepID) {
	if t == sequences.None {
		return
	}
	for i, c := range w.clocks[t] {
		clock[i] = max(clock[i], c)
	}
	stream := w.seq.Steps[t].Stream
	clock[stream] = max(clock[stream], t)
}

// writesDevice reports whether a step declares device buffers.
func writesDevice(seq *sequences.Sequence, step *sequences.Step) bool {
	return slices.ContainsFunc(slices.Concat(step.Writes, step.Scratch), func(b sequences.BufferID) bool {
		return seq.Buffers[b].Scope == sequences.Device
	})
}
