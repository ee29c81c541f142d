package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// lines finds the lines across the plots of a picture: by what they are, where, in
// hundredths of a pixel.
func lines(t *testing.T, p *planner.Plan, capacity sequences.Bytes) (picture string, at map[string][]int) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, report.SVG(&out, p, report.SVGOptions{Capacity: capacity}))
	checkSVG(t, out.Bytes())
	at = map[string][]int{}
	for _, m := range regexp.MustCompile(`<path class="f" stroke-dasharray="[^"]*" d="M96 ([\d.]+)h1080"><title>([^:]*): (\d+) B`).FindAllStringSubmatch(out.String(), -1) {
		y, err := strconv.ParseFloat(m[1], 64)
		require.NoError(t, err)
		at[m[2]+" "+m[3]] = append(at[m[2]+" "+m[3]], int(y*100+.5))
	}
	return out.String(), at
}

// One buffer of 1 MiB, with a bound and a height of that.
func TestSVGCapacity(t *testing.T) {
	const mib = 1 << 20
	p := planOf(t, "steps:\n  - {name: a, writes: {x: {type: u8, count: 1MiB}}}\n")
	reserved := p.Pools[0].Reserved
	require.Positive(t, reserved)
	const top, bottom = 34 + 24 + 400 + 24, 34 + 24 + 400 + 24 + 120 // of the curve

	_, at := lines(t, p, 0)
	bound := at["lower bound 1048576"]
	require.Len(t, at, 1)
	require.Len(t, bound, 1)
	require.Equal(t, 120*100*4/5, bottom*100-bound[0], "a quarter is left above")

	// What is asked for, and what is declared, is drawn, less what is reserved.
	_, at = lines(t, p, 2*mib+reserved)
	room := at["capacity less what is reserved 2097152"]
	require.Len(t, room, 1)
	require.Len(t, at["lower bound 1048576"], 1)
	require.Equal(t, 2*(bottom*100-at["lower bound 1048576"][0]), bottom*100-room[0])
	require.Greater(t, room[0], top*100)
	declared := *p
	declared.Pools = []planner.Pool{p.Pools[0], p.Pools[1]}
	declared.Pools[0].Capacity = 2*mib + reserved
	_, same := lines(t, &declared, 0)
	require.Equal(t, at, same)
	_, other := lines(t, &declared, 3*mib+reserved)
	require.Contains(t, other, "capacity less what is reserved 3145728")
	require.Len(t, other, 2)

	// Below the size of the pool the map has it too.
	_, at = lines(t, p, mib)
	require.Len(t, at, 3)
	in := at["capacity 1048576"]
	require.Len(t, in, 1)
	height := (34+24+400)*100 - in[0]
	require.Equal(t, int(400*100*mib/uint64(p.Pools[0].Size)), height)

	// Far away, or without room for a buffer, it is told.
	picture, at := lines(t, p, 1<<30)
	require.Len(t, at, 1)
	require.Contains(t, picture, "bytes in use (the capacity, 1073741824 B (1.0 GiB), is far above)")
	picture, at = lines(t, p, 1)
	require.Len(t, at, 2)
	require.Contains(t, picture, "bytes in use (the capacity, 1 B, leaves no room for them)")
}

// A map that is higher than its bound shows the bound.
func TestSVGBound(t *testing.T) {
	p := *planOf(t, "steps:\n  - {name: a, writes: {x: {type: u8, count: 1MiB}}}\n")
	p.Pools = []planner.Pool{p.Pools[0], p.Pools[1]}
	p.Pools[0].LowerBound = 1 << 19
	p.Pools[0].BoundBy = "<order>"
	picture, at := lines(t, &p, 0)
	bound := at["lower bound 524288"]
	require.Len(t, bound, 2)
	want := int(400 * 100 * (1<<19 + uint64(p.Pools[0].Reserved)) / uint64(p.Pools[0].Size))
	require.InDelta(t, want, (34+24+400)*100-bound[0], 1)
	require.Contains(t, picture, "lower bound 524288 B (512.0 KiB), by &lt;order&gt;, gap ")
}

