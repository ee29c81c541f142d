package report

import (
	"fmt"
	"io"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
)

// ClassTable prints the table of the four classes of memory of a plan.
func ClassTable(w io.Writer, p *planner.Plan) error {
	t := newPrinter(w)
	classes(p).text(t)
	return t.flush()
}

// mode names the arena mode, with what the simulation says of it.
func (r *Report) mode() string {
	s := r.Arena.Simulated
	switch {
	case !r.Arena.Reuse:
		return "bump"
	case s == nil:
		return "reuse"
	}
	return fmt.Sprintf("reuse\ttakes about %s times what is live at once, bump %s times", Decimal(s.Reuse.Mean), Decimal(s.Bump.Mean))
}

// Summary prints the result of planning in a few lines: the class table, and a
// line for each pool, the arena and the waits.
func Summary(w io.Writer, p *planner.Plan) error {
	t := newPrinter(w)
	r := New(p, Options{})
	r.title(t)
	r.Classes.text(t)
	r.needText(t)
	t.section("Parts, one worker")
	for _, pool := range r.Pools {
		quality := "optimal"
		if !pool.Optimal {
			quality = gap(&pool.Pool)
		}
		t.line("  static %s pool\t%s\t%s", pool.Scope, Bytes(pool.Size), quality)
	}
	for _, d := range []struct {
		name   string
		demand *planner.Demand
	}{{"typical", r.Arena.Typical}, {"worst", r.Arena.Worst}} {
		if r.Arena.Slots > 0 && d.demand != nil {
			t.line("  arena, %s\t%s\t%s, %s live at once", d.name, Bytes(d.demand.Sum), prose.Plural(r.Arena.Slots, "slot"), Bytes(d.demand.Peak))
		}
	}
	if r.Arena.Slots > 0 {
		t.line("  arena mode\t%s", r.mode())
	}
	t.line("  host waits\t%d\tand the end of the batch", len(r.Waits))
	if s := r.Streams; s != nil {
		t.line("  streams\t%d\t%s, %d of them added", len(s.Streams), prose.Plural(s.Waits, "stream wait"), len(s.Added))
	}
	return t.flush()
}
