package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/seqplan/seqplan/internal/prose"
)

// printer keeps the first error.
type printer struct {
	tab   *tabwriter.Writer
	color bool
	err   error
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
