package page_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// curve returns the live bytes that the page draws.
func (tb *tab) curve(id string) []sequences.Bytes {
	tb.t.Helper()
	var out []sequences.Bytes
	for _, word := range strings.Fields(eval[string](tb, `document.getElementById("`+id+`").dataset.live`)) {
		n, err := strconv.ParseUint(word, 10, 64)
		require.NoError(tb.t, err)
		out = append(out, sequences.Bytes(n))
	}
	return out
}

// column returns the texts of a column of a table, without the rows that are hidden.
func (tb *tab) column(table string, column int) []string {
	tb.t.Helper()
	return eval[[]string](tb, fmt.Sprintf(`[...document.querySelectorAll("#%s tbody tr:not([hidden])")].map((r) => r.cells[%d].textContent)`, table, column))
}

// quick plans without what takes long, and has no part in the sizes.
func quick() planner.Options {
	return planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}, SizesOnly: true}
}

// planAt plans a sequence for the batch size up to a value.
func planAt(t testing.TB, seq *sequences.Sequence, value uint64) *planner.Plan {
	t.Helper()
	plan, err := planner.Make(withMax(seq, value), quick())
	require.NoError(t, err)
	return plan
}

func withMax(seq *sequences.Sequence, value uint64) *sequences.Sequence {
	at := *seq
	at.Params = slices.Clone(seq.Params)
	at.Params[seq.Batch].Max = value
	return &at
}

// pick chooses a pool of the page by its scope.
func (tb *tab) pick(scope sequences.Scope) {
	tb.t.Helper()
	eval[bool](tb, fmt.Sprintf(`(document.querySelectorAll("input[name=pool]")[%d].click(), true)`, scope))
}

// setTo types a value of the batch size.
func (tb *tab) setTo(value uint64) {
	tb.t.Helper()
	eval[bool](tb, `(document.getElementById("value-0").select(), true)`)
	tb.do(chromedp.KeyEvent(fmt.Sprintf("%d\r", value)))
	require.Equal(tb.t, strconv.FormatUint(value, 10), eval[string](tb, `document.getElementById("slider-0").getAttribute("aria-valuetext")`))
}

// slash presses the key "/", as one event with its text: then the page can keep the text
// out of the field that it goes to.
func (tb *tab) slash() {
	tb.t.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		p := input.DispatchKeyEventParams{Type: kind, Key: "/", Code: "Slash"}
		if kind == input.DispatchKeyEventTypeKeyDown {
			p.Text = "/"
		}
		_, err := chromedp.Call(tb.ctx, input.DispatchKeyEvent, p)
		require.NoError(tb.t, err)
	}
}

