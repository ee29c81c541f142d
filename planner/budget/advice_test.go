package budget

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// limited is the result for the budgets that a text gets.
func limited(t *testing.T, text, budgets string) Result {
	t.Helper()
	results := evaluate(t, read(t, text+"\nbudgets: "+budgets+"\n"), Options{Ways: true})
	require.Len(t, results, 1)
	require.Positive(t, results[0].Over)
	return results[0]
}

// What a template sizes stays as it is where it is smaller than what is written.
func TestCountOfTemplate(t *testing.T) {
	text := file(t, "../../sequences/hlt1/reco.yaml")
	const pools = "{pools: {host: 2MiB}}"
	r := limited(t, text, pools)
	w := cut(t, &r)
	require.Equal(t, "min(..., n_events * 306)", w.Formula)
	require.Equal(t, 21, w.Instances)
	used := func(w Way) uint64 {
		return uint64(evaluate(t, read(t, apply(t, text+"\nbudgets: "+pools+"\n", w, 0)), Options{})[0].Used)
	}
	require.EqualValues(t, w.Used, used(w))
	w.Formula = "n_events * 306"
	require.Greater(t, used(w), uint64(r.Used), "that in its place is more than all of it now")
}

// A number stays a number, and what may be smaller than a number stays in it.
func TestFormulaOfCount(t *testing.T) {
	const text = `seqplan: 1
name: counts
params: {n_events: {min: 1, max: 10}, k: 100}
counts: {hits: {at: "o[0]", max: "n_events * 50"}}
steps:
  - {name: s, writes: {o: {type: u32, count: 1}}}
  - {name: d, writes: {b: {type: u8, count: COUNT}}}`
	for count, want := range map[string]string{
		"500": "300", `"n_events * 50"`: "n_events * 30", `"50 * n_events"`: "min(..., n_events * 30)", `"n_events * 49 + 10"`: "min(..., n_events * 30)",
		"hits": "min(..., n_events * 30)", `"k * 5"`: "min(..., 300)", `"max(hits, n_events * 5)"`: "min(..., n_events * 30)",
	} {
		r := limited(t, replaced(t, text, "COUNT", count), "{algorithms: {d: 300}}")
		require.Equal(t, want, cut(t, &r).Formula, count)
		require.EqualValues(t, 300, cut(t, &r).Used, count)
	}
}

// An edge that is written in a template is one of all of its instances.
func TestEdgeInTemplate(t *testing.T) {
	text := strings.Replace(streams, "steps:", `templates:
  t:
    args: [name, dep]
    step:
      name: "${name}"
      stream: b
      after: "${dep}"
      writes: {"${name}.o": {type: u8, count: 1}}
steps:`, 1)
	instances := "  - {use: t, for: [{name: t1, dep: left}, {name: t2, dep: left}]}\n"
	behind := read(t, strings.Replace(text, "  - {name: right_end", instances+"  - {name: right_end", 1))
	ahead := read(t, strings.NewReplacer("  - {name: left_end", "  - {use: t, with: {name: t1, dep: left}}\n  - {name: left_end",
		"  - {name: right_end", "  - {use: t, with: {name: t2, dep: left}}\n  - {name: right_end").Replace(text))
	edge := func(from, to sequences.StepID) []planner.AddedEdge { return []planner.AddedEdge{{From: from, To: to}} }

	c, err := newChecker(behind, mustPlan(t, behind), Options{})
	require.NoError(t, err)
	l, ok := c.after(edge(1, 4))
	require.True(t, ok)
	l.Edges[0].Place = Place{}
	require.Equal(t, []Edge{{From: "left_end", To: "t2", Added: true, Template: "t", Instances: 2}}, l.Edges)
	for i, s := range l.seq.Steps {
		require.Equal(t, s.Template == "t", len(s.After) == 2, i)
	}
	_, ok = c.after(edge(3, 4))
	require.False(t, ok, "a step cannot come after itself")

	_, ok = c.after(edge(0, 4))
	require.False(t, ok, "they have it already")

	c, err = newChecker(ahead, mustPlan(t, ahead), Options{})
	require.NoError(t, err)
	_, ok = c.after(edge(2, 4))
	require.False(t, ok, "one of them is before it")
}

// A parameter, which keeps what depends on it in proportion, and a smaller batch come before a
// cut of one buffer, of which no plan knows whether a kernel has room in it.
func TestCutsComeLast(t *testing.T) {
	reco := limited(t, file(t, "../../sequences/hlt1/reco.yaml"), "{pools: {device: 450MiB}}")
	require.Equal(t, WayParam, reco.Ways[0].Kind)
	require.Equal(t, "sv_max_pairs", reco.Ways[0].Name)
	certain := slices.IndexFunc(reco.Ways, func(w Way) bool { return w.Kind.If() })
	require.Equal(t, WayBatch, reco.Ways[certain-1].Kind)
	require.Equal(t, WayBuffer, reco.Ways[certain].Kind)
}

// The budget of all workers says how many there are.
func TestWorkersOfTotal(t *testing.T) {
	const text = `seqplan: 1
name: workers
workers: 4
steps:
  - {name: s, writes: {b: {type: u8, count: 1024}}}`
	require.Equal(t, 4, limited(t, text, "{total: 1KiB}").Workers)
	require.Equal(t, 0, limited(t, text, "{pools: {device: 1KiB}}").Workers)
	require.Equal(t, 0, limited(t, replaced(t, text, "workers: 4", "workers: 1"), "{total: 1KiB}").Workers)
}

// A typical value is told last, for it is measured.
func TestTypicalIsLast(t *testing.T) {
	w := evaluate(t, read(t, replaced(t, replaced(t, counted, "MAX", "2560"), "worst", "typical")), Options{Ways: true})[0].Ways
	require.Equal(t, []WayKind{WayBatch, WayBuffer, WayTypical}, []WayKind{w[0].Kind, w[1].Kind, w[2].Kind})
	require.Equal(t, "n_events * 25", w[2].Formula)
}

// What the only instance of a template has keeps its placeholders.
func TestOneInstance(t *testing.T) {
	const text = `seqplan: 1
name: one
templates:
  t: {args: [name, size], step: {name: "${name}", writes: {"${name}.o": {type: u8, count: "${size}"}}}}
steps:
  - {use: t, with: {name: s, size: 10}}`
	w := limited(t, text, "{algorithms: {s: 7}}").Ways[0]
	require.Equal(t, "min(..., 7)", w.Formula)
	require.Equal(t, 0, w.Instances)
}
