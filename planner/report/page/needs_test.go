package page_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// exact is a number of bytes as the page prints it.
func exact(n sequences.Bytes) string { return report.Bytes(n) }

// bytesOf reads a number of bytes back.
func bytesOf(t *testing.T, text string) sequences.Bytes {
	t.Helper()
	n, err := strconv.ParseUint(strings.Fields(text)[0], 10, 64)
	require.NoError(t, err, text)
	return sequences.Bytes(n)
}

func roundUp(n, align sequences.Bytes) sequences.Bytes { return (n + align - 1) / align * align }

// needsOf are the rows of the table of needs.
func (tb *tab) needsOf(column int) []string {
	tb.t.Helper()
	return eval[[]string](tb, fmt.Sprintf(`[...document.querySelectorAll("#needs tbody tr")].map((n) => n.cells[%d].textContent)`, column))
}

// ruleBytes reads a level line of the curve back.
func (tb *tab) ruleBytes(kind string) float64 {
	tb.t.Helper()
	return eval[float64](tb, fmt.Sprintf(`(({ end, top, bottom }) => (bottom - document.querySelector("#curve .rule.%s").getAttribute("y1")) / (bottom - top) * end)(document.getElementById("live").dataset)`, kind))
}

// A capacity is compared with what one worker needs: the static region, which is held all the
// time, and the arena. All places tell the figures of fit.
func TestCapacityAndArena(t *testing.T) {
	seq := read(t, hlt1.RecoFile, hlt1.Reco())
	_, plan := writeReco(t)
	const capacity = sequences.Bytes(700 << 20)
	fit, err := planner.Fit(seq, capacity, planner.BasisTypical, planner.Options{})
	require.NoError(t, err)
	require.True(t, fit.Fits && !fit.Limited)
	tb := open(t, writeWith(t, seq, plan, report.Options{Capacity: capacity, Fit: &fit}), 1280, 900)
	box := tb.shown("#capacity")[0]
	require.Contains(t, box, fmt.Sprintf("largest n_events that fits: %d with %s; %d would need %s", fit.Value, exact(fit.Need), fit.Value+1, exact(fit.Next)))
	require.Contains(t, box, report.BasisText(planner.BasisTypical))
	require.True(t, eval[bool](tb, `document.getElementById("capacity").getBoundingClientRect().bottom <= document.getElementById("curve").getBoundingClientRect().top`))
	pool := strings.Join(tb.shown("#pools tr"), "\n")
	cards := strings.Join(tb.shown(".card"), "\n")
	require.Contains(t, cards, fmt.Sprint(fit.Value))
	for i, basis := range planner.Bases() {
		need, err := plan.DeviceNeed(basis)
		require.NoError(t, err)
		verdict := "does not fit, short of " + exact(need-capacity)
		if basis == planner.BasisStatic {
			verdict = "fits, "
		}
		require.Equal(t, basis.String()+" "+report.BasisText(basis), tb.needsOf(0)[i])
		require.Equal(t, exact(need), tb.needsOf(1)[i])
		require.Contains(t, tb.needsOf(2)[i], verdict)
		for _, column := range []int{3, 4} {
			require.Equal(t, exact(need), tb.needsOf(column)[i], "the sliders are at the largest values")
		}
		require.Contains(t, pool, exact(need)+", "+verdict)
		_, unit, _ := strings.Cut(strings.TrimSuffix(exact(need), ")"), "(")
		require.Contains(t, cards, unit)
	}
	peak, err := plan.DeviceNeed(planner.BasisPeak)
	require.NoError(t, err)
	require.Equal(t, peak, slices.Max(tb.curve("all")))
	require.Greater(t, peak, capacity, "the curve goes above the line")
	pixel := bytesOfPixel(tb)
	require.InDelta(t, float64(capacity), tb.ruleBytes("capacity"), pixel)
	require.InDelta(t, float64(plan.Pools[0].Size), tb.ruleBytes("height"), pixel)
	require.Contains(t, tb.shown("#readout")[0], exact(peak)+" held")

	// Without the arena the line says so.
	eval[bool](tb, `(document.getElementById("arena").click(), true)`)
	require.Equal(t, []string{"capacity 700.0 MiB, the arena is not shown"}, tb.shown("#curve .rule-name.capacity"))
	require.InDelta(t, float64(capacity), tb.ruleBytes("capacity"), bytesOfPixel(tb))
	require.Empty(t, tb.shown("#all"))
}

