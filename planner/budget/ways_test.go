package budget

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// apply makes the change of a way, with a value that is more by some steps.
func apply(t tester, seq *sequences.Sequence, w Way, more uint64) *sequences.Sequence {
	t.Helper()
	out := *seq
	switch w.Kind {
	case WayBatch, WayParam:
		i := slices.IndexFunc(seq.Params, func(p sequences.Param) bool { return p.Name == w.Name })
		low := seq.Params[i].Min
		if seq.Params[i].Fixed() {
			low = w.To + more
		}
		changed, err := planner.WithParam(seq, w.Name, low, w.To+more)
		require.NoError(t, err)
		return changed
	case WayMax, WayTypical:
		out.Counts = slices.Clone(seq.Counts)
		i := slices.IndexFunc(seq.Counts, func(c sequences.Count) bool { return c.Name == w.Name })
		if w.Kind == WayMax {
			out.Counts[i].Max = literal(w.To + more)
		} else {
			out.Counts[i].Typical = literal(w.To + more)
		}
	default:
		out.Buffers = slices.Clone(seq.Buffers)
		i := slices.IndexFunc(seq.Buffers, func(b sequences.Buffer) bool { return b.Name == w.Name })
		b := &out.Buffers[i]
		elements := w.To/uint64(seq.Types[b.Type].Size) + more
		b.Count = &expr.Node{Kind: expr.Min, Pos: b.Count.Pos, Ref: -1, Args: []*expr.Node{b.Count, literal(elements)}}
	}
	return &out
}

// What is suggested is enough, with the figures that are told, and one more is not.
func TestWaysAreExact(t *testing.T) {
	found := map[WayKind]int{}
	rapid.Check(t, func(t *rapid.T) {
		seq, plan := random(t)
		budgets := everyKind(seq)
		first, err := Evaluate(withBudgets(seq, budgets...), plan, Options{})
		require.NoError(t, err)
		b := budgets[rapid.IntRange(0, len(budgets)-1).Draw(t, "budget")]
		i := slices.IndexFunc(first, func(r Result) bool { return r.Name == b.Name && r.Kind == b.Kind })
		if first[i].Fault != "" || first[i].Used == 0 {
			t.Skip("nothing to limit")
		}
		b = budgets[i]
		b.Max = literal(uint64(first[i].Used) * rapid.Uint64Range(0, 99).Draw(t, "percent") / 100)
		if rapid.Bool().Draw(t, "per event") && seq.Batch != sequences.None {
			batch := &expr.Node{Kind: expr.Param, Pos: b.Max.Pos, Ident: seq.Params[seq.Batch].Name, Ref: int(seq.Batch)}
			b.Max = &expr.Node{Kind: expr.Mul, Pos: b.Max.Pos, Ref: -1, Args: []*expr.Node{
				literal(b.Max.Value / seq.Params[seq.Batch].Max), batch,
			}}
		}
		limited := withBudgets(seq, b)
		r, err := Evaluate(limited, plan, Options{Ways: true, Top: 2, Plans: 30, Plan: quick()})
		require.NoError(t, err)
		require.Positive(t, r[0].Over)
		for _, w := range r[0].Ways {
			found[w.Kind]++
			require.Less(t, w.To, w.From)
			with := evaluate(t, apply(t, limited, w, 0), Options{})[0]
			require.True(t, with.Holds(), "%+v gives %+v", w, with)
			require.Equal(t, with.Used, w.Used)
			require.Equal(t, with.Limit, w.Limit)
			if !rapid.Bool().Draw(t, "next") {
				continue
			}
			next := apply(t, limited, w, 1)
			p, err := planner.Make(next, quick())
			if err != nil {
				continue // it is no sequence
			}
			again, err := Evaluate(next, p, Options{})
			require.NoError(t, err)
			require.False(t, again[0].Holds(), "%+v: one more gives %+v", w, again[0])
		}
	})
	require.NotEmpty(t, found)
}

