package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
)

// hostile is what an evil name could hold: the end of the data, of the script, markup,
// code, characters that JavaScript once took for line ends, that turn the direction of
// text, and more than any line has room for.
var hostile = `</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>"'` + "`${alert(1)}\u2028\r\n\x00\u202e]]>\\" + strings.Repeat("W", 5000)

// hostilePage has evil names wherever a name is shown, in budgets and the baseline too.
func hostilePage(t *testing.T) ([]byte, *planner.Plan) {
	t.Helper()
	seq := limited(t)
	seq.Name = hostile
	for i := range seq.Buffers {
		seq.Buffers[i].Name += hostile
		seq.Buffers[i].CountText += hostile
	}
	for i := range seq.Steps {
		seq.Steps[i].Name += hostile
	}
	for i := range seq.Params {
		seq.Params[i].Name += hostile
	}
	for i := range seq.Budgets {
		seq.Budgets[i].Name += hostile
		seq.Budgets[i].Text += hostile
	}
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	old := *plan
	old.Name, old.Buffers = hostile+"old", append([]planner.Buffer{}, plan.Buffers[1:]...)
	old.Buffers[3].Max *= 2
	old.Buffers[4].Name += "renamed"
	since := diff.New(&old, plan)
	since.Locate(seq, seq)
	fit, err := planner.Fit(seq, 40<<20, planner.BasisTypical, quick())
	require.NoError(t, err)
	return writeWith(t, seq, plan, report.Options{Budgets: evaluate(t, seq, plan), Baseline: since, Capacity: fit.Capacity, Fit: &fit}), plan
}

func TestHostileText(t *testing.T) {
	text, _ := hostilePage(t)
	require.Equal(t, 3, strings.Count(string(text), "<script"))
	require.Equal(t, 3, strings.Count(string(text), "</script"))
	require.NotContains(t, string(text), "<img")
	require.NotContains(t, string(text), "\u202e")
	require.NotContains(t, string(formulasOf(t, text)), "alert")
	var back struct{ Name string }
	require.NoError(t, json.Unmarshal(dataOf(t, text), &back))
	require.Equal(t, prose.Plain(hostile), back.Name)
}

// Names that are markup or code stay text, and the page stays as wide as its window.
func TestHostileInBrowser(t *testing.T) {
	text, plan := hostilePage(t)
	tb := open(t, text, 1280, 900)
	tb.do(chromedp.Focus(chromedp.ID("map")), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("\r"))
	names := tb.column("buffers", 0)
	for i, b := range plan.Buffers {
		require.Equal(t, prose.Plain(b.Name), names[i])
	}
	require.Equal(t, prose.Plain(hostile), eval[string](tb, `document.querySelector("h1").textContent`))
	require.Contains(t, eval[string](tb, `document.querySelector(".detail code").textContent`), prose.Plain(strings.Join(strings.Fields(hostile), " ")))
	require.Contains(t, eval[string](tb, `document.getElementById("budgets").textContent`), prose.Plain(hostile))
	require.Contains(t, eval[string](tb, `document.getElementById("capacity").textContent`), "largest n_events</script><script>alert(1)")
	require.Less(t, len(tb.shown("#capacity .verdict")[0]), 300, "a long name is cut")
	require.Contains(t, eval[string](tb, `document.getElementById("baseline").textContent`), prose.Plain(hostile))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("img, iframe, object").length`))
	require.Equal(t, 3, eval[int](tb, `document.scripts.length`))
	for _, width := range []int64{1280, 400} {
		tb.do(chromedp.EmulateViewport(width, 900))
		require.LessOrEqual(t, eval[int64](tb, `document.documentElement.scrollWidth`), width)
		require.Equal(t, 0, eval[int](tb, `[...document.querySelectorAll("tbody th")].filter((n) => n.offsetWidth > 500).length`), "long names wrap")
	}
	at := eval[[]float64](tb, `(() => {
		document.getElementById("map").scrollIntoView();
		const r = document.querySelector("#map .selected").getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	tb.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	require.False(t, eval[bool](tb, `document.getElementById("tip").hidden`))
	require.LessOrEqual(t, eval[float64](tb, `document.getElementById("tip").getBoundingClientRect().height`), 900.0)
}