// A buffer is found by its name, and what writes and reads it is marked.
func TestSearch(t *testing.T) {
	text, plan := writeReco(t)
	tb := open(t, text, 1280, 900)
	const name = "velo_consolidate_tracks.dev_velo_tracks_view"
	id := slices.IndexFunc(plan.Buffers, func(b planner.Buffer) bool { return b.Name == name })
	tb.slash()
	tb.do(chromedp.KeyEvent("consolidate_tracks.dev_velo_TRACKS"))
	require.Equal(t, "search", eval[string](tb, `document.activeElement.id`))
	require.Equal(t, "1 buffer found, 1 in this map; Enter selects", eval[string](tb, `document.getElementById("hits").textContent`))
	require.Equal(t, []string{"b" + strconv.Itoa(id)}, eval[[]string](tb, `[...document.querySelectorAll("#map .found")].map((n) => n.id)`))
	require.Equal(t, []string{name}, tb.column("buffers", 0))
	tb.do(chromedp.KeyEvent("\r"))
	require.Equal(t, "true", eval[string](tb, fmt.Sprintf(`document.getElementById("b%d").getAttribute("aria-selected")`, id)))
	require.Equal(t, name, eval[string](tb, `document.getElementById("detail-name").textContent`))
	var readers []int
	for s, step := range plan.Steps {
		if slices.Contains(step.Reads, name) {
			readers = append(readers, s)
		}
	}
	marks := `[...document.querySelectorAll("#map .band.%s")].map((n) => Number(n.dataset.step))`
	require.Equal(t, readers, eval[[]int](tb, fmt.Sprintf(marks, "reader")))
	require.Equal(t, []int{int(plan.Buffers[id].Step)}, eval[[]int](tb, fmt.Sprintf(marks, "producer")))
	tb.shoot("reco-1280-selected.png", false)

	// One that the other pool has: the map changes to it.
	tb.do(chromedp.Focus(chromedp.ID("map")))
	tb.slash()
	tb.do(chromedp.KeyEvent("velo_banks.host_raw_bank_version\r"))
	require.True(t, eval[bool](tb, `document.querySelectorAll("input[name=pool]")[1].checked`))
	require.Equal(t, 1, eval[int](tb, `document.querySelectorAll("#map .selected").length`))
	tb.do(chromedp.KeyEvent("\x1b"))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("#map .selected, #map .found, #map .dim").length`))
}

// A click in the map selects, a second one clears, the pointer shows what is under it, and
// what it drags over is zoomed to.
func TestPointer(t *testing.T) {
	text, plan := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	tb := open(t, text, 1280, 1000)
	const name = "velo_search_by_triplet.dev_tracklets"
	id := slices.IndexFunc(plan.Buffers, func(b planner.Buffer) bool { return b.Name == name })
	at := eval[[]float64](tb, fmt.Sprintf(`(() => { document.getElementById("map").scrollIntoView(); const r = document.getElementById("b%d").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, r.width]; })()`, id))
	tb.do(chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	require.Contains(t, eval[string](tb, `document.getElementById("tip").hidden ? "" : document.getElementById("tip").textContent`), name)
	tb.do(chromedp.MouseClickXY(at[0], at[1]))
	require.Equal(t, name, eval[string](tb, `document.getElementById("detail-name").textContent`))
	tb.do(chromedp.MouseClickXY(at[0], at[1]))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("#map .selected").length`))
	tb.do(chromedp.DragAndDropXY(at[0], at[1], at[0]+at[2]*1.2, at[1]+2))
	shown := `[...document.querySelectorAll(".zoom input")].map((n) => Number(n.value))`
	zoomed := eval[[]int](tb, shown)
	require.Greater(t, zoomed[0], 0)
	require.Less(t, zoomed[1], len(plan.Steps)-1)
	tb.do(chromedp.Click(chromedp.CSS(`button[aria-label="Show all steps"]`)))
	require.Equal(t, []int{0, len(plan.Steps) - 1}, eval[[]int](tb, shown))
}

// The map works by keyboard alone.
func TestKeyboard(t *testing.T) {
	text, plan := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	tb := open(t, text, 1280, 900)
	tb.do(chromedp.Focus(chromedp.ID("map")))
	active := func() *planner.Buffer {
		id := eval[string](tb, `document.getElementById("map").getAttribute("aria-activedescendant")`)
		n, err := strconv.Atoi(strings.TrimPrefix(id, "b"))
		require.NoError(t, err)
		require.Contains(t, eval[string](tb, `document.getElementById("`+id+`").getAttribute("aria-label")`), plan.Buffers[n].Name)
		return &plan.Buffers[n]
	}
	seen := map[string]bool{}
	var last sequences.StepID
	for range eval[int](tb, `document.querySelectorAll("#map [role=option]").length`) {
		tb.do(chromedp.KeyEvent(kb.ArrowRight)) // right
		b := active()
		require.GreaterOrEqual(t, b.Lifetime.First, last, "right goes on in time")
		last = b.Lifetime.First
		seen[b.Name] = true
	}
	for _, b := range plan.Buffers {
		require.Equal(t, b.Scope == sequences.Device, seen[b.Name], b.Name)
	}
	tb.do(chromedp.KeyEvent(kb.Home)) // Home
	below := active()
	tb.do(chromedp.KeyEvent(kb.ArrowUp)) // up
	above := active()
	require.Greater(t, above.Offset, below.Offset)
	require.True(t, above.Lifetime.Overlaps(below.Lifetime))
	tb.do(chromedp.KeyEvent("\r"))
	require.Equal(t, above.Name, eval[string](tb, `document.querySelector("#map .selected").getAttribute("aria-label").split(",")[0]`))
	tb.do(chromedp.KeyEvent("z"))
	require.NotEqual(t, "0", eval[string](tb, `document.querySelectorAll(".zoom input")[1].value`))
	tb.do(chromedp.KeyEvent("0"), chromedp.KeyEvent("\x1b"))
	require.Equal(t, 0, eval[int](tb, `document.querySelectorAll("#map .selected").length`))
	require.NotEqual(t, "none", eval[string](tb, `getComputedStyle(document.getElementById("map")).outlineStyle`), "the focus is visible")

	// The order of Tab: all that can be used, once each, from top to bottom.
	tb.do(chromedp.Focus(chromedp.CSS("summary")))
	var stops []string
	for range 14 {
		stops = append(stops, eval[string](tb, `document.activeElement.id || document.activeElement.name || document.activeElement.getAttribute("aria-label") || document.activeElement.tagName`))
		tb.do(chromedp.KeyEvent("\t"))
	}
	require.Equal(t, []string{
		"SUMMARY", "pool", "arena", "colour", "First step shown", "Last step shown", "Zoom in", "Zoom out",
		"Show all steps", "search", "slider-0", "value-0", "map", "BUTTON",
	}, stops)
}

