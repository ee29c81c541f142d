package verify_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
)

// lending has two streams, an edge that no buffer needs, a gap with a window, a shrink
// and a fixed offset, and so few bytes that all of them are used.
const lending = `
seqplan: 1
name: lending
device: {reuse: %s}
inputs:
  banks: {type: u8, count: 4096, offset: 4096}
steps:
  - {name: load, reads: [banks], writes: {table: {type: u8, count: 8192, gaps: [{after: load, before: use, window: [0, 1024]}]}}}
  - {name: find, writes: {hits: {type: u8, count: 7168}}}
  - {name: fit, reads: [hits], writes: {list: {type: u8, count: 8192, shrink: [{after: fit, count: 1024}]}}}
  - {name: sort, reads: [list], writes: {sorted: {type: u8, count: 6144}}}
  - {name: other, stream: side, after: sort, writes: {late: {type: u8, count: 7168, offset: 9216}}}
  - {name: more, stream: side, reads: [late]}
  - {name: use, reads: [table, list], after: more}
`

func lendingPlan(t *testing.T, reuse string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read("lending.yaml", fmt.Appendf(nil, lending, reuse))
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, p
}

// change returns a copy of a sequence of which the steps and buffers may be changed.
func change(seq *sequences.Sequence) *sequences.Sequence {
	c := *seq
	c.Steps, c.Buffers = slices.Clone(seq.Steps), slices.Clone(seq.Buffers)
	for i := range c.Buffers {
		c.Buffers[i].Gaps, c.Buffers[i].Shrinks = slices.Clone(c.Buffers[i].Gaps), slices.Clone(c.Buffers[i].Shrinks)
	}
	return &c
}

func buffer(t *testing.T, seq *sequences.Sequence, name string) *sequences.Buffer {
	i := slices.IndexFunc(seq.Buffers, func(b sequences.Buffer) bool { return b.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &seq.Buffers[i]
}

// The fault that names two buffers, whichever is first.
func requireFault(t *testing.T, err error, kind verify.Kind, a, b string, words ...string) {
	t.Helper()
	var faults verify.Faults
	require.True(t, errors.As(err, &faults), "%v", err)
	i := slices.IndexFunc(faults, func(f verify.Fault) bool {
		return f.Kind == kind && (f.Buffer == a && f.Other == b || f.Buffer == b && f.Other == a)
	})
	require.GreaterOrEqual(t, i, 0, "%v", faults)
	for _, w := range words {
		require.Contains(t, faults[i].Error(), w)
	}
}

// For every rule of gaps, shrinks, offsets and order, a sequence for which the plan is
// wrong by this rule alone.
func TestLendingFaults(t *testing.T) {
	seq, p := lendingPlan(t, "event")
	require.NoError(t, verify.Check(seq, p.Layout))
	require.Equal(t, sequences.Bytes(16384), p.Pools[sequences.Device].Height, "every loan is used")
	for _, tc := range []struct {
		name   string
		kind   verify.Kind
		a, b   string
		words  []string
		change func(seq *sequences.Sequence)
	}{
		{"an edge that is missing", verify.Overlap, "late", "hits", []string{`step 2 "fit"`, `step 4 "other"`, "bytes ["}, func(s *sequences.Sequence) { s.Steps[4].After = nil }},
		{"the end of the gap", verify.Overlap, "table", "late", []string{`"more"`, `"use"`}, func(s *sequences.Sequence) { s.Steps[6].After = nil }},
		{"a window that is larger", verify.Overlap, "table", "hits", []string{`"find"`}, func(s *sequences.Sequence) { buffer(t, s, "table").Gaps[0].High += 1024 }},
		{"a gap that starts later", verify.Overlap, "table", "hits", nil, func(s *sequences.Sequence) {
			s.Steps[1].Reads = append(slices.Clone(s.Steps[1].Reads), buffer(t, s, "table").ID)
			buffer(t, s, "table").Gaps[0].After = 1
		}},
		{"a gap that ends earlier", verify.Overlap, "table", "late", nil, func(s *sequences.Sequence) {
			s.Steps[5].Reads = append(slices.Clone(s.Steps[5].Reads), buffer(t, s, "table").ID)
			buffer(t, s, "table").Gaps[0].Before = 5
		}},
		{"a shrink to more", verify.Overlap, "list", "sorted", nil, func(s *sequences.Sequence) {
			l := &buffer(t, s, "list").Shrinks[0]
			n := *l.Count
			n.Value = 4096
			l.Count = &n
		}},
		{"a shrink that grows", verify.TooSmall, "list", "", nil, func(s *sequences.Sequence) {
			l := &buffer(t, s, "list").Shrinks[0]
			n := *l.Count
			n.Value = 9000
			l.Count = &n
		}},
		{"a shrink that is later", verify.Overlap, "list", "sorted", nil, func(s *sequences.Sequence) { buffer(t, s, "list").Shrinks[0].After = 3 }},
		{"another offset", verify.Moved, "banks", "", nil, func(s *sequences.Sequence) {
			at := sequences.Bytes(8192)
			buffer(t, s, "banks").Offset = &at
		}},
		{"a step before what it reads", verify.Race, "late", "", []string{`step 4 "other"`}, func(s *sequences.Sequence) {
			s.Steps[6].After = nil
			s.Steps[6].Reads = append(s.Steps[6].Reads, buffer(t, s, "late").ID)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := change(seq)
			tc.change(s)
			requireFault(t, verify.Check(s, p.Layout), tc.kind, tc.a, tc.b, tc.words...)
		})
	}
}

// The policy stream does not count on edges.
func TestPolicyOfOrder(t *testing.T) {
	seq, p := lendingPlan(t, "event")
	s := change(seq)
	s.Device.Reuse = sequences.ReuseStream
	requireFault(t, verify.Check(s, p.Layout), verify.Overlap, "late", "hits", `step 4 "other"`)
	_, p = lendingPlan(t, "stream")
	require.NoError(t, verify.Check(s, p.Layout))
}

const adding = `
seqplan: 1
name: adding
device: {reuse: internal}
steps:
  - {name: a, writes: {x: {type: u8, count: 4096}}}
  - {name: b, reads: [x], writes: {y: {type: u8, count: 256}}}
  - {name: c, stream: side, writes: {z: {type: u8, count: 4096}}}
  - {name: d, stream: side, reads: [z], writes: {w: {type: u8, count: 256}}}
  - {name: e, after: d, reads: [y, w]}
`

func TestAddedEdge(t *testing.T) {
	seq, diags := sequences.Read("adding.yaml", []byte(adding))
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	require.Equal(t, []planner.AddedEdge{{From: 1, To: 2, Saved: 4096}}, p.Added)
	edge := sequences.Edge{From: 1, To: 2}
	require.NoError(t, verify.Check(seq, p.Layout, edge))
	requireFault(t, verify.Check(seq, p.Layout), verify.Overlap, "x", "z", `step 1 "b"`, `step 2 "c"`)
	requireFault(t, verify.Check(seq, p.Layout, sequences.Edge{From: 1, To: 3}), verify.Overlap, "x", "z")
	s := change(seq)
	s.Device.Reuse = sequences.ReuseEvent
	requireFault(t, verify.Check(s, p.Layout, edge), verify.Overlap, "x", "z")
}

// queues are the waits of a plan.
func queues(p *planner.Plan) []verify.Queue {
	out := make([]verify.Queue, len(p.Steps))
	for i, s := range p.Steps {
		out[i] = verify.Queue{Stream: s.Stream, After: s.After}
	}
	return out
}

func added(p *planner.Plan) []sequences.Edge {
	var out []sequences.Edge
	for _, e := range p.Added {
		out = append(out, sequences.Edge{From: e.From, To: e.To})
	}
	return out
}

// No wait of a plan and no edge that was added can be left out.
func TestEveryWaitIsNeeded(t *testing.T) {
	waits, edges := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, randseq.Streams(r)))
		require.NoError(t, diags.Err())
		s := *seq
		s.Device.Reuse = sequences.ReuseInternal
		p, err := planner.Make(&s, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
		if err != nil {
			continue
		}
		all, edge := queues(p), added(p)
		require.NoError(t, verify.Waits(&s, p.Layout.Steps, edge, all))
		for i := range all {
			for k := range all[i].After {
				fewer := slices.Clone(all)
				fewer[i].After = slices.Delete(slices.Clone(all[i].After), k, k+1)
				err := verify.Waits(&s, p.Layout.Steps, edge, fewer)
				require.Error(t, err, "seed %d, step %d, wait %d", seed, i, k)
				waits++
			}
		}
		if s.Host.Reuse == sequences.ReuseInternal {
			continue // an edge for the one scope may be of use for the other
		}
		for k := range edge {
			fewer := slices.Delete(slices.Clone(edge), k, k+1)
			var faults verify.Faults
			require.ErrorAs(t, verify.Check(&s, p.Layout, fewer...), &faults, "seed %d, edge %d", seed, k)
			require.Equal(t, verify.Overlap, faults[0].Kind)
			edges++
		}
	}
	t.Log(waits, edges)
	require.Greater(t, waits, 300)
	require.Greater(t, edges, 10)
}

