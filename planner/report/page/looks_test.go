package page_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

func trigger(t testing.TB) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "sequences", "streams", "trigger.yaml"))
	require.NoError(t, err)
	return text
}

// Two buffers of different algorithms that touch in the map never look the same, and no
// two of the first twelve of the legend do.
func TestNeighboursLookDifferent(t *testing.T) {
	var tb *tab
	touching := 0
	for _, page := range []func() ([]byte, *planner.Plan){
		func() ([]byte, *planner.Plan) { return writeReco(t) },
		func() ([]byte, *planner.Plan) { return write(t, read(t, hlt1.VeloFile, hlt1.Velo())) },
		func() ([]byte, *planner.Plan) { return write(t, read(t, "trigger.yaml", trigger(t))) },
	} {
		html, plan := page()
		if tb == nil {
			tb = open(t, html, 1280, 900)
		} else {
			tb.show(html)
		}
		for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
			tb.pick(scope)
			looks := eval[map[string]string](tb, `Object.fromEntries([...document.querySelectorAll("#map .buffer")].map((n) => [n.id, n.dataset.look]))`)
			for i := range plan.Buffers {
				for k := range i {
					a, b := &plan.Buffers[i], &plan.Buffers[k]
					if a.Scope != scope || b.Scope != scope || a.Step == b.Step || !touch(a, b) {
						continue
					}
					touching++
					require.NotEqual(t, looks["b"+itoa(i)], looks["b"+itoa(k)], "%s and %s", a.Name, b.Name)
				}
			}
		}
	}
	require.Greater(t, touching, 500)
}

// touch tells whether two static buffers touch in the map: one starts where the other ends,
// in time or in memory, or both go on side by side.
func touch(a, b *planner.Buffer) bool {
	if a.Class != planner.Static || b.Class != planner.Static {
		return false
	}
	return a.Lifetime.First <= b.Lifetime.End && b.Lifetime.First <= a.Lifetime.End &&
		a.Offset <= b.Offset+b.Max+256 && b.Offset <= a.Offset+a.Max+256
}

// The legend names all groups, the largest first, and highlights the one that is pressed.
func TestLegend(t *testing.T) {
	text, plan := writeReco(t)
	tb := open(t, text, 1280, 900)
	const chips = ".legend .chip"
	require.Len(t, tb.shown(chips), 12)
	looks := eval[[]string](tb, `[...document.querySelectorAll(".legend .chip .swatch")].map((n) => n.dataset.look)`)
	slices.Sort(looks)
	require.Len(t, slices.Compact(looks), 12)
	tb.do(chromedp.Focus(chromedp.CSS(".legend > .link")), chromedp.KeyEvent("\r"))
	algorithms := map[sequences.StepID]bool{}
	for _, b := range plan.Buffers {
		if b.Scope == sequences.Device {
			algorithms[b.Step] = true
		}
	}
	require.Len(t, tb.shown(chips), len(algorithms))

	tb.do(chromedp.Focus(chromedp.CSS(chips)), chromedp.KeyEvent("\r"))
	name, _, _ := strings.Cut(tb.shown(chips)[0], " ")
	require.Equal(t, "true", eval[string](tb, `document.activeElement.getAttribute("aria-pressed")`), "the focus stays")
	bright := eval[[]string](tb, `[...document.querySelectorAll("#map .buffer:not(.dim)")].map((n) => n.getAttribute("aria-label").split(",")[0])`)
	var want []string
	for _, b := range plan.Buffers {
		if b.Scope == sequences.Device && b.Step >= 0 && plan.Steps[b.Step].Name == name {
			want = append(want, b.Name)
		}
	}
	require.ElementsMatch(t, want, bright)
	tb.do(chromedp.KeyEvent("\r"))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("#map .dim").length`))
}

// No name in the map is wider than the shape that it is in, whatever the letters.
func TestNamesFit(t *testing.T) {
	seq := read(t, hlt1.VeloFile, hlt1.Velo())
	for i := range seq.Buffers {
		seq.Buffers[i].Name = strings.Repeat([]string{"W", "飛", "mW", "l"}[i%4], 3+i%30) + itoa(i)
	}
	text, _ := write(t, seq)
	tb := open(t, text, 1280, 900)
	for _, width := range []int64{1280, 400} {
		tb.do(chromedp.EmulateViewport(width, 900))
		outside := eval[[]string](tb, `[...document.querySelectorAll("#map .name")].filter((n) => {
			const box = n.getBoundingClientRect();
			return ![...document.querySelectorAll("#map .buffer")].some((s) => {
				const r = s.getBoundingClientRect();
				return r.left <= box.left && box.right <= r.right + 0.5 && r.top <= box.top + 2 && box.bottom - 2 <= r.bottom;
			});
		}).map((n) => n.textContent)`)
		require.Empty(t, outside)
		require.NotZero(t, eval[int](tb, `document.querySelectorAll("#map .name").length`))
	}
}
