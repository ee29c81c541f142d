package page_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// The numbers of the page at three values of the batch size are those of the planner.
func TestSlider(t *testing.T) {
	seq := read(t, hlt1.RecoFile, hlt1.Reco())
	text, plan := writeReco(t)
	tb := open(t, text, 1280, 900)
	require.Equal(t, report.Live(plan, sequences.Device), tb.curve("live"))
	for _, value := range []uint64{1000, 377, 1} {
		tb.setTo(value)
		then := planAt(t, seq, value)
		for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
			tb.pick(scope)
			require.Equal(t, report.Live(then, scope), tb.curve("live"), "%s, at %d", scope, value)
			drawn := eval[[]float64](tb, drawnBytes)
			require.Len(t, drawn, len(seq.Steps))
			pixel := bytesOfPixel(tb)
			for s, live := range report.Live(then, scope) {
				require.InDelta(t, float64(live), drawn[s], pixel, "step %d", s)
			}
		}
		tb.pick(sequences.Device)
		// This plan holds its static region, whatever the batch; a plan for the value has
		// another one, of which the page knows the least.
		size := plan.Pools[sequences.Device].Size
		require.Equal(t, size+then.Arena.Typical.Peak, slices.Max(tb.curve("all")), "at %d", value)
		for i, basis := range planner.Bases() {
			now, most := tb.needsOf(2)[i], tb.needsOf(3)[i]
			need, err := then.DeviceNeed(basis)
			require.NoError(t, err)
			if basis == planner.BasisWorst && value < 1000 {
				require.Equal(t, []string{"the planner knows", "the planner knows"}, []string{now, most})
				continue
			}
			arena := map[planner.Basis]sequences.Bytes{planner.BasisPeak: then.Arena.Typical.Peak, planner.BasisTypical: then.Arena.Typical.Sum, planner.BasisWorst: then.Arena.Worst.Sum}[basis]
			require.Equal(t, exact(size+arena), now, "%s, at %d", basis, value)
			least := need - then.Pools[sequences.Device].Height + slices.Max(report.Live(then, sequences.Device))
			want := exact(least)
			switch value {
			case 1000:
				want = exact(size + arena)
			case 1:
				want = "the planner knows" // the parameter is a constant then
			}
			require.LessOrEqual(t, least, need)
			require.Equal(t, want, most, "%s, at %d", basis, value)
		}
		at, err := planner.At(seq, paramsAt(seq, value))
		require.NoError(t, err)
		sizes := tb.column("buffers", 8)
		require.Len(t, sizes, len(seq.Buffers))
		for i, b := range then.Buffers {
			if b.Class == planner.Dynamic {
				require.Equal(t, fmt.Sprint(uint64(*b.Typical)), sizes[i], b.Name)
				continue
			}
			bytes, err := at.Bytes(sequences.BufferID(i))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(bytes), sizes[i], b.Name)
		}
	}
	// The slider itself, by keyboard.
	tb.do(chromedp.Focus(chromedp.ID("slider-0")), chromedp.KeyEvent(kb.End)) // End
	tb.pick(sequences.Device)
}

// drawnBytes reads the line of the curve back: what is drawn at each step.
const drawnBytes = `(() => {
  const line = document.getElementById("live");
  const { end, top, bottom, reserved } = line.dataset;
  return [...line.getAttribute("d").matchAll(/[ML][\d.]+ ([\d.]+)H/g)].map((m) => (bottom - m[1]) / (bottom - top) * end - reserved);
})()`

// bytesOfPixel returns the bytes of one pixel of the curve.
func bytesOfPixel(tb *tab) float64 {
	tb.t.Helper()
	return eval[float64](tb, `(({ end, top, bottom }) => end / (bottom - top))(document.getElementById("live").dataset)`)
}

func paramsAt(seq *sequences.Sequence, batch uint64) []uint64 {
	var out []uint64
	for _, p := range seq.Params {
		out = append(out, p.Max)
	}
	out[seq.Batch] = batch
	return out
}

// The line of the capacity is drawn where it is near, and said to be above where it is not.
func TestCapacity(t *testing.T) {
	seq := read(t, hlt1.VeloFile, hlt1.Velo())
	seq.Device.Capacity = 40 << 20
	text, plan := write(t, seq)
	require.Less(t, plan.Pools[0].Height, seq.Device.Capacity)
	tb := open(t, text, 1280, 900)
	name := `document.querySelector("#curve .rule-name.capacity").textContent`
	require.Equal(t, "capacity 40.0 MiB", eval[string](tb, name))
	seq.Device.Capacity = 80 << 30
	text, _ = write(t, seq)
	tb.show(text)
	require.Equal(t, "capacity 80.0 GiB, above", eval[string](tb, name))
}

// Every position of a slider is reached, however wide the range is, and the field beside it
// shows the value that counts.
func TestWideSlider(t *testing.T) {
	seq, diags := sequences.Read("wide.yaml", []byte(`seqplan: 1
name: wide
params: {n_events: {min: 1, max: 1500001}}
steps: [{name: only, writes: {b: {type: u8, count: n_events}}}]
`))
	require.NoError(t, diags.Err())
	text, _ := write(t, seq)
	tb := open(t, text, 1280, 900)
	require.Equal(t, []string{}, eval[[]string](tb, `(async () => {
		const range = document.getElementById("slider-0"), wrong = [];
		for (let at = 0; at <= 1000000; at += at < 20 ? 1 : 33333) {
			range.value = at;
			range.dispatchEvent(new Event("input"));
			await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
			if (range.value !== String(at)) wrong.push(at + " became " + range.value);
		}
		return wrong;
	})()`))
	for typed, want := range map[string]string{"5000000": "1500001", "0": "1", "007": "7"} {
		require.Equal(t, want, eval[string](tb, fmt.Sprintf(`(() => {
			const field = document.getElementById("value-0");
			field.value = %q;
			field.dispatchEvent(new Event("change"));
			return field.value;
		})()`, typed)))
	}
}

// What a shrink leaves may be less only where the batch is smaller, or only by rounding.
func TestShrinkWithoutEffectAtTheEnd(t *testing.T) {
	for _, file := range []string{`seqplan: 1
name: later
params: {n: {min: 1, max: 100}}
steps:
  - {name: a, writes: {b: {type: f64, count: "1000", shrink: [{after: b, count: "n * 10"}]}}}
  - {name: b, reads: [b], writes: {o: {type: u8, count: 10}}}
  - {name: c, reads: [b], writes: {d: {type: u8, count: 9000}}}
`, `seqplan: 1
name: rounded
params: {n: {min: 2, max: 4}}
steps:
  - {name: a, writes: {b: {type: f64, count: "n", shrink: [{after: b, count: "n / 2"}, {after: c, count: "n / 4"}]}}}
  - {name: b, reads: [b], writes: {o: {type: u8, count: 10}}}
  - {name: c, reads: [b], writes: {d: {type: u8, count: 10}}}
  - {name: d, reads: [b], writes: {e: {type: u8, count: 600}}}
`} {
		seq, diags := sequences.Read("shrink.yaml", []byte(file))
		require.NoError(t, diags.Err())
		text, _ := write(t, seq)
		tb := open(t, text, 1280, 900)
		for _, value := range []uint64{2, 3, seq.Params[0].Max / 2, seq.Params[0].Max} {
			tb.setTo(value)
			require.Equal(t, report.Live(planAt(t, seq, value), sequences.Device), tb.curve("live"), "%s at %d", seq.Name, value)
		}
	}
}
