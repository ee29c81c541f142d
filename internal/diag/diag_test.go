package diag_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
)

func at(line, col int, message string) diag.Diagnostic {
	return diag.Diagnostic{Pos: diag.Pos{File: "f.yaml", Line: line, Col: col}, Code: "SP0001", Severity: diag.Error, Message: message}
}

func render(l diag.List, source string, opts diag.RenderOptions) string {
	var b strings.Builder
	if err := diag.Render(&b, l, map[string][]byte{"f.yaml": []byte(source)}, opts); err != nil {
		return err.Error()
	}
	return b.String()
}

func TestRender(t *testing.T) {
	hinted := at(2, 3, "second")
	hinted.Hint, hinted.Severity = "do this", diag.Warning
	got := render(diag.List{hinted, at(1, 4, "first"), at(1, 4, "first"), at(3, 3, "tab")}, "a: é\r\n  bé:\n\t\tx: 1\n", diag.RenderOptions{})
	require.Equal(t, `f.yaml:1:4: error[SP0001]: first
    a: é
       ^
f.yaml:2:3: warning[SP0001]: second
      bé:
      ^
    hint: do this
f.yaml:3:3: error[SP0001]: tab
    `+"\t\t"+`x: 1
    `+"\t\t"+`^
`, got)
}

func TestRenderNotes(t *testing.T) {
	d := at(1, 1, "m")
	d.Hint = "h"
	d.Notes = []diag.Note{
		{Label: "one", Pos: diag.Pos{File: "f.yaml", Line: 3, Col: 2}, Message: "a\x1b\nb"},
		{Label: "one", Pos: diag.Pos{File: "g.yaml", Line: 3, Col: 2}, Message: "b"},
		{Label: "two", Message: "c"},
		{Label: "two", Pos: diag.Pos{File: "f.yaml"}, Message: "d"},
	}
	require.Equal(t, `f.yaml:1:1: error[SP0001]: m
    ab
    ^
    hint: h
    one:
      line 3: a`+"\uFFFD\uFFFD"+`b
      g.yaml:3:2: b
    two:
      c
      f.yaml: d
`, render(diag.List{d}, "ab", diag.RenderOptions{}))
}

// The caret counts characters, positions count bytes.
func TestRenderBytes(t *testing.T) {
	require.Contains(t, render(diag.List{at(1, 6, "x")}, "ééx", diag.RenderOptions{}), "\n    ééx\n       ^\n")
	require.Contains(t, render(diag.List{at(1, 5, "x")}, "ééx", diag.RenderOptions{}), "\n    ééx\n      ^\n")
	require.Contains(t, render(diag.List{at(1, 4, "x")}, "ééx", diag.RenderOptions{}), "\n    ééx\n     ^\n", "the middle of a character")
	require.Contains(t, render(diag.List{at(1, 3, "x")}, "\xff\xa9x", diag.RenderOptions{}), "x\n      ^\n", "bytes that are no UTF-8 are shown one by one")
	require.Contains(t, render(diag.List{at(1, 2, "x")}, "\ufeffab", diag.RenderOptions{}), "\n    ab\n     ^\n", "a mark is no column")
}

func TestRenderOddPositions(t *testing.T) {
	for _, c := range []struct {
		d    diag.Diagnostic
		want string
	}{
		{at(0, 0, "file"), "f.yaml: error[SP0001]: file\n"},
		{at(1, 0, "line"), "f.yaml:1: error[SP0001]: line\n    ab\n"},
		{at(9, 9, "beyond"), "f.yaml:9:9: error[SP0001]: beyond\n"},
		{at(1, 99, "right"), "f.yaml:1:99: error[SP0001]: right\n    ab\n      ^\n"},
		{diag.Diagnostic{Pos: diag.Pos{File: "other", Line: 1, Col: 1}, Code: "X", Message: "m"}, "other:1:1: warning[X]: m\n"},
	} {
		require.Equal(t, c.want, render(diag.List{c.d}, "ab", diag.RenderOptions{}))
	}
}

func TestRenderLongLine(t *testing.T) {
	line := strings.Repeat("x", 5000) + "HERE" + strings.Repeat("y", 5000)
	for _, col := range []int{1, 5001, len(line)} {
		lines := strings.Split(render(diag.List{at(1, col, "m")}, line, diag.RenderOptions{}), "\n")
		require.Less(t, len(lines[1]), 140)
		caret := strings.Index(lines[2], "^")
		require.Equal(t, line[col-1], lines[1][caret])
	}
}

func TestRenderControlCharacters(t *testing.T) {
	require.NotContains(t, render(diag.List{at(1, 1, "m")}, "a\x1b[31m\u009b", diag.RenderOptions{}), "\x1b")
	require.NotContains(t, render(diag.List{at(1, 1, "m\u2066")}, "a # \u202e evil", diag.RenderOptions{}), "\u202e")
	require.NotContains(t, render(diag.List{at(1, 1, "m\u2066")}, "a", diag.RenderOptions{}), "\u2066")
}

func TestRenderCap(t *testing.T) {
	var l diag.List
	for i := range 25 {
		l = append(l, at(i+1, 1, fmt.Sprint(i)))
	}
	got := render(l, "", diag.RenderOptions{})
	require.Equal(t, diag.RenderCap, strings.Count(got, "error["))
	require.True(t, strings.HasSuffix(got, "... and 15 more; use -all\n"))
	all := render(l, "", diag.RenderOptions{All: true})
	require.Equal(t, 25, strings.Count(all, "error["))
	require.NotContains(t, all, "more")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRenderError(t *testing.T) {
	require.EqualError(t, diag.Render(failing{}, diag.List{at(1, 1, "m")}, nil, diag.RenderOptions{}), "disk full")
}

func TestList(t *testing.T) {
	warning := diag.Diagnostic{Message: "w"}
	require.NoError(t, diag.List{warning}.Err())
	err := diag.List{warning, at(2, 1, "b"), at(1, 1, "a")}.Err()
	require.EqualError(t, err, "f.yaml:1:1: error[SP0001]: a (and 1 more)")
	require.EqualError(t, diag.List{}, "no errors")
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"tracks", "track"},
		{"trakc", "track"},
		{"hist", "hits"},
		{"hit", "hits"},
		{"zzz", ""},
		{"", ""},
		{"track", ""},
		{"é", ""},
		{"velo_clusterz", "velo_clusters"},
	} {
		require.Equal(t, c.want, diag.Nearest(c.name, []string{"track", "hits", "velo_clusters"}), c.name)
	}
}

// The one error comes after eleven warnings, and is printed all the same.
func TestRenderShowsErrorsFirst(t *testing.T) {
	var l diag.List
	for i := range 11 {
		l = append(l, diag.Diagnostic{Pos: diag.Pos{File: "f", Line: i + 1, Col: 1}, Code: "SP1", Severity: diag.Warning, Message: "careful"})
	}
	l = append(l, diag.Diagnostic{Pos: diag.Pos{File: "f", Line: 99, Col: 1}, Code: "SP2", Severity: diag.Error, Message: "broken"})
	var out strings.Builder
	require.NoError(t, diag.Render(&out, l, nil, diag.RenderOptions{}))
	require.Contains(t, out.String(), "f:99:1: error[SP2]: broken")
	require.Contains(t, out.String(), "... and 2 more; use -all")
	require.Less(t, strings.Index(out.String(), "f:9:1"), strings.Index(out.String(), "f:99:1"))
}
