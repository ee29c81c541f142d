package budget

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// What is suggested, written into the file as it says, is enough with the figures that are
// told, and the next larger value is not.
func TestWaysAreExact(t *testing.T) {
	found := map[string]int{}
	t.Run("random", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { waysAreExact(t, randomText(t), found) })
	})
	t.Run("templates", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			waysAreExact(t, templated(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))), found)
		})
		require.NotZero(t, found["buffer of instances"])
	})
	require.NotZero(t, found["batch"])
	t.Log(found)
}

func waysAreExact(t *rapid.T, text string, found map[string]int) {
	seq, plan := planned(t, text)
	budgets := everyKind(seq)
	b := budgets[rapid.IntRange(0, len(budgets)-1).Draw(t, "budget")]
	b.Basis = sequences.BudgetBasis(rapid.IntRange(0, 2).Draw(t, "basis"))
	first, err := Evaluate(withBudgets(seq, b), plan, Options{})
	require.NoError(t, err)
	if first[0].Fault != "" || first[0].Used == 0 {
		t.Skip("nothing to limit")
	}
	b.Max = literal(uint64(first[0].Used) * rapid.Uint64Range(0, 99).Draw(t, "percent") / 100)
	if rapid.Bool().Draw(t, "per event") && seq.Batch != sequences.None {
		batch := &expr.Node{Kind: expr.Param, Pos: b.Max.Pos, Ident: seq.Params[seq.Batch].Name, Ref: int(seq.Batch)}
		b.Max = &expr.Node{Kind: expr.Mul, Pos: b.Max.Pos, Ref: -1, Args: []*expr.Node{
			literal(b.Max.Value / seq.Params[seq.Batch].Max), batch,
		}}
	}
	r, err := Evaluate(withBudgets(seq, b), plan, Options{Ways: true, Top: 2, Plans: 30, Plan: quick()})
	require.NoError(t, err)
	next := rapid.Bool().Draw(t, "next")
	for _, w := range r[0].Ways {
		note(found, plan, &w)
		with := evaluate(t, withBudgets(read(t, apply(t, text, w, 0)), b), Options{})[0]
		require.True(t, with.Holds(), "%+v gives %+v", w, with)
		require.Equal(t, with.Used, w.Used, "%+v", w)
		require.Equal(t, with.Limit, w.Limit)
		if w.Kind == WayReuse || w.Kind == WayAfter {
			continue
		}
		require.Less(t, w.To, w.From)
		if w.Kind == WayMax {
			i := slices.IndexFunc(plan.Counts, func(c planner.Count) bool { return c.Name == w.Name })
			if v := plan.Counts[i].Typical; v != nil {
				require.GreaterOrEqual(t, w.To, *v)
			}
		}
		if !next {
			continue
		}
		larger, diags := sequences.Read("next.yaml", []byte(apply(t, text, w, 1)))
		require.NoError(t, diags.Err())
		p, err := planner.Make(larger, quick())
		if err != nil {
			continue // it is no sequence
		}
		again, err := Evaluate(withBudgets(larger, b), p, Options{})
		require.NoError(t, err)
		require.False(t, again[0].Holds(), "%+v: one more gives %+v", w, again[0])
	}
}

// note counts what was found.
func note(found map[string]int, plan *planner.Plan, w *Way) {
	found[string(w.Kind)]++
	if w.Kind != WayBuffer {
		return
	}
	if w.Instances > 0 {
		found["buffer of instances"]++
	}
	i := slices.IndexFunc(plan.Buffers, func(b planner.Buffer) bool { return b.Name == w.Name })
	if plan.Buffers[i].Class == planner.Dynamic && strings.HasPrefix(w.Formula, "min(...") {
		found["min of a dynamic buffer"]++
	}
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
	b := seq.Budgets[0]
	b.Max = literal(uint64(mustPlan(t, seq).Pools[0].Size) * 8 / 10)
	for _, plans := range []int{4, 24} {
		r := evaluate(t, withBudgets(seq, b, b), Options{Ways: true, Plans: plans})
		require.Equal(t, r[0].Ways, r[1].Ways, "none takes the plans of another one")
		require.Equal(t, plans == 4, r[0].Cut)
		require.True(t, slices.ContainsFunc(r[1].Ways, func(w Way) bool { return w.Kind == WayBatch }))
	}
	few := evaluate(t, seq, Options{Ways: true, Work: 100})[0]
	require.True(t, few.Cut)
	require.False(t, few.NoBatch)
}
