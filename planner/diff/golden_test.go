package diff_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

func load(t *testing.T, name string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	seq := read(t, name, string(text))
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, p
}

// compared are the pairs of sequence files with golden files.
var compared = [][3]string{
	{"case", "old.yaml", "new.yaml"},
	{"streams", "streams_old.yaml", "streams_new.yaml"},
}

func TestGolden(t *testing.T) {
	for _, c := range compared {
		oldSeq, old := load(t, c[1])
		newSeq, young := load(t, c[2])
		d := diff.New(old, young)
		d.Locate(oldSeq, newSeq)
		var text, md, data bytes.Buffer
		require.NoError(t, d.Text(&text, diff.Options{}))
		golden.Equal(t, "testdata/"+c[0]+".txt", text.Bytes())
		require.Equal(t, strings.TrimSuffix(text.String(), "\n"), strings.Join(d.Lines(diff.Options{}), "\n"))
		require.NoError(t, d.Markdown(&md, diff.Options{}))
		golden.Equal(t, "testdata/"+c[0]+".md", md.Bytes())
		require.NoError(t, d.JSON(&data))
		golden.Equal(t, "testdata/"+c[0]+".json", data.Bytes())
	}
}

// What the text form says of bytes stands in Markdown too, in the same order, and every
// number of bytes is in the JSON form.
func TestNumbersAgree(t *testing.T) {
	exact := regexp.MustCompile(`[+-]?\d+ B\b`)
	for _, c := range compared {
		_, old := load(t, c[1])
		_, young := load(t, c[2])
		d := diff.New(old, young)
		var text, md, data bytes.Buffer
		require.NoError(t, d.Text(&text, diff.Options{}))
		require.NoError(t, d.Markdown(&md, diff.Options{}))
		require.NoError(t, d.JSON(&data))
		numbers := exact.FindAllString(text.String(), -1)
		require.Greater(t, len(numbers), 10)
		require.Equal(t, numbers, exact.FindAllString(md.String(), -1))
		known := map[string]bool{}
		for _, n := range regexp.MustCompile(`-?\d+`).FindAllString(data.String(), -1) {
			known[n] = true
		}
		// The titles sum up a list, which the JSON form has whole.
		for _, line := range d.Lines(diff.Options{}) {
			if !regexp.MustCompile(`^(Moved|Grew|Shrank|Appeared|Disappeared|Renamed)`).MatchString(line) {
				for _, n := range exact.FindAllString(line, -1) {
					require.True(t, known[strings.TrimPrefix(strings.TrimSuffix(n, " B"), "+")], "%s in %s", n, line)
				}
			}
		}
	}
}

// A list is cut, and says by how much.
func TestTop(t *testing.T) {
	_, old := load(t, "old.yaml")
	_, young := load(t, "new.yaml")
	d := diff.New(old, young)
	var text, md bytes.Buffer
	require.NoError(t, d.Text(&text, diff.Options{Top: 1}))
	require.NoError(t, d.Markdown(&md, diff.Options{Top: 1}))
	for _, form := range []string{text.String(), md.String()} {
		require.Contains(t, form, "Appeared: 2 buffers, +512256 B (+500.2 KiB)")
		require.Contains(t, form, "vertices")
		require.NotContains(t, form, "counters")
		require.Contains(t, form, "and 1 more, +256 B\n")
		require.Contains(t, form, "and 2 more\n")
		require.NotContains(t, form, "on the device -> host")
	}
	require.Len(t, d.Buffers, 13)
}

// What changes one buffer fits one screen.
func TestOneScreen(t *testing.T) {
	for _, edit := range [][2]string{
		{`prefix_velo: {type: u32, count: "n_events * max_tracks"}`, `prefix_velo: {type: u32, count: "n_events * max_tracks * 4"}`},
		{`hit_used: {type: bool, count: "n_events * 5000"}`, `hit_used: {type: bool, count: "count_of(clusters)"}`},
		{`typical: "n_events * 1300"`, `typical: "n_events * 2600"`},
	} {
		lines := diff.New(velo(t), velo(t, edit[0], edit[1])).Lines(diff.Options{})
		require.LessOrEqual(t, len(lines), 25, "%s", strings.Join(lines, "\n"))
	}
}
