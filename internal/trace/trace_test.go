package trace_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/trace"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// calls is how many allocations and frees the traces have at least.
const calls = 100_000

func planned(file string, data []byte) (*sequences.Sequence, *planner.Plan) {
	seq, diags := sequences.Read(file, data)
	if len(diags) > 0 {
		panic(diags)
	}
	plan, err := planner.Make(seq, planner.Options{})
	if err != nil {
		panic(err)
	}
	return seq, plan
}

// record records the whole reconstruction, in batches of 500 to 1000 events.
func record(streams int) *trace.Trace {
	seq, plan := planned(hlt1.RecoFile, hlt1.Reco())
	tr, err := trace.Record(seq, plan, trace.Config{Calls: calls, Least: 500, Most: 1000, Streams: streams, Seed: 1})
	if err != nil {
		panic(err)
	}
	return tr
}

var (
	one    = sync.OnceValue(func() *trace.Trace { return record(1) })
	three  = sync.OnceValue(func() *trace.Trace { return record(3) })
	random = sync.OnceValue(func() *trace.Trace { return trace.Random(calls, 1) })
)

var traces = []struct {
	name string
	get  func() *trace.Trace
	ids  int
	peak uint64
	hash string
}{
	{"reco", one, 50120, 273_004_994, "474762180ca02bee"},
	{"reco_in_3_streams", three, 50260, 623_921_060, "1b97c31d2847cec7"},
	{"random", random, 50000, 536_870_911, "fa6900138a1a9326"},
}

// TestTraces: the traces are sound, and the same on every machine. They change with the
// sequence, its typical counts and the draws.
func TestTraces(t *testing.T) {
	for _, c := range traces {
		tr := c.get()
		require.NoError(t, tr.Check(), c.name)
		require.Equal(t, c.ids, tr.IDs, c.name)
		require.Equal(t, c.peak, tr.Peak(trace.Exact), c.name)
		require.Equal(t, c.hash, tr.Hash(), c.name)
	}
}

// TestRecordAgainstPlan: a batch of full size needs about what the planner says.
func TestRecordAgainstPlan(t *testing.T) {
	seq, plan := planned(hlt1.RecoFile, hlt1.Reco())
	tr, err := trace.Record(seq, plan, trace.Config{Calls: 1, Least: 1000, Most: 1000, Streams: 1})
	require.NoError(t, err)
	require.NoError(t, tr.Check())
	buffers := 0
	for i := range plan.Buffers {
		if b := &plan.Buffers[i]; b.Class == planner.Dynamic && b.Scope == sequences.Device {
			buffers++
		}
	}
	require.Equal(t, buffers, tr.IDs, "none takes over another, none is empty")
	require.InEpsilon(t, float64(plan.Arena.Typical.Peak), float64(tr.Peak(rounded)), 0.02)
}

const small = `
seqplan: 1
name: small
device: {align: 256}
host: {align: 64}
params: {n_events: {min: 1, max: 10}}
counts:
  n: {at: "sizes[0]", max: "100", typical: "10"}
  m: {at: "sizes[1]", max: "400", typical: "40"}
steps:
  - name: count
    writes: {sizes: {type: u32, count: "2"}}
  - name: make
    reads: [sizes]
    writes:
      a: {type: u32, count: "n"}
      mirror: {type: u8, count: "n", scope: host}
      none: {type: u8, count: "n * 0"}
  - name: change
    reads: [a]
    writes:
      b: {type: u32, count: "n", in_place_of: a}
      out: {type: u8, count: "n"}
  - name: use
    reads: [b]
    writes:
      c: {type: u64, count: "n"}
  - name: last
    reads: [c]
    writes: {d: {type: u8, count: "m"}}
outputs: [out]
`

// TestRecord: a trace has what has bytes of its own, from the step that writes it until
// before the step behind its last use, and the results until after the wait.
func TestRecord(t *testing.T) {
	seq, plan := planned("small.yaml", []byte(small))
	tr, err := trace.Record(seq, plan, trace.Config{Calls: 7, Least: 10, Most: 10, Streams: 1, Seed: 3})
	require.NoError(t, err)
	require.NoError(t, tr.Check())
	n, m := tr.Ops[1].Size/4, tr.Ops[8].Size
	require.InDelta(t, 10, n, 2)
	require.InDelta(t, 40, m, 8)
	work := trace.Op{Kind: trace.Work}
	require.Equal(t, []trace.Op{
		work,
		{Kind: trace.Alloc, ID: 0, Size: 4 * n},
		work,
		{Kind: trace.Alloc, ID: 1, Size: n},
		work,
		{Kind: trace.Alloc, ID: 2, Size: 8 * n},
		work,
		{Kind: trace.Free, ID: 0, Size: 4 * n},
		{Kind: trace.Alloc, ID: 3, Size: m},
		work,
		{Kind: trace.Sync},
		{Kind: trace.Free, ID: 1, Size: n},
	}, tr.Ops[:12])
	require.Equal(t, 8, tr.Calls())
}

func TestRecordRefuses(t *testing.T) {
	seq, plan := planned("small.yaml", []byte(small))
	for _, c := range []trace.Config{
		{Calls: 1, Least: 1, Most: 1},
		{Calls: 1, Least: 2, Most: 1, Streams: 1},
		{Calls: 1, Least: 11, Most: 11, Streams: 1},
	} {
		_, err := trace.Record(seq, plan, c)
		require.Error(t, err, "%+v", c)
	}
}

// TestCheck: what is no trace is found.
func TestCheck(t *testing.T) {
	alloc := func(id int) trace.Op { return trace.Op{Kind: trace.Alloc, ID: id, Size: 8} }
	free := func(id int) trace.Op { return trace.Op{Kind: trace.Free, ID: id, Size: 8} }
	for what, ops := range map[string][]trace.Op{
		"still live":   {alloc(0)},
		"not live":     {free(0)},
		"out of order": {alloc(1), free(1)},
		"of no bytes":  {{Kind: trace.Alloc}},
		"was of 8":     {alloc(0), {Kind: trace.Free, Size: 9}},
		"no stream 2":  {{Kind: trace.Work, Stream: 2}},
		"in stream 0":  {alloc(0), {Kind: trace.Free, Size: 8, Stream: 1}},
		"no kind 4":    {{Kind: trace.Sync + 1}},
	} {
		require.ErrorContains(t, (&trace.Trace{Ops: ops, Streams: 2, IDs: 1}).Check(), what)
	}
	require.ErrorContains(t, (&trace.Trace{Ops: []trace.Op{alloc(0), free(0), free(0)}, Streams: 1, IDs: 1}).Check(), "not live")
	require.ErrorContains(t, (&trace.Trace{IDs: 1}).Check(), "0 allocations of 1")
	require.NoError(t, (&trace.Trace{Ops: []trace.Op{alloc(0), free(0)}, Streams: 1, IDs: 1}).Check())
}