// colorOf finds the colour of the group of a buffer.
func colorOf(t *testing.T, picture, name string) string {
	t.Helper()
	m := regexp.MustCompile(`<g class="b c(\d+)"><title>` + regexp.QuoteMeta(name) + `: `).FindStringSubmatch(picture)
	require.NotNil(t, m, name)
	return m[1]
}

// The steps that cover most have a colour of their own, which the legend names, and the
// others have one together.
func TestSVGLegend(t *testing.T) {
	var text strings.Builder
	text.WriteString("inputs:\n  in: {type: u8, count: 100KiB}\nsteps:\n")
	for i := range 14 {
		fmt.Fprintf(&text, "  - {name: s%d, reads: [in], scratch: {x%d: {type: u8, count: %dKiB}}}\n", i, i, 1+i)
	}
	p := planOf(t, text.String())
	picture, _ := lines(t, p, 0)
	legend := picture[strings.Index(picture, ">Colours: the steps that write the buffers, those that cover most of the picture first<"):]
	entries := regexp.MustCompile(`<rect class="c(\d+)"[^>]*/></g><text [^>]*>([^<]*)</text>`).FindAllStringSubmatch(legend, -1)
	require.Len(t, entries, 13)
	for i, e := range entries {
		require.Equal(t, strconv.Itoa(i), e[1])
		want := fmt.Sprintf("%d s%d", 14-i, 14-i)
		switch i {
		case 0:
			want = "inputs"
		case 12:
			want = "3 others"
		}
		require.Equal(t, want, e[2])
	}
	require.Equal(t, "0", colorOf(t, picture, "in"))
	require.Equal(t, "1", colorOf(t, picture, "x13"))
	require.Equal(t, "11", colorOf(t, picture, "x3"))
	for _, name := range []string{"x0", "x1", "x2"} {
		require.Equal(t, "12", colorOf(t, picture, name))
	}
	require.Contains(t, picture, ".c12{fill:#ccc}")

	// The legend of reco is in the picture, below all else.
	for _, p := range plans(t) {
		picture, _ := lines(t, p, 0)
		height, err := strconv.Atoi(regexp.MustCompile(`viewBox="0 0 1200 (\d+)"`).FindStringSubmatch(picture)[1])
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`<text x="(\d+)" y="(\d+)"`).FindAllStringSubmatch(picture, -1) {
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			require.True(t, x < 1100 && y < height, m[0])
		}
	}
}

// A label has the step, on a line of its own if it must be, where there is room.
func TestSVGLabels(t *testing.T) {
	label := func(name, size string) string {
		steps := ""
		for i := range 12 {
			steps += fmt.Sprintf("  - {name: s%d}\n", i)
		}
		p := planOf(t, fmt.Sprintf("inputs:\n  %s: {type: u8, count: %s}\n  other: {type: u8, count: 1MiB, keep: true}\nsteps:\n  - {name: a, reads: [%s]}\n%s", name, size, name, steps))
		picture, _ := lines(t, p, 0)
		group := picture[strings.Index(picture, "<title>"+name+": "):]
		group = group[:strings.Index(group, "</g>")]
		var out []string
		for _, m := range regexp.MustCompile(`<text class="t"[^>]*>([^<]*)</text>`).FindAllStringSubmatch(group, -1) {
			out = append(out, m[1])
		}
		return strings.Join(out, "/")
	}
	require.Equal(t, "step.hits", label("step.hits", "1MiB"))
	require.Equal(t, "filter_step/dev_poca", label("filter_step.dev_poca", "1MiB"))
	require.Equal(t, "dev_poca", label("filter_step.dev_poca", "64KiB"))
	require.Equal(t, "", label("filter_step.dev_poca", "1KiB"))
}

// Lines have their numbers in the picture, not only in a title.
func TestSVGLineLabels(t *testing.T) {
	p := planOf(t, "steps:\n  - {name: a, writes: {x: {type: u8, count: 1MiB}}}\n")
	picture, _ := lines(t, p, 512<<10)
	require.Contains(t, picture, ">capacity 512 KiB</text>")
	require.Contains(t, picture, ">lower bound 1 MiB</text>")
}
