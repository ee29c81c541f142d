package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

// Each thing that is compared makes a difference on its own, and what is not makes none.
func TestEachField(t *testing.T) {
	n := sequences.Bytes(256)
	for name, edit := range map[string]func(p *planner.Plan){
		"hash": func(p *planner.Plan) { p.Hash++ }, "name": func(p *planner.Plan) { p.Name = "x" },
		"batch":           func(p *planner.Plan) { p.Batch = "x" },
		"param":           func(p *planner.Plan) { p.Params[0].Max++ },
		"param added":     func(p *planner.Plan) { p.Params = append(p.Params, planner.Param{Name: "x"}) },
		"count max":       func(p *planner.Plan) { *p.Counts[0].Max++ },
		"count typical":   func(p *planner.Plan) { *p.Counts[0].Typical++ },
		"count at":        func(p *planner.Plan) { p.Counts[0].At = "x" },
		"height":          func(p *planner.Plan) { p.Pools[0].Height++ },
		"bound":           func(p *planner.Plan) { p.Pools[0].LowerBound++ },
		"optimal":         func(p *planner.Plan) { p.Pools[1].Optimal = !p.Pools[1].Optimal },
		"reserved":        func(p *planner.Plan) { p.Pools[0].Reserved++ },
		"pool align":      func(p *planner.Plan) { p.Pools[0].Align *= 2 },
		"capacity":        func(p *planner.Plan) { p.Pools[0].Capacity = 1 },
		"reuse":           func(p *planner.Plan) { p.Pools[0].Reuse = "event" },
		"slots":           func(p *planner.Plan) { p.Arena.Slots++ },
		"arena align":     func(p *planner.Plan) { p.Arena.Align *= 2 },
		"streams":         func(p *planner.Plan) { p.Streams = []string{"a", "b"} },
		"step added":      func(p *planner.Plan) { p.Steps = append(p.Steps, planner.Step{Name: "x"}) },
		"steps swapped":   func(p *planner.Plan) { swapIdle(p) },
		"step on host":    func(p *planner.Plan) { p.Steps[0].Host = true },
		"host wait":       func(p *planner.Plan) { p.Waits = []planner.Wait{{Step: 1}} },
		"stream wait":     func(p *planner.Plan) { p.Steps[2].After = []sequences.StepID{0} },
		"offset":          func(p *planner.Plan) { p.Buffers[0].Offset += 256 },
		"class":           func(p *planner.Plan) { p.Buffers[0].Class = planner.Dynamic },
		"scope":           func(p *planner.Plan) { p.Buffers[0].Scope = sequences.Host },
		"kind":            func(p *planner.Plan) { p.Buffers[1].Kind = sequences.Scratch },
		"type":            func(p *planner.Plan) { p.Buffers[0].Type = "x" },
		"element":         func(p *planner.Plan) { p.Buffers[0].ElemSize++ },
		"formula":         func(p *planner.Plan) { p.Buffers[0].Count += " + 0" },
		"declaring step":  func(p *planner.Plan) { p.Buffers[1].Step++ },
		"align":           func(p *planner.Plan) { p.Buffers[0].Align *= 2 },
		"first":           func(p *planner.Plan) { p.Buffers[0].Lifetime.First++ },
		"end":             func(p *planner.Plan) { p.Buffers[0].Lifetime.End++ },
		"size":            func(p *planner.Plan) { p.Buffers[0].Max++ },
		"driven by":       func(p *planner.Plan) { p.Buffers[0].DrivenBy = []string{"x"} },
		"in place":        func(p *planner.Plan) { p.Buffers[0].InPlaceOf = "x" },
		"lent":            func(p *planner.Plan) { p.Buffers[0].Lent = []planner.Lent{{}} },
		"fixed":           func(p *planner.Plan) { p.Buffers[0].FixedOffset = &n },
		"hint":            func(p *planner.Plan) { p.Buffers[0].Hint = &n },
		"buffer gone":     func(p *planner.Plan) { p.Buffers = p.Buffers[1:] },
		"empty buffer":    func(p *planner.Plan) { p.Buffers = append(p.Buffers, planner.Buffer{Name: "x"}) },
		"buffer renamed":  func(p *planner.Plan) { p.Buffers[0].Name += "x" },
		"worst unlimited": func(p *planner.Plan) { largestDynamic(p).Proof = planner.ProofNone },
	} {
		young := clone(t, velo(t))
		edit(young)
		d := diff.New(velo(t), young)
		require.False(t, d.Empty, name)
		require.NotEqual(t, "no difference", d.Verdict, name)
		require.Greater(t, len(d.Lines(diff.Options{})), 1, name)
	}
	young := clone(t, velo(t))
	young.Source = "x"
	young.Pools[0].Method, young.Pools[0].Nodes, young.Pools[0].PeakStep, young.Pools[0].AtPeak = "x", 5, 2, nil
	young.Buffers[0].ProofAt, young.Arena.Simulated = nil, nil
	require.True(t, diff.New(velo(t), young).Empty)
}

