package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

func planOf(t *testing.T, text string) *planner.Plan {
	t.Helper()
	seq, diags := sequences.Read("case.yaml", []byte("seqplan: 1\nname: case\n"+text))
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return p
}

// Sizes are rounded up to the base alignment also where every buffer asks for more.
func TestLiveBase(t *testing.T) {
	p := planOf(t, `
device: {align: 16}
steps:
  - {name: a, writes: {x: {type: u8, count: 17, align: 256}, y: {type: u8, count: 100, align: 64}}}
  - {name: b, reads: [x]}
`)
	require.Equal(t, []sequences.Bytes{32 + 112, 32}, report.Live(p, sequences.Device))
	require.Equal(t, []sequences.Bytes{0, 0}, report.Live(p, sequences.Host))
}

// A buffer of unknown size has no size in any format.
func TestUnknownSize(t *testing.T) {
	p := planOf(t, `
counts:
  n: {at: "counted[0]"}
steps:
  - {name: a, writes: {counted: {type: u32, count: 1}}}
  - {name: b, reads: [counted], writes: {found: {type: u32, count: n}}}
`)
	all := formats(t, p)
	require.Contains(t, string(all["csv"]), "\nfound,dynamic,device,b,write,u32,4,n,1,2,,,,0,,n\n")
	require.Contains(t, string(all["dot"]), `label="found\nsize unknown\n[1, 2)"`)
	require.Contains(t, string(all["trace.json"]), `"bytes":"unknown"`)
	require.Contains(t, string(all["md"]), "Of no known size, and counted as 0 B: 1 dynamic buffer.")
	require.Contains(t, string(all["txt"]), "of no known size, and counted as 0 B: 1 dynamic buffer")
}

// A cell of a map shows what covers most of it: buffers that are small do not hide large
// ones, whatever their order.
func TestMapCells(t *testing.T) {
	for _, names := range [][]string{{"large", "tiny"}, {"tiny", "large"}} {
		sizes := map[string]int{"large": 1 << 20, "tiny": 256}
		p := planOf(t, fmt.Sprintf(`
steps:
  - {name: a, writes: {%s: {type: u8, count: %d}, %s: {type: u8, count: %d}}}
  - {name: b}
`, names[0], sizes[names[0]], names[1], sizes[names[1]]))
		var b bytes.Buffer
		require.NoError(t, report.Map(&b, p, sequences.Device, report.MapOptions{Width: 53, Height: 4}))
		rows := strings.Split(b.String(), "\n")[1:5]
		require.True(t, strings.HasSuffix(rows[0], "|A large "+strings.Repeat("A", 12)+strings.Repeat(".", 20)+"|"), rows[0])
		for _, row := range rows[1:3] {
			require.True(t, strings.HasSuffix(row, "|"+strings.Repeat("A", 20)+strings.Repeat(".", 20)+"|"), row)
		}
		require.True(t, strings.HasSuffix(rows[3], "|"+strings.Repeat("A", 20)+strings.Repeat("=", 20)+"|"), rows[3])
		require.Contains(t, b.String(), "  A large  1048576 B (1.0 MiB)  [0, 1)\n  + 1 smaller buffer, 256 B together\n")
	}
}

// The host waits of a summary are cut.
func TestMarkdownCut(t *testing.T) {
	var text strings.Builder
	text.WriteString("steps:\n")
	for i := range 12 {
		fmt.Fprintf(&text, "  - {name: d%d, writes: {x%d: {type: u32, count: 1}, w%d: {type: u32, count: 1}, v%d: {type: u32, count: 1}, u%d: {type: u32, count: 1}}}\n", i, i, i, i, i)
		fmt.Fprintf(&text, "  - {name: h%d, on: host, reads: [x%d, w%d, v%d, u%d], writes: {y%d: {type: u32, count: 1, scope: host}}}\n", i, i, i, i, i, i)
	}
	p := planOf(t, text.String())
	require.Len(t, p.Waits, 12)
	md := string(formats(t, p)["md"])
	require.Contains(t, md, "\nHost waits: 12 in the sequence, and the end of the batch.\n")
	require.Contains(t, md, "\n- and 4 more\n")
	require.Regexp(t, "(?m)^- before step 1 `h0`: .*: `x0`, `w0`, `v0`, 1 more$", md)
	require.True(t, slices.Max([]int{len(strings.Split(md, "\n")), 60}) == 60, md)
}
