package budget

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// streams has two buffers of 64 KiB that are never needed at one time, but nothing orders
// their steps.
const streams = `seqplan: 1
name: streams
device: {align: 256, reuse: event}
params: {n: {min: 1, max: 16}}
steps:
  - name: left
    stream: a
    writes: {x: {type: u8, count: "n * 4KiB"}}
  - {name: left_end, stream: a, reads: [x]}
  - name: right
    stream: b
    writes: {y: {type: u8, count: "n * 4KiB"}}
  - {name: right_end, stream: b, reads: [y]}
budgets: {pools: {device: 70000}}
`

// Where an order of steps is enough it comes first.
func TestOrders(t *testing.T) {
	edge := []Edge{{From: "left_end", To: "right", Place: Place{Line: 10, Col: 11}}}
	for _, c := range []struct {
		name, text string
		want       *Way
	}{
		{"an edge", streams, &Way{Kind: WayAfter, Name: "device", Edges: edge, Place: edge[0].Place}},
		{"not enough", replaced(t, streams, "70000", "60000"), nil},
		{"already internal", replaced(t, replaced(t, streams, "reuse: event", "reuse: internal"), "70000", "60000"), nil},
		{
			"internal, from stream", replaced(t, streams, "reuse: event", "reuse: stream"),
			&Way{Kind: WayReuse, Name: "device", Formula: "internal", Now: "stream", Edges: edge},
		},
		{
			"event, from stream", replaced(t, replaced(t, streams, "reuse: event", "reuse: stream"), "stream: b\n", "stream: b\n    after: left_end\n"),
			&Way{Kind: WayReuse, Name: "device", Formula: "event", Now: "stream"},
		},
		{
			"event, from off", replaced(t, replaced(t, streams, "reuse: event", "reuse: off"), "stream: b\n", "stream: b\n    after: left_end\n"),
			&Way{Kind: WayReuse, Name: "device", Formula: "event", Now: "off"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			seq := read(t, c.text)
			r := evaluate(t, seq, Options{Ways: true})[0]
			require.Positive(t, r.Over)
			require.NotEmpty(t, r.Ways)
			if c.want == nil {
				require.NotContains(t, []WayKind{WayAfter, WayReuse}, r.Ways[0].Kind)
				return
			}
			got := r.Ways[0]
			with := evaluate(t, read(t, apply(t, c.text, got, 0)), Options{})[0]
			require.True(t, with.Holds())
			require.Equal(t, with.Used, got.Used)
			c.want.Used, c.want.Limit = got.Used, r.Limit
			require.Equal(t, *c.want, got)
		})
	}
}

// With one stream the policy off is the only one that costs memory.
func TestReuseOn(t *testing.T) {
	seq := read(t, `seqplan: 1
name: one
device: {reuse: off}
steps:
  - {name: a, writes: {x: {type: u8, count: 4KiB}}}
  - {name: b, writes: {y: {type: u8, count: 4KiB}}}
budgets: {pools: {device: 5000}, total: 5000}
`)
	for _, r := range evaluate(t, seq, Options{Ways: true}) {
		require.Equal(t, WayReuse, r.Ways[0].Kind, r.Name)
		require.Equal(t, "event", r.Ways[0].Formula)
	}
}

// No plan is made for an order that cannot help, and none that may not be made.
func TestOrdersAreCounted(t *testing.T) {
	seq := read(t, streams)
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	limited := func(limit uint64, plans int) *checker {
		seq := read(t, streams)
		seq.Budgets[0].Max = literal(limit)
		c, err := newChecker(seq, plan, Options{Plan: quick()})
		require.NoError(t, err)
		c.left = plans
		r := Result{}
		c.orders(&seq.Budgets[0], &r)
		require.Equal(t, plans == 0, r.Cut)
		return c
	}
	require.Equal(t, 9, limited(60000, 9).left, "less than what is in use at one step")
	require.Equal(t, 8, limited(70000, 9).left)
	limited(70000, 0)
}

// A pool that is large because nothing orders its steps is estimated well enough that its
// ways are found with few plans. Where one edge is not enough the policy adds several.
func TestOrdersOfExample(t *testing.T) {
	seq := read(t, file(t, "../../sequences/streams/trigger.yaml"))
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	require.Equal(t, planner.BoundByOrder, plan.Pools[0].BoundBy)
	limited := func(percent uint64) Result {
		b := sequences.Budget{Kind: sequences.BudgetPool, Name: "pools.device", Max: literal(uint64(plan.Pools[0].Size) * percent / 100)}
		r, err := Evaluate(withBudgets(seq, b), plan, Options{Ways: true})
		require.NoError(t, err)
		require.False(t, r[0].Cut)
		return r[0]
	}
	r := limited(90)
	kinds := map[WayKind]int{}
	for _, w := range r.Ways {
		kinds[w.Kind]++
	}
	require.Equal(t, map[WayKind]int{WayAfter: 1, WayBuffer: 2, WayParam: 2, WayBatch: 1}, kinds)
	require.Equal(t, []Edge{{From: "fit_tracks", To: "calibrate", Added: true, Place: r.Ways[0].Place}}, r.Ways[0].Edges)
	internal := limited(70).Ways[0]
	require.Equal(t, WayReuse, internal.Kind)
	require.Equal(t, "internal", internal.Formula)
	require.Len(t, internal.Edges, 2)
}
