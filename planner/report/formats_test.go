package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
	"github.com/seqplan/seqplan/sequences/streams"
)

// formats are all formats of a plan, by the names of their golden files.
func formats(t *testing.T, p *planner.Plan) map[string][]byte {
	t.Helper()
	r := report.New(p, report.Options{})
	out := map[string][]byte{}
	for name, write := range map[string]func(io.Writer) error{
		"txt":        func(w io.Writer) error { return report.Text(w, p, r, report.MapOptions{}) },
		"json":       r.JSON,
		"md":         r.Markdown,
		"csv":        func(w io.Writer) error { return report.CSV(w, p) },
		"svg":        func(w io.Writer) error { return report.SVG(w, p, report.SVGOptions{}) },
		"kind.svg":   func(w io.Writer) error { return report.SVG(w, p, report.SVGOptions{Color: report.ByKind}) },
		"trace.json": func(w io.Writer) error { return report.Trace(w, p) },
		"dot":        func(w io.Writer) error { return report.Dot(w, p, len(p.Buffers)) },
	} {
		var b bytes.Buffer
		require.NoError(t, write(&b), name)
		require.ErrorIs(t, write(full{}), os.ErrClosed, name)
		out[name] = b.Bytes()
	}
	return out
}

// plans are those of some sequence files, made once.
func plans(t *testing.T) map[string]*planner.Plan {
	t.Helper()
	made.Do(func() { made.plans = makePlans(t) })
	require.NotNil(t, made.plans)
	return made.plans
}

var made struct {
	sync.Once
	plans map[string]*planner.Plan
}

func makePlans(t *testing.T) map[string]*planner.Plan {
	t.Helper()
	texts := map[string][]byte{"velo": hlt1.Velo(), "reco": hlt1.Reco(), "streams": streams.Trigger()}
	for _, name := range []string{"trigger", "places"} {
		data, err := os.ReadFile("testdata/" + name + ".yaml")
		require.NoError(t, err)
		texts[name] = data
	}
	out := map[string]*planner.Plan{}
	for name, text := range texts {
		seq, diags := sequences.Read(name+".yaml", text)
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{})
		require.NoError(t, err)
		out[name] = p
	}
	return out
}

// Every format of the two example sequences.
func TestFormatsGolden(t *testing.T) {
	all := plans(t)
	for _, name := range []string{"velo", "reco"} {
		for format, text := range formats(t, all[name]) {
			golden.Equal(t, "testdata/"+filepath.Join("formats", name+"."+format), text)
		}
	}
}

// A plan that was read gives the same bytes, but for what only the packing problem knows.
func TestFormatsOfPlanFile(t *testing.T) {
	for name, p := range plans(t) {
		var data bytes.Buffer
		require.NoError(t, p.WriteJSON(&data))
		read, err := planner.ReadPlan(&data)
		require.NoError(t, err)
		want, got := formats(t, p), formats(t, read)
		for _, format := range []string{"md", "csv", "svg", "trace.json", "dot"} {
			require.Equal(t, string(want[format]), string(got[format]), "%s.%s", name, format)
		}
	}
}

// elements are what an SVG map is made of: nothing that runs or loads anything.
var elements = []string{"svg", "title", "style", "g", "rect", "path", "text"}

// checkSVG reads a picture and returns how many elements of each name it has.
func checkSVG(t *testing.T, text []byte) map[string]int {
	t.Helper()
	found := map[string]int{}
	dec := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		require.Contains(t, elements, start.Name.Local)
		require.Equal(t, "http://www.w3.org/2000/svg", start.Name.Space)
		found[start.Name.Local]++
		for _, a := range start.Attr {
			require.False(t, strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href"), a.Name.Local)
			require.NotContains(t, a.Value, "url(")
		}
	}
}

func TestSVG(t *testing.T) {
	for name, p := range plans(t) {
		text := formats(t, p)["svg"]
		require.Less(t, len(text), 300_000, name)
		found := checkSVG(t, text)
		drawn := 0 // buffers
		for _, b := range p.Buffers {
			if b.Class == planner.Static && b.Max > 0 {
				drawn++
				require.Contains(t, string(text), "<title>"+b.Name+": ")
			}
		}
		require.GreaterOrEqual(t, found["rect"], drawn)
		require.NotContains(t, string(text), "NaN")
	}
}

