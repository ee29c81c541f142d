package budget

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// waysOf returns the ways of the only budget of a sequence, by kind, which come in order.
func waysOf(t *testing.T, text string) map[WayKind][]Way {
	t.Helper()
	r := evaluate(t, read(t, text), Options{Ways: true})
	require.Len(t, r, 1)
	require.Positive(t, r[0].Over)
	order := []WayKind{WayReuse, WayAfter, WayParam, WayMax, WayBatch, WayBuffer, WayTypical}
	require.True(t, slices.IsSortedFunc(r[0].Ways, func(a, b Way) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) }))
	out := map[WayKind][]Way{}
	for _, w := range r[0].Ways {
		out[w.Kind] = append(out[w.Kind], w)
	}
	return out
}

const counted = `seqplan: 1
name: counted
params: {n_events: {min: 1, max: 100}, flat: {min: 1, max: 7}}
counts:
  hits:
    at: "o[0]"
    max: "n_events * 50 + 7"
    typical: "n_events * 30"
steps:
  - {name: a, writes: {o: {type: u32, count: 1}}}
  - {name: b, writes: {h: {type: u8, count: hits}}}
budgets: {arena: {max: MAX, basis: worst}}
`

// A max is told as it is written, and is not below the typical value.
func TestMaxima(t *testing.T) {
	with := func(limit string) map[WayKind][]Way { return waysOf(t, replaced(t, counted, "MAX", limit)) }
	w := with("4352")[WayMax] // a multiple of 256
	require.Len(t, w, 1)
	w[0].Limit, w[0].Used = 0, 0
	require.Equal(t, Way{
		Kind: WayMax, Name: "hits", From: 5007, To: 4300, Formula: "n_events * 43", Now: "n_events * 50 + 7", Place: Place{Line: 7, Col: 11},
	}, w[0])
	require.Equal(t, "n_events * 30", with("3072")[WayMax][0].Formula)
	require.Empty(t, with("2816")[WayMax], "that is 28.16 for each event")
	require.NotEmpty(t, with("2816")[WayBatch])

	text := replaced(t, replaced(t, counted, `"n_events * 50 + 7"`, "5007"), `"n_events * 30"`, "3000")
	w = waysOf(t, replaced(t, text, "MAX", "4352"))[WayMax]
	require.EqualValues(t, 4352, w[0].To)
	require.Equal(t, "4352 5007", w[0].Formula+" "+w[0].Now, "nothing in it is per event")
	require.Empty(t, waysOf(t, replaced(t, text, "MAX", "2816"))[WayMax])
	text = strings.Replace(text, "typical: 3000", "", 1)
	require.EqualValues(t, 2816, waysOf(t, replaced(t, text, "MAX", "2816"))[WayMax][0].To)
}

// A formula of a template is changed for all of its instances.
func TestTemplates(t *testing.T) {
	const text = `seqplan: 1
name: lines
params: {n_events: {min: 1, max: 1024}}
templates:
  line:
    args: [name, size]
    step:
      name: "${name}"
      writes:
        "${name}.out": {type: u32, count: "n_events * ${size}", keep: true}
steps:
  - use: line
    for: [{name: a, size: 64}, {name: b, size: 16}, {name: c, size: 64}]
  - {name: d, writes: {x: {type: u8, count: 1}}}
budgets: {classes: {static_device: 400000}}
`
	r := evaluate(t, read(t, text), Options{Ways: true})[0]
	require.Equal(t, 3, r.Culprits[0].Instances)
	require.Equal(t, 0, r.Culprits[3].Instances)
	require.Len(t, r.Ways, 2)
	w := r.Ways[1]
	require.Equal(t, Way{
		Kind: WayBuffer, Name: "a.out", From: 4 * 65536, To: 4 * 40 * 1024, Formula: "min(..., n_events * 40)", Now: "n_events * 64",
		Template: "line", Instances: 3, Limit: 400000, Used: 4*1024*(40+16+40) + 1, Place: w.Place,
	}, w)
	require.Equal(t, 10, w.Line)
	require.Equal(t, WayBatch, r.Ways[0].Kind)

	// A placeholder at the start of a formula, or instead of it, stands in the template too.
	for count, max := range map[string]string{"${size} * n_events": "400000", "${size}": "200"} {
		limit := strings.Replace(text, "n_events * ${size}", count, 1)
		r := evaluate(t, read(t, replaced(t, limit, "400000", max)), Options{Ways: true})[0]
		w := cut(t, &r)
		require.Equal(t, 3, w.Instances, count)
		require.Equal(t, 10, w.Line, count)
	}
}

// What was not tried is counted.
func TestMore(t *testing.T) {
	const text = `seqplan: 1
name: same
steps:
  - name: s
    writes:
      a: {type: u8, count: 100}
      b: {type: u8, count: 100}
      c: {type: u8, count: 100}
      d: {type: u8, count: 100}
budgets: {algorithms: {s: 350}}
`
	r := evaluate(t, read(t, text), Options{Ways: true})[0]
	require.Len(t, r.Ways, eachKind)
	require.Equal(t, 4-eachKind, r.More)
	r = evaluate(t, read(t, text), Options{Ways: true, Top: 1})[0]
	require.Equal(t, 0, r.More)
	require.Equal(t, 4, r.Buffers)
}

// One formula times four is caught; the buffer and its line are named first, and the way
// through it is before a smaller batch.
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
			require.True(t, slices.ContainsFunc(r.Ways, func(w Way) bool { return w.Kind == WayBuffer && w.Line == line }))
			require.True(t, slices.ContainsFunc(r.Ways, func(w Way) bool { return w.Kind == WayBatch }))
		}
	}
	require.GreaterOrEqual(t, over, 3)
}

// cut is the first way that is a cut of a buffer.
func cut(t *testing.T, r *Result) Way {
	t.Helper()
	i := slices.IndexFunc(r.Ways, func(w Way) bool { return w.Kind == WayBuffer })
	require.GreaterOrEqual(t, i, 0)
	return r.Ways[i]
}

func mustIndex(t *testing.T, text, part string) int {
	t.Helper()
	i := strings.Index(text, part)
	require.GreaterOrEqual(t, i, 0)
	return i
}

func replaced(t *testing.T, text, old, with string) string {
	t.Helper()
	i := mustIndex(t, text, old)
	return text[:i] + with + text[i+len(old):]
}
