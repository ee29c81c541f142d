package page_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var picture = flag.Bool("picture", false, "rewrite the picture of the README")

// media shows the page in another medium or colour scheme.
func (tb *tab) media(medium, scheme string) {
	tb.t.Helper()
	_, err := chromedp.Call(tb.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: medium, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(tb.t, err)
	eval[bool](tb, "true")
}

// The page at the widths of a screen and a phone, in dark mode and on paper. None is wider
// than its window.
func TestScreenshots(t *testing.T) {
	text, _ := writeReco(t)
	tb := open(t, text, 1280, 1060)
	fits := func(width int) {
		t.Helper()
		require.LessOrEqual(t, eval[int](tb, `document.documentElement.scrollWidth`), width)
	}
	fits(1280)
	shot := tb.shoot("reco-1280.png", false)
	if *picture {
		require.NoError(t, os.WriteFile(filepath.Join("..", "..", "..", "docs", "images", "report.png"), shot, 0o666))
	}
	require.Less(t, len(shot), 200<<10)
	tb.media("screen", "dark")
	fits(1280)
	tb.shoot("reco-1280-dark.png", false)
	require.NotEqual(t, "rgb(246, 247, 249)", eval[string](tb, `getComputedStyle(document.body).backgroundColor`))
	tb.media("screen", "light")
	tb.do(chromedp.EmulateViewport(320, 850))
	fits(320)
	tb.do(chromedp.EmulateViewport(400, 850))
	fits(400)
	tb.shoot("reco-400.png", false)
	require.Equal(t, 0, eval[int](tb, `[...document.querySelectorAll("table")].filter((n) => {
		const box = n.closest(".scroll"); // what has no room is reached by scrolling, with keys too
		return n.scrollWidth > box.clientWidth && (getComputedStyle(box).overflowX !== "auto" || box.tabIndex !== 0);
	}).length`))
	require.True(t, eval[bool](tb, `(() => {
		const name = document.getElementById("arena-name"), shapes = document.querySelector("#map .buffer:last-child");
		return Boolean(shapes.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING) &&
			name.getBoundingClientRect().right <= document.getElementById("map").getBoundingClientRect().right;
	})()`), "no shape covers the name of the arena")
	whole := tb.shoot("reco-400-whole.png", true)
	size, err := png.DecodeConfig(bytes.NewReader(whole))
	require.NoError(t, err)
	require.Equal(t, 400, size.Width)
	tb.media("print", "light")
	tb.do(chromedp.EmulateViewport(720, 1000))
	tb.shoot("reco-print.png", false)
	require.Equal(t, "none", eval[string](tb, `getComputedStyle(document.querySelector(".controls")).display`))
	require.Equal(t, "none", eval[string](tb, `getComputedStyle(document.querySelector(".scroll")).maxHeight`), "paper does not scroll")
	require.Equal(t, 0, eval[int](tb, `[...document.querySelectorAll(".scroll")].filter((n) => n.scrollWidth > n.clientWidth).length`), "no table is cut")
	for _, whole := range []string{"figure", "tr"} {
		require.Equal(t, "avoid", eval[string](tb, `getComputedStyle(document.querySelector("`+whole+`")).breakInside`))
	}
	tb.media("", "light")
	tb.do(chromedp.EmulateViewport(1280, 900))
	paper, err := chromedp.Run(tb.ctx, chromedp.PrintToPDF())
	require.NoError(t, err)
	tb.keep("reco.pdf", paper)
}
