package diag

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// RenderCap is how many diagnostics Render prints as text unless asked for all.
const RenderCap = 10

// RenderOptions change what Render prints.
type RenderOptions struct {
	Format Format
	All    bool              // no cap; the formats for machines have none
	Title  func(Code) string // what a code means, in a few words; may be nil
}

func (o RenderOptions) title(code Code) string {
	if o.Title == nil {
		return ""
	}
	return strings.TrimPrefix(o.Title(code), "warning: ") // the severity says that
}

// heading is the code with its title.
func (o RenderOptions) heading(code Code) string {
	switch title := o.title(code); {
	case code == "":
		return "seqplan"
	case title == "":
		return string(code)
	default:
		return string(code) + ": " + title
	}
}

// maxLine is how many characters of a source line are shown.
const maxLine = 120

// Render prints a list: sorted and without duplicates. sources maps the file names of
// positions to the text of the files; of a file that is missing no line is shown, and
// formats that count columns in characters have none. It returns the error of w.
func Render(w io.Writer, l List, sources map[string][]byte, opts RenderOptions) error {
	sorted, lines := l.Sorted(), newSourceLines(sources)
	switch opts.Format {
	case JSON:
		return renderJSON(w, sorted)
	case GitHub:
		return renderGitHub(w, sorted, lines, opts)
	case SARIF:
		return renderSARIF(w, sorted, lines, opts)
	}
	return renderText(w, sorted, lines, opts)
}

// renderText prints for people: each diagnostic with its source line, a caret under the
// place, its hint and its notes.
func renderText(w io.Writer, sorted List, sources *sourceLines, opts RenderOptions) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	shown := sorted
	if !opts.All && len(shown) > RenderCap {
		// Warnings must not hide what stopped the work.
		bySeverity := slices.Clone(sorted)
		slices.SortStableFunc(bySeverity, func(a, b Diagnostic) int { return cmp.Compare(b.Severity, a.Severity) })
		shown = bySeverity[:RenderCap].Sorted()
	}
	for _, d := range shown {
		line, known := sources.line(d.Pos)
		d.Pos.File, d.Message = clean(d.Pos.File, ""), clean(d.Message, "\n")
		fmt.Fprintln(out, d.Error())
		if known {
			renderLine(out, line, d.Pos.Col)
		}
		if d.Hint != "" {
			fmt.Fprintf(out, "    hint: %s\n", clean(d.Hint, "\n"))
		}
		for _, line := range d.noteLines() {
			fmt.Fprintf(out, "    %s\n", clean(line, ""))
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
	text, caret := []rune(clean(string(line), "")), -1
	if col > 0 {
		caret = charsBefore(line, col)
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
