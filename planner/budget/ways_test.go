package budget

import (
	"encoding/json"
	"slices"
	"strconv"
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
			out.Counts[i].Max = written(t, seq, w, 1, more)
		} else {
			out.Counts[i].Typical = written(t, seq, w, 1, more)
		}
	case WayReuse:
		for _, o := range []struct {
			name    string
			options *sequences.ScopeOptions
		}{{"device", &out.Device}, {"host", &out.Host}} {
			if o.name == w.Name {
				o.options.Reuse = map[string]sequences.Reuse{"event": sequences.ReuseEvent, "internal": sequences.ReuseInternal}[w.Formula]
			}
		}
	case WayAfter:
		out.Steps = slices.Clone(seq.Steps)
		step := func(name string) int {
			return slices.IndexFunc(seq.Steps, func(s sequences.Step) bool { return s.Name == name })
		}
		for _, e := range w.Edges {
			s := &out.Steps[step(e.To)]
			s.After = append(slices.Clone(s.After), sequences.StepID(step(e.From)))
			slices.Sort(s.After)
		}
	default:
		out.Buffers = slices.Clone(seq.Buffers)
		i := slices.IndexFunc(seq.Buffers, func(b sequences.Buffer) bool { return b.Name == w.Name })
		at := seq.Buffers[i].Count.Pos
		most := written(t, seq, w, uint64(seq.Types[seq.Buffers[i].Type].Size), more)
		for i := range out.Buffers {
			if b := &out.Buffers[i]; b.Count.Pos == at {
				b.Count = &expr.Node{Kind: expr.Min, Pos: at, Ref: -1, Args: []*expr.Node{b.Count, most}}
			}
		}
	}
	return &out
}

// written is what a way says to write, or the same with more steps.
func written(t tester, seq *sequences.Sequence, w Way, unit, more uint64) *expr.Node {
	t.Helper()
	batch, factor, ok := strings.Cut(w.Formula, " * ")
	if !ok {
		require.Equal(t, strconv.FormatUint(w.To/unit, 10), w.Formula)
		return literal(w.To/unit + more)
	}
	require.Equal(t, seq.Params[seq.Batch].Name, batch)
	v, err := strconv.ParseUint(factor, 10, 64)
	require.NoError(t, err)
	require.Equal(t, w.To, v*unit*seq.Params[seq.Batch].Max)
	param := &expr.Node{Kind: expr.Param, Pos: literal(0).Pos, Ident: batch, Ref: int(seq.Batch)}
	return &expr.Node{Kind: expr.Mul, Pos: literal(0).Pos, Ref: -1, Args: []*expr.Node{param, literal(v + more)}}
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
			if w.Kind != WayReuse && w.Kind != WayAfter {
				require.Less(t, w.To, w.From)
			}
			if i := slices.IndexFunc(seq.Counts, func(c sequences.Count) bool { return c.Name == w.Name }); w.Kind == WayMax {
				if v := plan.Counts[i].Typical; v != nil {
					require.GreaterOrEqual(t, w.To, *v)
				}
			}
			with := evaluate(t, apply(t, limited, w, 0), Options{})[0]
			require.True(t, with.Holds(), "%+v gives %+v", w, with)
			require.Equal(t, with.Used, w.Used)
			require.Equal(t, with.Limit, w.Limit)
			if w.Kind == WayReuse || w.Kind == WayAfter || !rapid.Bool().Draw(t, "next") {
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
	few := evaluate(t, seq, Options{Ways: true, Sizes: 100})[0]
	require.True(t, few.Cut)
	require.False(t, few.NoBatch)
}
