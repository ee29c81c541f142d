package budget

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

type tester interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

func read(t tester, text string) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read("test.yaml", []byte(text))
	require.NoError(t, diags.Err())
	return seq
}

func file(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(data)
}

// quick plans without a search, for some random problems are hard. Its pools are above the
// estimate more often, too.
func quick() planner.Options { return planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}} }

func evaluate(t tester, seq *sequences.Sequence, opts Options) []Result {
	t.Helper()
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	out, err := Evaluate(seq, plan, opts)
	require.NoError(t, err)
	return out
}

// random draws a sequence that has a plan.
func random(t *rapid.T) (*sequences.Sequence, *planner.Plan) {
	return planned(t, randomText(t))
}

// planned reads a sequence and plans it, if it has a plan.
func planned(t *rapid.T, text string) (*sequences.Sequence, *planner.Plan) {
	seq := read(t, text)
	plan, err := planner.Make(seq, quick())
	if err != nil {
		t.Skip("it has no plan")
	}
	return seq, plan
}

func randomText(t *rapid.T) string {
	seed := rapid.Uint64().Draw(t, "seed")
	r := rand.New(rand.NewPCG(seed, 1))
	config := randseq.Small
	if seed%2 == 1 {
		config = randseq.Streams
	}
	c := config(r)
	c.Buffers, c.Policies = min(c.Buffers, 20), 0
	return string(randseq.YAML(r, c))
}

func literal(v uint64) *expr.Node {
	return &expr.Node{Kind: expr.Lit, Pos: sequences.Pos{Line: 1, Col: 1}, Value: v, Ref: -1}
}

// everyKind has a budget of each kind, with a limit that all exceed if they can.
func everyKind(seq *sequences.Sequence) []sequences.Budget {
	steps := make([]sequences.StepID, len(seq.Steps))
	for i := range steps {
		steps[i] = sequences.StepID(i)
	}
	out := []sequences.Budget{
		{Kind: sequences.BudgetTotal, Name: "total"},
		{Kind: sequences.BudgetArena, Name: "arena"},
		{Kind: sequences.BudgetAlgorithm, Name: "algorithms.*", Steps: steps},
		{Kind: sequences.BudgetAlgorithm, Name: "algorithms.first", Steps: steps[:1]},
	}
	for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
		out = append(out, sequences.Budget{Kind: sequences.BudgetPool, Name: "pools." + scope.String(), Scope: scope})
		for _, dynamic := range []bool{false, true} {
			out = append(out, sequences.Budget{Kind: sequences.BudgetClass, Name: "classes.x_" + scope.String(), Scope: scope, Dynamic: dynamic})
		}
	}
	for i := range out {
		out[i].Max = literal(0)
	}
	return out
}

func withBudgets(seq *sequences.Sequence, budgets ...sequences.Budget) *sequences.Sequence {
	out := *seq
	out.Budgets = budgets
	return &out
}

// A budget of exactly what is used holds, and one of a byte less does not.
func TestBudgetIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seq, plan := random(t)
		basis := sequences.BudgetBasis(rapid.IntRange(0, 2).Draw(t, "basis"))
		budgets := everyKind(seq)
		for i := range budgets {
			budgets[i].Basis = basis
		}
		first, err := Evaluate(withBudgets(seq, budgets...), plan, Options{})
		require.NoError(t, err)
		for i, r := range first {
			if r.Fault != "" {
				require.Equal(t, CodeNoSize, r.Code)
				continue
			}
			require.Equal(t, r.Used, r.Over)
			exact, less := budgets[i], budgets[i]
			exact.Max = literal(uint64(r.Used))
			less.Max = literal(uint64(max(r.Used, 1) - 1))
			again, err := Evaluate(withBudgets(seq, exact, less), plan, Options{})
			require.NoError(t, err)
			require.True(t, again[0].Holds(), "%+v", again[0])
			require.Equal(t, r.Used > 0, !again[1].Holds())
			require.EqualValues(t, min(r.Used, 1), again[1].Over)
		}
		agree(t, plan, first, basis)
	})
}

// agree compares what is used with the figures of the plan.
func agree(t tester, plan *planner.Plan, results []Result, basis sequences.BudgetBasis) {
	t.Helper()
	find := func(name string) *Result {
		return &results[slices.IndexFunc(results, func(r Result) bool { return r.Name == name })]
	}
	require.Equal(t, plan.Pools[0].Size, find("pools.device").Used)
	require.Equal(t, plan.Pools[1].Size, find("pools.host").Used)
	demand, by := plan.Arena.Worst, planner.BasisWorst
	if basis == sequences.BudgetTypical {
		demand, by = plan.Arena.Typical, planner.BasisTypical
	}
	if basis != sequences.BudgetAny && demand != nil {
		require.Equal(t, demand.Sum, find("arena").Used)
		need, err := plan.DeviceNeed(by)
		require.NoError(t, err)
		require.Equal(t, need*sequences.Bytes(plan.Workers), find("total").Used)
	}
	for _, r := range results {
		for i, c := range r.Culprits {
			require.True(t, i == 0 || c.Bytes <= r.Culprits[i-1].Bytes)
			require.LessOrEqual(t, c.Bytes, r.Used)
		}
	}
}
