package diag

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// RenderCap is how many diagnostics Render prints unless asked for all.
const RenderCap = 10

// RenderOptions change what Render prints.
type RenderOptions struct {
	All bool // no cap
}

// maxLine is how many characters of a source line are shown.
const maxLine = 120

// Render prints a list for people: sorted, without duplicates, each diagnostic
// with its source line, a caret under the place and its hint. sources maps the
// file names of positions to the text of the files; a file that is missing is
// printed without a source line. It returns the error of w.
func Render(w io.Writer, l List, sources map[string][]byte, opts RenderOptions) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	sorted := l.Sorted()
	shown := sorted
	if !opts.All && len(shown) > RenderCap {
		// Warnings must not hide what stopped the work.
		bySeverity := slices.Clone(sorted)
		slices.SortStableFunc(bySeverity, func(a, b Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
		shown = bySeverity[:RenderCap].Sorted()
	}
	lines := make(map[string][][]byte)
	for _, d := range shown {
		fmt.Fprintln(out, d.Error())
		if data, ok := sources[d.Pos.File]; ok && d.Pos.Line > 0 {
			split, ok := lines[d.Pos.File]
			if !ok {
				split = bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) // columns do not count the mark
				lines[d.Pos.File] = split
			}
			if d.Pos.Line <= len(split) {
				renderLine(out, split[d.Pos.Line-1], d.Pos.Col)
			}
		}
		if d.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", d.Hint)
		}
	}
	if more := len(sorted) - len(shown); more > 0 {
		fmt.Fprintf(out, "... and %d more; use -all\n", more)
	}
	return out.Flush()
}

// renderLine prints a source line and, if col is known, a caret under the byte
// with that column. Tabs stay tabs in both, so that the caret stands right for
// any tab width; characters that could move the cursor become U+FFFD.
func renderLine(out *bufio.Writer, line []byte, col int) {
	line = bytes.TrimSuffix(line, []byte("\r"))
	text, caret := printable(line), -1
	if col > 0 {
		caret = utf8.RuneCount(line[:min(col-1, len(line))])
	}
	text, caret = window(text, caret)
	fmt.Fprintf(out, "    %s\n", strings.TrimRight(string(text), " \t"))
	if caret < 0 {
		return
	}
	var pad strings.Builder
	for _, r := range text[:min(caret, len(text))] {
		if r == '\t' {
			pad.WriteRune('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	fmt.Fprintf(out, "    %s^\n", pad.String())
}

func printable(line []byte) []rune {
	text := []rune(string(line))
	for i, r := range text {
		if r != '\t' && (r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029') {
			text[i] = utf8.RuneError
		}
	}
	return text
}

// window cuts a long line around the caret and marks the cuts with dots.
func window(text []rune, caret int) ([]rune, int) {
	if len(text) <= maxLine {
		return text, caret
	}
	const dots = "..."
	from := max(0, min(caret-maxLine/2, len(text)-maxLine))
	to := from + maxLine
	out := make([]rune, 0, maxLine+2*len(dots))
	if from > 0 {
		out = append(out, []rune(dots)...)
		caret += len(dots)
	}
	out = append(out, text[from:to]...)
	if to < len(text) {
		out = append(out, []rune(dots)...)
	}
	if caret < 0 {
		return out, caret
	}
	return out, caret - from
}
