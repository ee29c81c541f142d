package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// large is a sequence of 400 steps and 2,000 buffers, a fifth of them dynamic.
func large() []byte {
	var b strings.Builder
	b.WriteString("seqplan: 1\nname: large\nparams: {n_events: {min: 1, max: 1000}}\n" +
		"counts: {hits: {at: \"step_0.buffer_0[0]\", max: \"n_events * 9\", typical: \"n_events * 3\"}}\nsteps:\n")
	for s := range 400 {
		fmt.Fprintf(&b, "  - name: step_%d\n", s)
		if s > 7 {
			fmt.Fprintf(&b, "    reads: [step_%d.buffer_%d, step_%d.buffer_4]\n", s-7, s%4, s-1)
		}
		b.WriteString("    writes:\n")
		for n := range 5 {
			count := fmt.Sprintf("n_events * %d", 1+(s*7+n*13)%97)
			if n == 4 && s > 0 {
				count = fmt.Sprintf("hits * %d", 1+s%5)
			}
			fmt.Fprintf(&b, "      step_%d.buffer_%d: {type: u32, count: %q}\n", s, n, count)
		}
	}
	return []byte(b.String())
}

// The page of 2,000 buffers is small, and works: it is drawn, moved by the slider and walked
// through by keys. How long that takes is in docs/reports.md.
func TestLarge(t *testing.T) {
	seq := read(t, "large.yaml", large())
	require.Len(t, seq.Buffers, 2000)
	plan, err := planner.Make(seq, quick())
	require.NoError(t, err)
	text := writeWith(t, seq, plan, report.Options{})
	require.Less(t, len(text), 2<<20)
	tb := open(t, text, 1280, 900)
	require.Equal(t, 2000, eval[int](tb, `document.querySelectorAll("#map [role=option]").length`))
	require.Equal(t, report.Live(plan, sequences.Device), tb.curve("live"))
	tb.shoot("large-1280.png", false)

	// Few of the shapes are touched where little changes.
	eval[bool](tb, `(window.changes = 0, new MutationObserver((list) => { window.changes += list.length; })
		.observe(document.querySelector("#map"), { subtree: true, attributes: true, attributeFilter: ["d", "fill", "class", "stroke", "aria-label"] }), true)`)
	tb.do(chromedp.Focus(chromedp.ID("map")))
	for range 20 {
		tb.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	require.Less(t, eval[int](tb, `window.changes`), 200, "a step of the keyboard redraws no shape but two")
	tb.setTo(500)
	require.Equal(t, report.Live(planAt(t, seq, 500), sequences.Device), tb.curve("live"))
}