// The answer of fit is told for each way it can end, and where it is unknown.
func TestFitAnswers(t *testing.T) {
	seq := read(t, hlt1.VeloFile, hlt1.Velo())
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	var tb *tab
	for _, c := range []struct {
		capacity sequences.Bytes
		unknown  string
		want     string
	}{
		{1 << 30, "", "✓ n_events = 1000 fits with "},
		{1 << 10, "", "✗ not even n_events = 1 fits: it needs "},
		{1 << 30, "a reason", "? how large a batch fits is unknown: a reason"},
	} {
		opts := report.Options{Capacity: c.capacity, FitUnknown: c.unknown}
		if c.unknown == "" {
			fit, err := planner.Fit(seq, c.capacity, planner.BasisPeak, quick())
			require.NoError(t, err)
			opts.Fit = &fit
		}
		text := writeWith(t, seq, plan, opts)
		if tb == nil {
			tb = open(t, text, 1280, 900)
		} else {
			tb.show(text)
		}
		require.Contains(t, tb.shown("#capacity .verdict")[0], c.want)
	}
	tb.show(writeWith(t, seq, plan, report.Options{}))
	require.Empty(t, tb.shown("#capacity"))
	require.Len(t, tb.needsOf(0), len(planner.Bases()), "the table is there without a capacity too")
}

// Where a count has no typical value nothing is said of the arena.
func TestNoTypical(t *testing.T) {
	seq := read(t, "f.yaml", []byte(`
seqplan: 1
name: f
device: {capacity: 64KiB}
params: {n: {min: 1, max: 100}}
counts: {m: {at: "o[n]", max: "n * 9"}}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}}
  - name: s1
    writes: {a: {type: u32, count: "m"}}
`))
	text, plan := write(t, seq)
	tb := open(t, text, 1280, 900)
	eval[bool](tb, `(document.getElementById("arena").checked || document.getElementById("arena").click(), true)`)
	require.Empty(t, tb.shown("#all"))
	require.Contains(t, tb.shown("#readout")[0], "the arena is unknown: a count has no typical value")
	require.Contains(t, tb.shown("#curve .rule-name.capacity")[0], "the arena is not shown")
	worst, err := plan.DeviceNeed(planner.BasisWorst)
	require.NoError(t, err)
	require.Equal(t, []string{exact(plan.Pools[0].Size), "unknown", "unknown", exact(worst)}, tb.needsOf(1))
	require.Contains(t, tb.needsOf(2)[1], planner.ErrNoDemand.Error())
	tb.setTo(50)
	require.Equal(t, []string{exact(plan.Pools[0].Size), "unknown", "unknown", "the planner knows"}, tb.needsOf(3))
}

// A batch never has more than the max of a count, whatever is typical.
func TestTypicalAboveMax(t *testing.T) {
	seq := read(t, "f.yaml", []byte(`
seqplan: 1
name: f
params: {n: {min: 1, max: 100}}
counts: {m: {at: "o[n]", typical: "n * 3000", max: "n * n * 20"}}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}}
  - name: s1
    writes: {a: {type: u32, count: "m"}}
`))
	text, plan := write(t, seq)
	tb := open(t, text, 1280, 900)
	eval[bool](tb, `(document.getElementById("arena").checked || document.getElementById("arena").click(), true)`)
	for _, value := range []uint64{100, 77} {
		if value < 100 {
			tb.setTo(value)
		}
		then := planAt(t, seq, value)
		require.Equal(t, plan.Pools[0].Size+then.Arena.Typical.Peak, slices.Max(tb.curve("all")))
	}
}
