package report

import (
	"io"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
)

// alivePrinted is how many of the buffers alive at a peak are printed by name.
const alivePrinted = 5

// Text prints a report of a plan for people, with a map of each static pool. It fits a
// terminal of the width of opts.
func Text(w io.Writer, p *planner.Plan, r *Report, opts MapOptions) error {
	t := newPrinter(w)
	t.color = opts.Color
	if err := r.text(t); err != nil {
		return err
	}
	for i := range p.Pools {
		var b strings.Builder
		if err := Map(&b, p, p.Pools[i].Scope, opts); err != nil {
			return err
		}
		if b.Len() == 0 {
			continue
		}
		if _, err := io.WriteString(w, "\n"+b.String()); err != nil {
			return err
		}
	}
	return nil
}

// Text prints the report for people, without maps.
func (r *Report) Text(w io.Writer) error { return r.text(newPrinter(w)) }

func (r *Report) text(t *printer) error {
	r.title(t)
	for _, p := range r.Params {
		if p.Min == p.Max {
			t.line("  %s = %d", p.Name, p.Min)
		} else {
			t.line("  %s = %d ... %d", p.Name, p.Min, p.Max)
		}
	}
	r.verdicts(t)
	r.Classes.text(t)
	r.needText(t)
	for i := range r.Pools {
		r.Pools[i].text(t, r.Workers)
	}
	r.Arena.text(t, r.Streams != nil)
	r.top(t)
	r.streams(t)
	r.waits(t)
	return t.flush()
}

func (r *Report) title(t *printer) {
	t.line("%s: %s, %s, plan %s", r.Name, prose.Plural(r.Steps, "step"), prose.Plural(r.Classes.Total.Buffers, "buffer"), r.Hash)
}

func (r *Report) waits(t *printer) {
	t.section("Host waits: %d in the sequence, and the end of the batch", len(r.Waits))
	for _, w := range r.Waits {
		t.line("  before step %d\t%s\t%s: %s", w.Step, w.Name, w.Reason, names(w.Buffers))
	}
}
