package page_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// panel is what the details of a buffer say.
type panel struct {
	Rows   map[string]string // by titles
	Shrink []string
	Text   string
}

// choose selects a buffer by its row.
func (tb *tab) choose(id int) panel {
	tb.t.Helper()
	eval[bool](tb, fmt.Sprintf(`(document.querySelectorAll("#buffers tbody tr")[%d].querySelector("button").click(), true)`, id))
	return eval[panel](tb, `{
		Rows: Object.fromEntries([...document.querySelectorAll(".detail dt")].map((n) => [n.textContent, n.nextElementSibling.textContent])),
		Shrink: [...document.querySelectorAll(".detail .shrink li")].map((n) => n.textContent),
		Text: document.querySelector(".detail").textContent,
	}`)
}

// The panel tells of each buffer what seqplan explain does: whether it is at the peak or in
// what bounds its pool, what would make that smaller, and what it is kept apart from.
func TestPanelExplains(t *testing.T) {
	var tb *tab
	inBound, apart, sooner, dynamic := 0, 0, 0, 0
	for n, text := range [][]byte{trigger(t), hlt1.Velo(), []byte(placed)} {
		seq := read(t, "some.yaml", text)
		opts := planner.Options{}
		if n == 1 {
			opts.Packer = pack.FirstFit{Order: pack.ByStart} // which leaves a gap above the bound
		}
		plan, err := planner.Make(seq, opts)
		require.NoError(t, err)
		require.Equal(t, n == 1, plan.Pools[0].Height > plan.Pools[0].LowerBound)
		html := writeWith(t, seq, plan, report.Options{})
		if tb == nil {
			tb = open(t, html, 1280, 900)
		} else {
			tb.show(html)
		}
		for i := range plan.Buffers {
			if n == 1 && i%3 > 0 {
				continue // a third of these is enough
			}
			b := &plan.Buffers[i]
			shown := tb.choose(i)
			rows, lines := shown.Rows, shown.Shrink
			e, err := report.NewExplanation(plan, b.Name)
			require.NoError(t, err)
			s := e.Shrink
			if s == nil {
				dynamic += len(e.OfAll)
				tellsShares(t, rows, lines, e)
				continue
			}
			where := fmt.Sprintf("step %d %s", s.PeakStep, s.PeakName)
			want := fmt.Sprintf("no: most, %s, is in use at %s", exact(s.Live), where)
			if s.AtPeak > 0 {
				want = fmt.Sprintf("yes: %s of the %s in use at %s", exact(s.AtPeak), exact(s.Live), where)
			}
			require.Equal(t, want, rows["at the peak"], b.Name)
			if s.BoundBy == "" {
				require.NotContains(t, rows, "in the bound")
			} else {
				require.Equal(t, map[bool]string{true: "yes:", false: "no: "}[s.InBound], rows["in the bound"][:4], b.Name)
				if s.InBound {
					inBound++
				}
			}
			require.Len(t, lines, 1+len(s.Sooner), b.Name)
			require.Equal(t, fmt.Sprintf("by %s without the buffer", atMost(s.Height-s.LowerBound+s.Without)), lines[0], b.Name)
			for k, end := range s.Sooner {
				require.Contains(t, lines[1+k], fmt.Sprintf("by %s if it lived to step %d, without ", atMost(s.Height-s.LowerBound+end.Saved), end.End-1), b.Name)
				for _, u := range end.Dropped {
					require.Contains(t, lines[1+k], fmt.Sprintf("the use by step %d %s", u.Step, u.Name), b.Name)
				}
				sooner++
			}
			if len(e.KeptApart) == 0 {
				require.NotContains(t, shown.Text, "Kept apart")
				continue
			}
			apart++
			require.Contains(t, shown.Text, "Kept apart from "+prose.Plural(len(e.KeptApart), "buffer"))
			for _, a := range e.KeptApart[:min(5, len(e.KeptApart))] {
				require.Contains(t, shown.Text, a.Name+exact(a.Bytes))
			}
		}
	}
	require.Greater(t, inBound, 5)
	require.Greater(t, apart, 5)
	require.Greater(t, sooner, 20)
	require.Greater(t, dynamic, 10)
}

// tellsShares compares the panel of a dynamic buffer with its explanation.
func tellsShares(t *testing.T, rows map[string]string, lines []string, e *report.Explanation) {
	t.Helper()
	require.Len(t, lines, len(e.OfAll))
	for i, s := range e.OfAll {
		require.Contains(t, rows["share, "+string(s.Basis)], fmt.Sprintf("%s of %s, the sum of ", exact(s.Bytes), exact(s.Sum)))
		require.Contains(t, lines[i], fmt.Sprintf("%s: the sum by each byte that ", s.Basis))
		if s.Peak == nil {
			continue
		}
		require.Contains(t, rows["at the peak"], fmt.Sprintf("step %d %s", s.Peak.Step, s.Peak.Name))
		if s.Peak.Without > 0 && s.Peak.Without < s.Bytes {
			require.Contains(t, lines[i], fmt.Sprintf("the peak by at most %s: then step %d %s has most", exact(s.Peak.Without), s.Peak.NextStep, s.Peak.NextName))
		}
	}
}

func atMost(n sequences.Bytes) string {
	if n == 0 {
		return "nothing"
	}
	return "at most " + exact(n)
}

// placed has a buffer at a fixed offset, one that lends, and one that takes over another.
const placed = `
seqplan: 1
name: placed
params: {n: {min: 1, max: 64}}
steps:
  - name: s0
    writes: {a: {type: u32, count: "n * 64"}, b: {type: u32, count: "n * 32", offset: 40960}}
  - name: s1
    reads: [a]
    writes: {c: {type: u32, count: "n * 64", in_place_of: a}}
  - name: s2
    reads: [c, b]
    writes: {d: {type: u32, count: n}}
`

// The set that bounds a pool only because no order is declared is told for its buffers.
func TestPanelInSet(t *testing.T) {
	seq := read(t, "trigger.yaml", trigger(t))
	html, plan := write(t, seq)
	tb := open(t, html, 1280, 900)
	bound := tb.choose(slices.IndexFunc(plan.Buffers, func(b planner.Buffer) bool { return b.Name == "energies" })).Rows["in the bound"]
	require.Contains(t, bound, fmt.Sprintf("yes: it is one of the %d buffers that may be in use together, in no order", len(plan.Pools[0].AtPeak)))
	tb.shoot("trigger-1280-selected.png", false)
}
