package budget

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// odd are sequences of one step with a budget.
func odd(t *testing.T, param, writes, budgets string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq := read(t, "seqplan: 1\nname: odd\nparams: {n: "+param+"}\nsteps: [{name: a, writes: {"+writes+"}}]\nbudgets: {"+budgets+"}\n")
	return seq, mustPlan(t, seq)
}

// A batch that can only be 0 has no size per event.
func TestBatchOfNothing(t *testing.T) {
	seq, plan := odd(t, "{min: 0, max: 0, batch: true}", `x: {type: u8, count: "n + 500"}`, "pools: {device: 100}")
	results, err := Evaluate(seq, plan, Options{Ways: true})
	require.NoError(t, err)
	require.Positive(t, results[0].Over)
}

// The smallest batch has no limit: it is not over one.
func TestNoLimitAtTheSmallest(t *testing.T) {
	seq, _ := odd(t, "{min: 1, max: 10}", `x: {type: u8, count: "n * n * 20"}`, `classes: {static_device: "n * 100 - 110"}`)
	r := evaluate(t, seq, Options{Ways: true})[0]
	require.Positive(t, r.Over)
	require.False(t, r.NoBatch)
	seq, _ = odd(t, "{min: 1, max: 10}", `x: {type: u8, count: "n * 20 + 500"}`, "classes: {static_device: 100}")
	require.True(t, evaluate(t, seq, Options{Ways: true})[0].NoBatch)
}

// What is above the last value that is tried may hold too, where nothing is cut any more: it
// is tried before something is said of it.
func TestNextValueIsTried(t *testing.T) {
	seq, _ := odd(t, "{min: 1, max: 3}", `x: {type: u8, count: "n * 1730 % 1000"}`, "classes: {static_device: 500}")
	r := evaluate(t, seq, Options{Ways: true})[0]
	require.Positive(t, r.Over)
	for _, w := range r.Ways {
		require.NotEqual(t, WayBuffer, w.Kind)
	}
}

// Each buffer has what its own alignment adds, and not that of the pool.
func TestAlignmentIsItsOwn(t *testing.T) {
	seq := read(t, `seqplan: 1
name: aligned
device: {align: 64}
steps:
  - name: a
    writes:
      x: {type: u8, count: 3000}
      o: {type: u8, count: 16}
      big: {type: u8, count: 200, align: 4096}
budgets: {pools: {device: 1000}}
`)
	r := evaluate(t, seq, Options{})[0]
	bytes := map[string]sequences.Bytes{}
	for _, c := range r.Culprits {
		bytes[c.Name] = c.Bytes
	}
	require.EqualValues(t, 3008, bytes["x"])
	require.EqualValues(t, 64, bytes["o"])
	require.LessOrEqual(t, bytes["big"], sequences.Bytes(4096))
	require.Equal(t, r.Used, r.Reserved+r.Holes+bytes["x"]+bytes["o"]+bytes["big"])
}

// A planning that was cancelled is no plan over the limit.
func TestCancelled(t *testing.T) {
	seq, plan := odd(t, "{min: 1, max: 100}", `x: {type: u8, count: "n * 20"}`, "pools: {device: 6000}")
	ctx, cancel := context.WithCancelCause(context.Background())
	results, err := Evaluate(seq, plan, Options{Ways: true, Plan: planner.Options{Context: ctx}})
	require.NoError(t, err)
	require.Len(t, results, 1)
	cancel(context.DeadlineExceeded)
	_, err = Evaluate(seq, plan, Options{Ways: true, Plan: planner.Options{Context: ctx}})
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// A size that is proved point by point takes the work of its points.
func TestEnumerationCounts(t *testing.T) {
	seq := read(t, `seqplan: 1
name: points
params: {n: {min: 1, max: 250}, m: {min: 1, max: 250}}
steps: [{name: a, writes: {x: {type: u8, count: "n * m - (n + m) / 2 % (n + 1)"}}}]
budgets: {classes: {static_device: 1000}}
`)
	require.Greater(t, planner.SizesOf(seq).Work(), uint64(250*250/64))
	require.True(t, evaluate(t, seq, Options{Ways: true, Work: 1000})[0].Cut)
	require.False(t, evaluate(t, seq, Options{Ways: true})[0].Cut)
}

// A limit per event may be kept by larger batches and not by the smallest.
func TestLargerBatchFits(t *testing.T) {
	seq, _ := odd(t, "{min: 1, max: 100}", `x: {type: u8, count: "n * n"}, y: {type: u8, count: 2000}`, `classes: {static_device: "n * 100"}`)
	r := evaluate(t, seq, Options{Ways: true})[0]
	require.False(t, r.NoBatch)
	require.Equal(t, []Way{{Kind: WayBatch, Name: "n", From: 100, To: 72, Limit: 7200, Used: 72*72 + 2000, Place: r.Ways[0].Place}}, r.Ways[:1])
}
