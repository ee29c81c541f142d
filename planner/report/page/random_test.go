package page_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// monotone reports whether the planned size of each static buffer is that at the largest
// values of the parameters.
func monotone(seq *sequences.Sequence, plan *planner.Plan) bool {
	var params []uint64
	for _, p := range seq.Params {
		params = append(params, p.Max)
	}
	at, err := planner.At(seq, params)
	if err != nil {
		return false
	}
	for i, b := range plan.Buffers {
		if b.Class != planner.Static {
			continue
		}
		if bytes, err := at.Bytes(sequences.BufferID(i)); err != nil || bytes != uint64(b.Max) {
			return false
		}
		for _, s := range seq.Buffers[i].Shrinks {
			if _, err := at.Eval(s.Count); err != nil {
				return false
			}
		}
	}
	return true
}

// The curve follows the rule of report.Live with gaps, shrinks, storage that is taken over,
// and several streams.
func TestRandomCurves(t *testing.T) {
	var tb *tab
	compared, moved, lent, shared, needed := 0, 0, 0, 0, 0
	for seed := uint64(0); compared < 15; seed++ {
		r := rand.New(rand.NewPCG(seed, 4))
		c := randseq.Small(r)
		if seed%3 > 0 {
			c = randseq.Streams(r)
			c.Loans = 0.6
		}
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		plan, err := planner.Make(seq, planner.Options{})
		if err != nil || !monotone(seq, plan) {
			continue
		}
		text, _ := write(t, seq)
		if tb == nil {
			tb = open(t, text, 1000, 800)
		} else {
			tb.show(text)
		}
		for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
			tb.pick(scope)
			require.Equal(t, report.Live(plan, scope), tb.curve("live"), "seed %d, %s", seed, scope)
		}
		if p := seq.Batch; p != sequences.None && seq.Params[p].Min < seq.Params[p].Max {
			value := seq.Params[p].Min + (seq.Params[p].Max-seq.Params[p].Min)/3
			at := withMax(seq, value)
			if then, err := planner.Make(at, planner.Options{}); err == nil && monotone(at, then) {
				tb.setTo(value)
				for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
					tb.pick(scope)
					require.Equal(t, report.Live(then, scope), tb.curve("live"), "seed %d, %s, at %d", seed, scope, value)
				}
				least, err := then.DeviceNeed(planner.BasisStatic)
				require.NoError(t, err)
				if text := tb.needsOf(3)[0]; text != "the planner knows" {
					require.LessOrEqual(t, bytesOf(t, text), least, "seed %d", seed)
				}
				if need, err := then.DeviceNeed(planner.BasisPeak); err == nil && then.Arena.Slots > 0 {
					arena := plan.Arena.Align
					require.Equal(t, need-roundUp(then.Pools[0].Size, arena), bytesOf(t, tb.needsOf(2)[1])-roundUp(plan.Pools[0].Size, arena), "seed %d", seed)
					needed++
				}
				moved++
			}
		}
		compared++
		if slices.ContainsFunc(plan.Buffers, func(b planner.Buffer) bool { return len(b.Lent) > 0 }) {
			lent++
		}
		if slices.ContainsFunc(plan.Buffers, func(b planner.Buffer) bool { return b.InPlaceOf != "" && b.Class == planner.Static }) {
			shared++
		}
	}
	require.Greater(t, moved, 6)
	require.Greater(t, needed, 2)
	require.Greater(t, lent, 3)
	require.Greater(t, shared, 3)
}

// A sequence without a parameter, a count, a host buffer, with one step.
func TestLeast(t *testing.T) {
	seq := read(t, "least.yaml", []byte("seqplan: 1\nname: least\nsteps: [{name: only, writes: {b: {type: u8, count: 5}}}]\n"))
	text, plan := write(t, seq)
	tb := open(t, text, 1280, 900)
	require.Equal(t, report.Live(plan, sequences.Device), tb.curve("live"))
	require.Equal(t, []string{"b"}, tb.column("buffers", 0))
	// The curve starts where the reserved bytes end, as the map does.
	require.Greater(t, plan.Pools[0].Reserved, plan.Pools[0].Height)
	require.InDelta(t, float64(report.Live(plan, sequences.Device)[0]), eval[[]float64](tb, drawnBytes)[0], bytesOfPixel(tb))
	require.InDelta(t, float64(plan.Pools[0].Reserved+plan.Pools[0].LowerBound), tb.ruleBytes("bound"), bytesOfPixel(tb))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("input[type=range], #arena, #counts").length`))
	require.Equal(t, []string{report.Bytes(plan.Pools[0].Size)}, tb.needsOf(1), "nothing is dynamic")
	tb.pick(sequences.Host)
	require.Equal(t, report.Live(plan, sequences.Host), tb.curve("live"))
}

// Numbers beyond what a float holds stay exact: sizes, and values of a parameter.
func TestHuge(t *testing.T) {
	seq := read(t, "huge.yaml", []byte(`
seqplan: 1
name: huge
params: {n_events: {min: 1, max: 500000000000000001}}
steps: [{name: only, writes: {b: {type: u8, count: n_events}, c: {type: u8, count: "n_events / 3 + 1"}}}]
`))
	text, plan := write(t, seq)
	tb := open(t, text, 1280, 900)
	require.Equal(t, report.Live(plan, sequences.Device), tb.curve("live"))
	require.Equal(t, "500000000000000001", tb.column("buffers", 8)[0])
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("#curve .planned").length`), "nothing differs from the plan")
	const value = 1<<58 + 257
	tb.setTo(value)
	require.Equal(t, report.Live(planAt(t, seq, value), sequences.Device), tb.curve("live"))
	require.Equal(t, 1, eval[int](tb, `document.querySelectorAll("#curve .planned").length`))
	tb.do(chromedp.Focus(chromedp.ID("slider-0")), chromedp.KeyEvent(kb.Home))
	require.Equal(t, "1", tb.column("buffers", 8)[0])
	tb.do(chromedp.KeyEvent(kb.End))
	require.Equal(t, report.Live(plan, sequences.Device), tb.curve("live"))
}
