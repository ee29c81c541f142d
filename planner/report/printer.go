package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/seqplan/seqplan/internal/prose"
)

// printer keeps the first error. It cuts strings that are too long for a line, as a name
// of a plan that was read may be.
type printer struct {
	tab   *tabwriter.Writer
	color bool
	err   error
}

// longest is how many characters of a name or a formula are printed.
const longest = 120

func short(s string) string { return prose.Shorten(s, longest) }

// phrase is a text whose parts are short: the printer leaves it whole.
type phrase string

// whole is a text of several lines at most.
func whole(s string) phrase { return phrase(prose.Shorten(s, 20*longest)) }

// names lists some names.
func names(list []string) phrase {
	list = slices.Clone(list)
	for i := range list {
		list[i] = short(list[i])
	}
	return phrase(strings.Join(list, ", "))
}

func newPrinter(w io.Writer) *printer {
	return &printer{tab: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
}

// line writes one line; cells are separated by tabs.
func (t *printer) line(format string, args ...any) {
	if t.err == nil {
		// A tab at the end would make a column of trailing spaces.
		_, t.err = fmt.Fprintln(t.tab, t.text(format, args...))
	}
}

func (t *printer) text(format string, args ...any) string {
	args = slices.Clone(args)
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = short(s)
		}
	}
	return strings.TrimRight(prose.PlainTabbed(fmt.Sprintf(format, args...)), "\t ")
}

// section starts a block with columns of its own.
func (t *printer) section(format string, args ...any) {
	t.line("")
	if t.err == nil {
		t.err = t.tab.Flush()
	}
	title := t.text(format, args...)
	if t.color && !strings.Contains(title, "\t") { // in a cell it would count as width
		title = "\x1b[1m" + title + "\x1b[0m"
	}
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.tab, title)
	}
}

func (t *printer) flush() error {
	if t.err == nil {
		t.err = t.tab.Flush()
	}
	return t.err
}
