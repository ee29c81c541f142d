package report_test

import (
	"bytes"
	"regexp"
	"strconv"
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