// A plan with one stream has no names of streams.
func TestStreamsAppeared(t *testing.T) {
	young := clone(t, velo(t))
	young.Streams = []string{"a", "b"}
	young.Steps[1].Stream = 1
	d := diff.New(velo(t), young)
	require.Len(t, d.Steps.Changed, 1)
	require.Equal(t, diff.Pair[string]{New: "b"}, d.Steps.Changed[0].Stream)
}

func largestDynamic(p *planner.Plan) *planner.Buffer {
	return &p.Buffers[slices.IndexFunc(p.Buffers, func(b planner.Buffer) bool { return b.Class == planner.Dynamic })]
}

// swapIdle swaps the last two steps, and what lives there with them.
func swapIdle(p *planner.Plan) {
	n := len(p.Steps) - 1
	p.Steps[n], p.Steps[n-1] = p.Steps[n-1], p.Steps[n]
	swap := map[sequences.StepID]sequences.StepID{sequences.StepID(n): sequences.StepID(n - 1), sequences.StepID(n - 1): sequences.StepID(n)}
	of := func(s sequences.StepID) sequences.StepID {
		if to, ok := swap[s]; ok {
			return to
		}
		return s
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		b.Step, b.Lifetime.First, b.Lifetime.End = of(b.Step), of(b.Lifetime.First), of(b.Lifetime.End-1)+1
	}
}

// Steps alone that changed their order are a difference.
func TestReordered(t *testing.T) {
	young := clone(t, velo(t))
	swapIdle(young)
	d := diff.New(velo(t), young)
	require.Equal(t, 1, d.Steps.Reordered)
	require.Empty(t, d.Buffers)
	require.False(t, d.Empty)
	require.Contains(t, strings.Join(d.Lines(diff.Options{}), "\n"), "Steps: 0 added, 0 removed, 0 changed, 1 in another order")
	slices.Reverse(young.Steps)
	require.Equal(t, len(young.Steps)-2, diff.New(velo(t), young).Steps.Reordered)
}

// Where the counted size stayed, the largest size sorts.
func TestSortedByWorst(t *testing.T) {
	old := velo(t, `hit_used: {type: bool, count: "n_events * 5000"}`, `a_hits: {type: bool, count: n_clusters}`, "hit_used]", "a_hits]")
	young := clone(t, old)
	for i := range young.Buffers {
		switch b := &young.Buffers[i]; b.Name {
		case "clusters":
			b.Max += 12
		case "a_hits":
			b.Max++
		}
	}
	d := diff.New(old, young)
	require.Len(t, d.Buffers, 2)
	require.Equal(t, diff.Grew, d.Buffers[0].Kind)
	require.Equal(t, "clusters", d.Buffers[0].Name)
	require.Equal(t, "+12", d.Buffers[0].Worst.String())
}

// A new parameter is no cause, and a buffer that moved to another class is named before
// one that grew by more, and before the parameters.
func TestCause(t *testing.T) {
	d := diff.New(velo(t), velo(t, "  max_tracks: 400\n", "  max_tracks: 400\n  more: 4\n",
		`prefix_velo: {type: u32, count: "n_events * max_tracks`, `prefix_velo: {type: u32, count: "n_events * max_tracks * more`))
	require.Equal(t, "device pool +4.6 MiB (+15.6 %), because prefix_velo grew by 4.6 MiB", d.Verdict)

	d = diff.New(velo(t), velo(t, `count: "n_events * 5000"`, `count: "count_of(clusters)"`, `count: "n_events * 1000"`, `count: "n_events * 9000"`))
	require.Regexp(t, `^typical device need \+.* = device pool \+.*: hit_used moved from static to dynamic, and 1 more buffer changed$`, d.Verdict)
}
