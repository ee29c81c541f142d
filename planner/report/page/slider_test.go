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
	arena := tb.curve("all")
	for s, live := range tb.curve("live") {
		arena[s] -= live
	}
	require.Equal(t, plan.Arena.Typical.Peak, slices.Max(arena))
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
  const { end, top, bottom } = line.dataset;
  return [...line.getAttribute("d").matchAll(/[ML][\d.]+ ([\d.]+)H/g)].map((m) => (bottom - m[1]) / (bottom - top) * end);
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
