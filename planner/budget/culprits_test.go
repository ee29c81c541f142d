package budget

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// addsUp checks that all culprits, what is reserved and the holes are what is used.
func addsUp(t tester, results []Result) {
	t.Helper()
	for _, r := range results {
		if r.Fault != "" || r.Used == math.MaxUint64 {
			continue
		}
		sum := r.Reserved + r.Holes
		require.Len(t, r.Culprits, r.Buffers)
		for _, c := range r.Culprits {
			sum += c.Bytes
		}
		require.Equal(t, r.Used, sum, r.Name)
		if !packed(&sequences.Budget{Kind: r.Kind}) {
			require.Zero(t, r.Holes, r.Name)
		}
	}
}

func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq, plan := random(t)
		budgets := everyKind(seq)
		results, err := Evaluate(withBudgets(seq, budgets...), plan, Options{Top: len(seq.Buffers)})
		require.NoError(t, err)
		addsUp(t, results)
		for _, r := range results {
			if r.Kind == sequences.BudgetPool {
				pool := plan.Pools[seqScope(r.Name)]
				require.Equal(t, pool.Reserved, r.Reserved)
				var used sequences.Bytes
				for _, a := range pool.AtPeak {
					used += a.Bytes
				}
				require.GreaterOrEqual(t, r.Holes, pool.Height-used-pool.Padding)
			}
		}
	})
	for _, path := range []string{"../../sequences/hlt1/reco.yaml", "../../sequences/streams/trigger.yaml"} {
		seq := read(t, file(t, path))
		plan := mustPlan(t, seq)
		seq = withBudgets(seq, everyKind(seq)...)
		results, err := Evaluate(seq, plan, Options{Top: len(seq.Buffers)})
		require.NoError(t, err)
		addsUp(t, results)
		pool := &plan.Pools[sequences.Device]
		require.NotZero(t, pool.Padding)
		for _, r := range results {
			if r.Name == "pools.device" {
				require.Equal(t, pool.Height-pool.LowerBound, r.Holes, "all padding is in the buffers")
			}
		}
	}
}

func seqScope(name string) sequences.Scope {
	if name == "pools.host" {
		return sequences.Host
	}
	return sequences.Device
}

// What alignment makes of a small buffer counts as its bytes, and those of all workers do.
func TestCulpritsAreRounded(t *testing.T) {
	seq := read(t, `seqplan: 1
name: small
workers: 3
device: {align: 256}
counts: {n: {at: "a[0]", max: 5}}
steps:
  - {name: s, writes: {a: {type: u32, count: 1}}}
  - {name: d, writes: {b: {type: u8, count: n}}}
budgets: {pools: {device: 0}, arena: 0, total: 0, classes: {dynamic_device: 0}}
`)
	got := map[string][]sequences.Bytes{}
	var reserved sequences.Bytes
	for _, r := range evaluate(t, seq, Options{}) {
		for _, c := range r.Culprits {
			got[r.Name] = append(got[r.Name], c.Bytes)
		}
		if r.Name == "pools.device" {
			reserved = r.Reserved
			require.Equal(t, reserved+256, r.Used)
		}
		if r.Name == "total" {
			require.Equal(t, 3*reserved, r.Reserved)
		}
	}
	require.NotZero(t, reserved)
	require.Equal(t, map[string][]sequences.Bytes{
		"pools.device": {256}, "arena": {256}, "total": {768, 768}, "classes.dynamic_device": {5},
	}, got)
}

// A figure that is not known is not in the JSON form, and one that is 0 is.
func TestJSONOfFaults(t *testing.T) {
	seq := read(t, `seqplan: 1
name: faulty
params: {n: {min: 1, max: 9}}
counts: {c: {at: "a[0]"}}
steps:
  - {name: s, writes: {a: {type: u32, count: 1}}}
  - {name: d, writes: {b: {type: u8, count: c}}}
budgets: {pools: {device: "n - 10", host: 0}, arena: 7}
`)
	results := evaluate(t, seq, Options{})
	text, err := json.Marshal(results)
	require.NoError(t, err)
	var got []map[string]any
	require.NoError(t, json.Unmarshal(text, &got))
	figures := func(m map[string]any) []any { return []any{m["name"], m["limit"], m["used"], m["over"]} }
	require.Equal(t, []any{"pools.device", nil, nil, nil}, figures(got[0]))
	require.Equal(t, []any{"pools.host", 0.0, 0.0, 0.0}, figures(got[1]))
	require.Equal(t, []any{"arena", 7.0, nil, nil}, figures(got[2]))
	var back []Result
	require.NoError(t, json.Unmarshal(text, &back))
	for i := range results {
		results[i].Pos = sequences.Pos{}
	}
	require.Equal(t, results, back)
}

func mustPlan(t *testing.T, seq *sequences.Sequence) *planner.Plan {
	t.Helper()
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	return plan
}