// A control that is gone after it was used leaves the focus in its place.
func TestFocusStays(t *testing.T) {
	text, _ := write(t, read(t, hlt1.VeloFile, hlt1.Velo()))
	tb := open(t, text, 1280, 900)
	tb.do(chromedp.Focus(chromedp.ID("map")), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent("\r"))
	eval[bool](tb, "true") // it is drawn
	focus := `document.activeElement.closest(".detail") !== null && document.activeElement.tagName`
	tb.do(chromedp.Focus(chromedp.CSS(".detail .link")), chromedp.KeyEvent("\r"))
	require.Equal(t, "BUTTON", eval[string](tb, focus), "a step was zoomed to")
	tb.do(chromedp.Focus(chromedp.CSS(".detail .actions button:last-child")), chromedp.KeyEvent("\r"))
	require.Equal(t, "ASIDE", eval[string](tb, focus), "the selection was cleared")
}

// All that can be used by keyboard has a name, and nothing moves by itself.
func TestControls(t *testing.T) {
	seq := limited(t)
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	opts := report.Options{Budgets: evaluate(t, seq, plan), Baseline: diff.New(older(t), plan)}
	tb := open(t, writeWith(t, seq, plan, opts), 1280, 900)
	require.Empty(t, eval[[]string](tb, `[...document.querySelectorAll("a, button, input, summary, [tabindex]")].filter((n) =>
		!(n.getAttribute("aria-label") || n.textContent.trim() || n.labels?.length)).map((n) => n.outerHTML)`))
	require.Empty(t, eval[[]string](tb, `[...document.querySelectorAll("[onclick], [data-id]")].filter((n) =>
		!n.matches("button, [role=option]")).map((n) => n.outerHTML)`))
	require.Equal(t, 0, eval[int](tb, `document.getAnimations().length`))
	require.NotRegexp(t, `transition|animation|scroll-behavior`, eval[string](tb, `document.querySelector("style").textContent`))
}

// A click on the head of a column sorts, another one turns the order around.
func TestSort(t *testing.T) {
	text, plan := writeReco(t)
	tb := open(t, text, 1280, 900)
	click := func(table string, column int) string {
		head := fmt.Sprintf(`#%s thead th:nth-child(%d)`, table, column+1)
		tb.do(chromedp.Focus(chromedp.CSS(head+" button")), chromedp.KeyEvent("\r"))
		return eval[string](tb, `document.querySelector("`+head+`").getAttribute("aria-sort")`)
	}
	numbers := func(texts []string) (out []uint64) {
		for _, s := range texts {
			n, err := strconv.ParseUint(s, 10, 64)
			require.NoError(t, err)
			out = append(out, n)
		}
		return out
	}
	var sizes []uint64
	for _, b := range plan.Buffers {
		if b.Class == planner.Static {
			sizes = append(sizes, uint64(b.Max))
		} else {
			sizes = append(sizes, uint64(*b.Typical))
		}
	}
	slices.Sort(sizes)
	require.Equal(t, "descending", click("buffers", 8), "numbers start with the largest")
	down := numbers(tb.column("buffers", 8))
	require.Equal(t, "ascending", click("buffers", 8))
	require.Equal(t, sizes, numbers(tb.column("buffers", 8)))
	slices.Reverse(sizes)
	require.Equal(t, sizes, down)
	require.Equal(t, "ascending", click("counts", 0))
	require.IsNonDecreasing(t, tb.column("counts", 0))
	for table, column := range map[string]int{"classes": 3, "steps": 3} {
		require.Equal(t, "descending", click(table, column))
		require.IsNonIncreasing(t, numbers(tb.column(table, column)), table)
	}
}
