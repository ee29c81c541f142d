package play_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// pair are two steps that a plan must keep in order.
type pair struct{ first, then sequences.StepID }

// order returns the order in which a plan has what the device does for its steps: that
// of its streams and of the waits of the host, and its edges but for one. Some host steps
// look at the device.
func order(plan *planner.Plan, looks []bool, without sequences.Edge) before {
	// Three steps for each: what is in order with all others before it, what the device
	// does, and what is behind it.
	var device sequences.Sequence
	var edges []sequences.Edge
	at := func(s sequences.StepID) sequences.StepID { return 3*s + 1 }
	for s := range plan.Steps {
		on := sequences.Step{Stream: sequences.StreamID(plan.Steps[s].Stream)}
		front, back := on, on
		front.Host = plan.Layout.Steps[s].Wait || looks[s]
		back.Host = looks[s]
		device.Steps = append(device.Steps, front, on, back)
		for _, a := range plan.Steps[s].After {
			if e := (sequences.Edge{From: a, To: sequences.StepID(s)}); e != without {
				edges = append(edges, sequences.Edge{From: at(a), To: at(e.To)})
			}
		}
	}
	h := sequences.NewHappensBefore(&device, edges...)
	return func(a, b sequences.StepID) bool { return h.Before(at(a), at(b)) }
}

// before reports whether one step is complete before another one starts.
type before func(a, b sequences.StepID) bool

// all is no edge.
var all = sequences.Edge{From: sequences.None, To: sequences.None}

// edgesOf returns the edges of a plan.
func edgesOf(plan *planner.Plan) []sequences.Edge {
	var out []sequences.Edge
	for s := range plan.Steps {
		for _, a := range plan.Steps[s].After {
			out = append(out, sequences.Edge{From: a, To: sequences.StepID(s)})
		}
	}
	return out
}

// dropped is a plan without one of its waits. Its layout is the same.
func dropped(plan *planner.Plan, e sequences.Edge) *planner.Plan {
	out := *plan
	out.Steps = slices.Clone(plan.Steps)
	out.Steps[e.To].After = slices.DeleteFunc(slices.Clone(out.Steps[e.To].After), func(a sequences.StepID) bool { return a == e.From })
	return &out
}

// conflicts returns the steps that bytes are lost between if the device runs them in
// another order: they use the same bytes for different buffers, and one of them writes, or
// the later one reads what the earlier one writes.
func conflicts(t *testing.T, seq *sequences.Sequence, plan *planner.Plan, events uint64) []pair {
	t.Helper()
	accesses, err := play.Accesses(seq, plan, events)
	require.NoError(t, err)
	accesses = slices.DeleteFunc(accesses, func(a play.Access) bool {
		return int(a.Step) == len(seq.Steps) || plan.Steps[a.Step].Host && plan.Buffers[a.Buffer].Scope == sequences.Host
	})
	found := make(map[pair]bool)
	for i, a := range accesses {
		again := false // the buffer was written again since
		for _, b := range accesses[i+1:] {
			again = again || a.Buffer == b.Buffer && b.Again
			if a.Step < b.Step && !(again && a.Buffer == b.Buffer) && conflict(plan, a, b) {
				found[pair{a.Step, b.Step}] = true
			}
		}
	}
	out := make([]pair, 0, len(found))
	for p := range found {
		out = append(out, p)
	}
	slices.SortFunc(out, func(p, q pair) int { return int(p.first-q.first)<<16 + int(p.then-q.then) })
	return out
}

func conflict(plan *planner.Plan, a, b play.Access) bool {
	x, y := &plan.Buffers[a.Buffer], &plan.Buffers[b.Buffer]
	switch {
	case a.Buffer == b.Buffer && x.Class == planner.Dynamic:
		return a.Write && !b.Write && x.Scope == sequences.Device
	case a.Buffer == b.Buffer:
		return a.Write && !a.Again && !b.Write && b.From < b.To
	case x.Class == planner.Dynamic || y.Class == planner.Dynamic || x.Scope != y.Scope || !a.Write && !b.Write:
		return false
	}
	from := max(uint64(x.Offset)+a.From, uint64(y.Offset)+b.From)
	return from < min(uint64(x.Offset)+a.To, uint64(y.Offset)+b.To)
}

// needs returns the conflicts that only one of the waits of a plan keeps in order.
func needs(plan *planner.Plan, looks []bool, found []pair, e sequences.Edge) []pair {
	without := order(plan, looks, e)
	return slices.DeleteFunc(slices.Clone(found), func(p pair) bool { return without(p.first, p.then) })
}
