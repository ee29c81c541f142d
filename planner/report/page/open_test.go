package page_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/planner/report/page"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// artefactsEnv names the folder that keeps the screenshots. Without it they go with the test.
const artefactsEnv = "SEQPLAN_ARTEFACTS"

func read(t testing.TB, name string, text []byte) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read(name, text)
	require.NoError(t, diags.Err())
	return seq
}

// write returns the page of a sequence and the plan behind it.
func write(t testing.TB, seq *sequences.Sequence) ([]byte, *planner.Plan) {
	t.Helper()
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return writeWith(t, seq, plan, report.Options{}), plan
}

// whole is the page of the whole reconstruction, which takes longest to plan.
var whole struct {
	sync.Once
	text []byte
	plan *planner.Plan
}

func writeReco(t testing.TB) ([]byte, *planner.Plan) {
	t.Helper()
	whole.Do(func() { whole.text, whole.plan = write(t, read(t, hlt1.RecoFile, hlt1.Reco())) })
	require.NotNil(t, whole.plan)
	return whole.text, whole.plan
}

func writeWith(t testing.TB, seq *sequences.Sequence, plan *planner.Plan, opts report.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, page.Write(&out, seq, plan, report.New(plan, opts)))
	return out.Bytes()
}

// tab is a page in a browser.
type tab struct {
	t    testing.TB
	ctx  context.Context
	file string

	mu       sync.Mutex
	messages []string // of the console, the log, and what was thrown
	requests []string
}

// browser is the one browser of all tests of the package: to start one takes longer than
// most tests.
var browser struct {
	sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.stop != nil {
		browser.stop()
	}
	os.Exit(code)
}

func startBrowser(path string) {
	dir, err := os.MkdirTemp("", "seqplan-page")
	if err != nil {
		browser.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("force-color-profile", "srgb"), chromedp.UserDataDir(dir), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, stopProcess := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stopFirst := chromedp.NewContext(ctx)
	browser.ctx, browser.err = ctx, chromedp.Do(ctx)
	browser.stop = func() {
		_ = chromedp.Cancel(ctx)
		stopFirst()
		stopProcess()
		_ = os.RemoveAll(dir)
	}
}

// open shows a page in a browser without a window. Whatever the page says on the console,
// throws, or asks the network for is a failure.
func open(t testing.TB, html []byte, width, height int64) *tab {
	t.Helper()
	path := tooltest.Need(t, "chromium")
	browser.Do(func() { startBrowser(path) })
	require.NoError(t, browser.err)
	file := filepath.Join(t.TempDir(), "page.html")
	ctx, stopTab := chromedp.NewContext(browser.ctx)
	ctx, stop := context.WithTimeout(ctx, 3*time.Minute)
	tb := &tab{t: t, ctx: ctx, file: file}
	t.Cleanup(func() {
		stop()
		stopTab()
		tb.mu.Lock()
		defer tb.mu.Unlock()
		require.Empty(t, tb.messages, "the page is silent")
		require.NotEmpty(t, tb.requests)
		for _, url := range tb.requests {
			require.Contains(t, []string{"file://" + file, "data:,"}, url, "the page loads nothing")
		}
	})
	require.NoError(t, chromedp.Listen(ctx, tb.hear))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	tb.do(chromedp.EmulateViewport(width, height))
	tb.show(html)
	return tb
}

// show opens another page in the tab.
func (tb *tab) show(html []byte) {
	tb.t.Helper()
	require.NoError(tb.t, os.WriteFile(tb.file, html, 0o600))
	tb.do(chromedp.Navigate("file://" + tb.file))
	require.True(tb.t, eval[bool](tb, `document.documentElement.dataset.ready === "true"`), "the script of the page ran to its end")
}

func (tb *tab) hear(event any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	switch e := event.(type) {
	case *cdpruntime.EventConsoleAPICalled:
		tb.messages = append(tb.messages, fmt.Sprintf("console: %v", e.Args))
	case *cdpruntime.EventExceptionThrown:
		tb.messages = append(tb.messages, "exception: "+fmt.Sprintf("%s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		tb.messages = append(tb.messages, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		tb.requests = append(tb.requests, e.Request.URL)
	}
}

func (tb *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tb.t.Helper()
	require.NoError(tb.t, chromedp.Do(tb.ctx, actions...))
}

// eval returns the value of an expression in the page, two frames from now: all that was
// asked for before is drawn.
func eval[T any](tb *tab, expression string) T {
	tb.t.Helper()
	text := `new Promise((done, failed) => requestAnimationFrame(() => requestAnimationFrame(() => {
		try { done(` + expression + `); } catch (e) { failed(e); }
	})))`
	out, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](text, chromedp.EvalAwaitPromise))
	require.NoError(tb.t, err)
	return out
}

// shoot keeps a picture of the window, or of all of the page.
func (tb *tab) shoot(name string, whole bool) []byte {
	tb.t.Helper()
	shot := chromedp.CaptureScreenshot()
	if whole {
		shot = chromedp.FullScreenshot(100)
	}
	png, err := chromedp.Run(tb.ctx, shot)
	require.NoError(tb.t, err)
	tb.keep(name, png)
	return png
}

// keep writes an artefact of the test.
func (tb *tab) keep(name string, content []byte) {
	tb.t.Helper()
	dir := os.Getenv(artefactsEnv)
	if dir == "" {
		dir = tb.t.TempDir()
	}
	require.NoError(tb.t, os.MkdirAll(dir, 0o777))
	require.NoError(tb.t, os.WriteFile(filepath.Join(dir, name), content, 0o666))
}

func itoa(n int) string { return strconv.Itoa(n) }