// Lines of a report and of its map fit the width, whatever it is.
func TestMapWidth(t *testing.T) {
	for name, p := range plans(t) {
		for _, width := range []int{40, 60, 80, 133, 250} {
			for scope, pool := range p.Pools {
				var b, again, colored bytes.Buffer
				opts := report.MapOptions{Width: width, Height: 12}
				require.NoError(t, report.Map(&b, p, sequences.Scope(scope), opts))
				require.Equal(t, pool.Size == 0, b.Len() == 0)
				for line := range strings.Lines(b.String()) {
					if strings.Contains(line, "|") {
						require.LessOrEqual(t, len(line)-1, width, "%s: %s", name, line)
					}
					if width >= 80 {
						require.LessOrEqual(t, len(line)-1, width, "%s: %s", name, line)
					}
				}
				require.Equal(t, min(1, b.Len())*12, strings.Count(b.String(), "|\n"))
				require.NoError(t, report.Map(&again, p, sequences.Scope(scope), opts))
				require.Equal(t, b.String(), again.String())
				opts.Color = true
				require.NoError(t, report.Map(&colored, p, sequences.Scope(scope), opts))
				require.NotContains(t, b.String(), "\x1b")
				require.Equal(t, b.String(), uncolored(colored.String()))
			}
		}
	}
}

func uncolored(s string) string {
	for _, code := range []string{"0", "1", "32", "33", "34", "35", "36"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

// With colours a report has the same text.
func TestColor(t *testing.T) {
	for _, p := range plans(t) {
		r := report.New(p, report.Options{})
		var plain, colored bytes.Buffer
		require.NoError(t, report.Text(&plain, p, r, report.MapOptions{Width: 100}))
		require.NoError(t, report.Text(&colored, p, r, report.MapOptions{Width: 100, Color: true}))
		require.Equal(t, plain.String(), uncolored(colored.String()))
		require.Contains(t, colored.String(), "\x1b[1mStatic device pool, one worker\x1b[0m\n")
	}
}

// The slices of one thread follow each other, and a step is a millisecond.
func TestTrace(t *testing.T) {
	for name, p := range plans(t) {
		var trace struct {
			DisplayTimeUnit string
			OtherData       map[string]string
			TraceEvents     []struct {
				Name, Ph string
				Pid, Tid int
				Ts, Dur  uint64
				Args     map[string]any
			}
		}
		require.NoError(t, json.Unmarshal(formats(t, p)["trace.json"], &trace))
		require.Equal(t, "ms", trace.DisplayTimeUnit)
		require.Equal(t, "one step is 1 ms", trace.OtherData["time"])
		end, slices := map[[2]int]uint64{}, 0
		for _, e := range trace.TraceEvents {
			if e.Ph != "X" {
				continue
			}
			slices++
			at := [2]int{e.Pid, e.Tid}
			require.LessOrEqual(t, end[at], e.Ts, "%s: %s", name, e.Name)
			end[at] = e.Ts + e.Dur
			require.LessOrEqual(t, end[at], uint64(len(p.Steps))*1000)
		}
		require.Equal(t, len(p.Steps)+len(p.Buffers), slices)
	}
}

// Graphviz reads the graph, and finds all its nodes.
func TestDot(t *testing.T) {
	path := tooltest.Need(t, "dot")
	for _, name := range []string{"velo", "streams", "places"} {
		p := plans(t)[name]
		out := graphviz(t, path, formats(t, p)["dot"])
		require.Equal(t, len(p.Steps)+len(p.Buffers)+len(p.Waits), strings.Count(out, "\nnode "))
		edges := 0
		for _, s := range p.Steps {
			edges += len(s.Reads) + len(s.Writes) + len(s.After)
		}
		require.GreaterOrEqual(t, strings.Count(out, "\nedge "), edges)
	}
}

func graphviz(t *testing.T, path string, text []byte) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(path, "-Tplain", "-Gsplines=false", "-Gnslimit=1", "-Gnslimit1=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &errs
	require.NoError(t, cmd.Run(), errs.String())
	require.Empty(t, errs.String())
	return out.String()
}

// A summary stays short.
func TestMarkdownLength(t *testing.T) {
	for name, p := range plans(t) {
		lines := strings.Split(string(formats(t, p)["md"]), "\n")
		require.LessOrEqual(t, len(lines), 60, name)
		for i, line := range lines {
			if !strings.HasPrefix(line, "|---") {
				continue
			}
			head := strings.Count(lines[i-1], "|")
			for _, row := range lines[i : slices.Index(append(lines[i:], ""), "")+i] {
				require.Equal(t, head, strings.Count(row, "|"), row)
			}
		}
	}
}