// Every kind of way is found where there is one.
func TestKindsOfWays(t *testing.T) {
	seq := read(t, file(t, "../../sequences/hlt1/velo.yaml"))
	found := map[WayKind]bool{}
	for _, basis := range []sequences.BudgetBasis{sequences.BudgetAny, sequences.BudgetWorst} {
		budgets := everyKind(seq)
		for i := range budgets {
			budgets[i].Basis = basis
		}
		for i, r := range evaluate(t, withBudgets(seq, budgets...), Options{}) {
			budgets[i].Max = literal(uint64(r.Used) * 9 / 10)
		}
		for _, r := range evaluate(t, withBudgets(seq, budgets...), Options{Ways: true}) {
			for _, w := range r.Ways {
				found[w.Kind] = true
			}
		}
	}
	require.Len(t, found, 5)
}

// For an absolute total the batch is that of planner.Fit.
func TestBatchIsThatOfFit(t *testing.T) {
	seq := read(t, file(t, "../testdata/velo.yaml")+"\nbudgets: {total: {max: 20MiB, basis: worst}, pools: {device: 5MiB}}\n")
	results := evaluate(t, seq, Options{Ways: true})
	for i, basis := range []planner.Basis{planner.BasisWorst, planner.BasisStatic} {
		want, err := planner.Fit(seq, results[i].Limit/sequences.Bytes(max(1, seq.Workers)), basis, planner.Options{})
		require.NoError(t, err)
		j := slices.IndexFunc(results[i].Ways, func(w Way) bool { return w.Kind == WayBatch })
		require.GreaterOrEqual(t, j, 0)
		require.True(t, want.Fits)
		require.Equal(t, want.Value, results[i].Ways[j].To)
	}
}

// One formula times four is caught, and the buffer and its line are named.
func TestPlantedRegression(t *testing.T) {
	text := file(t, "../../sequences/hlt1/velo.yaml")
	seq := read(t, text)
	budgets := everyKind(seq)
	base, err := Evaluate(withBudgets(seq, budgets...), mustPlan(t, seq), Options{Top: len(seq.Buffers)})
	require.NoError(t, err)
	for i := range budgets {
		budgets[i].Max = literal(uint64(base[i].Used) + uint64(base[i].Used)/10)
	}
	const old, grown = `dev_velo_cluster_container: {type: cluster, count: clusters}`, `dev_velo_cluster_container: {type: cluster, count: "4 * clusters"}`
	line := 1 + strings.Count(text[:mustIndex(t, text, old)], "\n")
	changed := read(t, strings.Replace(text, old, grown, 1))
	results, err := Evaluate(withBudgets(changed, budgets...), mustPlan(t, changed), Options{Ways: true})
	require.NoError(t, err)
	over := 0
	for _, r := range results {
		if r.Over > 0 {
			over++
			require.Equal(t, CodeExceeded, r.Code)
			require.Equal(t, line, r.Culprits[0].Line, r.Name)
		}
	}
	require.GreaterOrEqual(t, over, 3)
}

func mustIndex(t *testing.T, text, part string) int {
	t.Helper()
	i := strings.Index(text, part)
	require.GreaterOrEqual(t, i, 0)
	return i
}

func mustPlan(t *testing.T, seq *sequences.Sequence) *planner.Plan {
	t.Helper()
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	return plan
}

// The same input gives the same bytes.
func TestDeterministic(t *testing.T) {
	seq := read(t, file(t, "../../sequences/hlt1/velo.yaml"))
	seq = withBudgets(seq, everyKind(seq)...)
	for i := range seq.Budgets {
		seq.Budgets[i].Max = literal(9 << 20)
	}
	a, err := json.Marshal(evaluate(t, seq, Options{Ways: true}))
	require.NoError(t, err)
	b, err := json.Marshal(evaluate(t, seq, Options{Ways: true}))
	require.NoError(t, err)
	require.Equal(t, string(a), string(b))
	var back []Result
	require.NoError(t, json.Unmarshal(a, &back))
}

// A search that would take too many plans says so, and what it has is right.
func TestPlansAreCounted(t *testing.T) {
	seq := read(t, file(t, "../../sequences/hlt1/velo.yaml")+"\nbudgets: {pools: {device: 9MiB}}\n")
	require.False(t, evaluate(t, seq, Options{Ways: true})[0].Cut)
	require.True(t, evaluate(t, seq, Options{Ways: true, Plans: 1})[0].Cut)
	few := evaluate(t, seq, Options{Ways: true, Sizes: 100})[0]
	require.True(t, few.Cut)
	require.False(t, few.NoBatch)
}