func TestWaitsRefuses(t *testing.T) {
	seq, p := lendingPlan(t, "event")
	steps := p.Layout.Steps
	require.NoError(t, verify.Waits(seq, steps, nil, queues(p)))
	require.Error(t, verify.Waits(seq, steps, nil, queues(p)[:2]))
	wrong := queues(p)
	wrong[4].Stream = 0
	require.ErrorContains(t, verify.Waits(seq, steps, nil, wrong), "queued on the stream 0")
	require.ErrorContains(t, verify.Waits(seq, steps, []sequences.Edge{{From: 5, To: 2}}, queues(p)), "was added")
	wrong = queues(p)
	wrong[6].After = nil
	requireFault(t, verify.Waits(seq, steps, nil, wrong), verify.Race, "use", "more")
}

const dynamicStreams = `
seqplan: 1
name: dynamic
counts: {n: {at: "o[0]", max: 100}}
steps:
  - {name: a, writes: {o: {type: u32, count: 1}}}
  - {name: b, reads: [o], writes: {x: {type: u8, count: n}}}
  - {name: c, stream: side, after: b, reads: [x], writes: {y: {type: u8, count: "n * 2"}}}
  - {name: d, stream: side, reads: [y]}
`

// With several streams the device program gives nothing back, and places in order.
func TestDynamicOrder(t *testing.T) {
	seq, l := plan(t, []byte(dynamicStreams))
	require.False(t, l.Reuse)
	require.False(t, l.Steps[3].Dynamic)
	s := change(seq)
	s.Steps[2].After, s.Steps[2].Reads = nil, nil
	err := verify.Check(s, l)
	require.ErrorContains(t, err, "place its buffers before those of an earlier step")
	require.ErrorContains(t, err, "and 1 more", "the count")
	l = clone(l)
	words := abi.HeaderWords + 3*abi.StepWords
	l.Program[words], l.Program[words+1], l.Steps[3].Dynamic = l.Program[abi.HeaderWords+abi.StepWords+2], 1, true
	require.Error(t, verify.Check(seq, l))
}
