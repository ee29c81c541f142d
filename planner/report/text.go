package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
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
	r.Classes.text(t)
	for _, pool := range r.Pools {
		r.pool(t, pool)
	}
	r.arena(t)
	r.top(t)
	r.streams(t)
	r.waits(t)
	if r.Fit != nil {
		r.fit(t)
	}
	if r.FitUnknown != "" {
		t.section("Capacity")
		t.line("  how large a batch fits is unknown: %s", r.FitUnknown)
	}
	if len(r.Budgets) > 0 {
		r.budgets(t)
	}
	if r.Baseline != nil {
		t.section("Since the baseline")
		for _, line := range r.Baseline.Lines(diff.Options{}) {
			if line != "" {
				line = "  " + line
			}
			t.line("%s", line)
		}
	}
	return t.flush()
}

func (r *Report) title(t *printer) {
	t.line("%s: %s, %s, plan %s", r.Name, prose.Plural(r.Steps, "step"), prose.Plural(r.Classes.Total.Buffers, "buffer"), r.Hash)
}

func (c Classes) text(t *printer) {
	t.section("Memory (sum of sizes; %s)", dynamicBasis(c.Basis))
	t.line("  class\tscope\tbuffers\tshare\tbytes")
	for _, row := range c.Rows {
		t.line("  %s\t%s\t%d\t%.1f %%\t%s", row.Class, row.Scope, row.Buffers, row.Percent, Bytes(row.Bytes))
	}
	total := c.Total
	t.line("  total\t\t%d\t%.1f %%\t%s", total.Buffers, total.Percent, Bytes(total.Bytes))
	if n := c.Unbounded; n > 0 {
		t.line("  of no known size, and counted as 0 B: %s", prose.Plural(n, "dynamic buffer"))
	}
}

// dynamicBasis says what the bytes of dynamic buffers are.
func dynamicBasis(b Basis) string {
	switch b {
	case Worst:
		return "dynamic: worst case"
	case Mixed:
		return "dynamic: typical where known, else worst case"
	}
	return "dynamic: typical"
}

func (r *Report) pool(t *printer, p Pool) {
	t.section("Static %s pool, one worker", p.Scope)
	t.line("  size\t%s", Bytes(p.Size))
	if p.Reserved > 0 {
		t.line("  reserved\t%s", Bytes(p.Reserved))
	}
	t.line("  height\t%s", Bytes(p.Height))
	switch {
	case p.BoundOf != "":
		t.line("  lower bound\t%s, by %s: the end of %s", Bytes(p.LowerBound), p.BoundBy, p.BoundOf)
	case p.BoundBy != "":
		t.line("  lower bound\t%s, by %s", Bytes(p.LowerBound), p.BoundBy)
	default:
		t.line("  lower bound\t%s", Bytes(p.LowerBound))
	}
	t.line("  gap\t%s", certificate(p))
	t.line("  found by\t%s, %s", p.Method, prose.Plural(p.Nodes, "node"))
	t.line("  without reuse\t%s", Bytes(p.Sum))
	p.Waste.text(t)
	if p.Hints > 0 {
		t.line("  hints\t%d of %d kept", p.HintsKept, p.Hints)
	}
	p.order(t)
	if r.Workers > 1 {
		t.line("  %d workers\t%s", r.Workers, Bytes(p.AllWorkers))
	}
	if p.Capacity > 0 {
		verdict := "fits"
		if p.Size > p.Capacity {
			verdict = "does not fit, short of " + Bytes(p.Size-p.Capacity)
		}
		t.line("  capacity\t%s, %s", Bytes(p.Capacity), verdict)
	}
	p.peak(t)
}

// peak lists the buffers behind the lower bound, so that they and the padding add up.
func (p *Pool) peak(t *printer) {
	if len(p.AtPeak) == 0 {
		return
	}
	sum := p.Padding
	for _, a := range p.AtPeak {
		sum = add(sum, a.Bytes)
	}
	alive := prose.Plural(len(p.AtPeak), "buffer")
	if p.BoundBy == planner.BoundByOrder {
		t.line("  peak\t%s that may be in use together, in no order: %s with the padding", alive, Bytes(sum))
	} else {
		t.line("  peak\tstep %d %s, %s alive: %s with the padding", p.PeakStep, p.PeakName, alive, Bytes(sum))
	}
	largest(t, p.AtPeak)
}

// largest names the first of some buffers, and sums up the others.
func largest(t *printer, list []planner.Alive) {
	n := min(alivePrinted, len(list))
	for _, a := range list[:n] {
		t.line("  \t%s  %s", a.Name, Bytes(a.Bytes))
	}
	if n == len(list) {
		return
	}
	var rest sequences.Bytes
	for _, a := range list[n:] {
		rest = add(rest, a.Bytes)
	}
	t.line("  \tand %d more  %s", len(list)-n, Bytes(rest))
}

// certificate says how good a packing is.
func certificate(p Pool) string {
	if p.Optimal {
		return "0 %, proven optimal"
	}
	return fmt.Sprintf("%.2f %% above the lower bound", p.GapPercent)
}

func gapText(p Pool) string { return fmt.Sprintf("%.2f %% above the lower bound", p.GapPercent) }

func (r *Report) arena(t *printer) {
	if r.Arena.Slots == 0 {
		return
	}
	t.section("Dynamic buffers, one worker: %s, alignment %s", prose.Plural(r.Arena.Slots, "slot"), Bytes(r.Arena.Align))
	t.line("  counts\tsum (no reuse)\tpeak (reuse)\thost")
	for _, d := range []struct {
		name   string
		demand *planner.Demand
	}{{"worst", r.Arena.Worst}, {"typical", r.Arena.Typical}} {
		if d.demand == nil {
			t.line("  %s\tunknown: a count has no %s value", d.name, d.name)
			continue
		}
		t.line("  %s\t%s\t%s\t%s", d.name, Bytes(d.demand.Sum), Bytes(d.demand.Peak), Bytes(d.demand.HostSum))
	}
	r.arenaMode(t)
	t.section("  count\tmax\ttypical\tbuffers\tbytes")
	for _, c := range r.Arena.Counts {
		t.line("  %s\t%s\t%s\t%d\t%s", c.Name, known(c.Max), known(c.Typical), c.Buffers, Bytes(c.Bytes))
	}
}

// arenaMode prints the chosen mode and the simulation that it was chosen from.
func (r *Report) arenaMode(t *printer) {
	mode := "bump"
	if r.Arena.Reuse {
		mode = "reuse"
	}
	s := r.Arena.Simulated
	if s == nil && r.Streams != nil {
		t.section("  arena mode bump: with several streams nothing is given back before the end of the batch")
		return
	}
	if s == nil {
		t.section("  arena mode %s: a count has neither a typical value nor a max to simulate with", mode)
		return
	}
	t.section("  arena mode %s, from %d draws of the counts around their typical values, each by up to 30 %%;", mode, s.Draws)
	t.line("  reuse where it saves more than a sixteenth of what bump needs on average")
	t.line("  high-water / live peak\tmean\tworst")
	for _, m := range []struct {
		name  string
		ratio planner.Ratio
	}{{"bump (the sum)", s.Bump}, {"best fit", s.BestFit}, {"reuse", s.Reuse}} {
		t.line("  %s\t%s\t%s", m.name, decimal(m.ratio.Mean), decimal(m.ratio.Worst))
	}
	t.line("  mean live peak\t%s", Bytes(s.Live))
}

// decimal prints a ratio with three digits, rounded up.
func decimal(v uint64) string {
	v = (v + 9) / 10
	return fmt.Sprintf("%d.%03d", v/1000, v%1000)
}

func known(v *uint64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func (r *Report) top(t *printer) {
	if len(r.Top) == 0 {
		return
	}
	t.section("Largest buffers: %d of %d", len(r.Top), r.Classes.Total.Buffers)
	for _, b := range r.Top {
		t.line("  %s\t%s %s\t%s\t[%d, %d)\t%s", b.Name, b.Class, b.Scope, Bytes(b.Bytes), b.Lifetime.First, b.Lifetime.End, b.Formula)
	}
}

func (r *Report) waits(t *printer) {
	t.section("Host waits: %d in the sequence, and the end of the batch", len(r.Waits))
	for _, w := range r.Waits {
		t.line("  before step %d\t%s\t%s: %s", w.Step, w.Name, w.Reason, strings.Join(w.Buffers, ", "))
	}
}

func (r *Report) fit(t *printer) {
	f := r.Fit
	t.section("Capacity %s, %s", Bytes(f.Capacity), basisText(f.Basis))
	t.line("  %s", fitText(f))
	t.line("  workers that fit at the largest declared %s: %d", f.Param, f.Workers)
}

// fitText says how large a batch fits.
func fitText(f *planner.FitResult) string {
	switch {
	case !f.Fits:
		return fmt.Sprintf("not even %s = %d fits: it needs %s, %s too much", f.Param, f.Value, Bytes(f.Need), Bytes(f.Need-min(f.Need, f.Capacity)))
	case f.Limited:
		return fmt.Sprintf("%s = %d fits with %s; limited by the declared range", f.Param, f.Value, Bytes(f.Need))
	}
	return fmt.Sprintf("largest %s that fits: %d with %s; %d would need %s", f.Param, f.Value, Bytes(f.Need), f.Value+1, Bytes(f.Next))
}

func basisText(b planner.Basis) string {
	switch b {
	case planner.BasisTypical:
		return "static region and typical arena"
	case planner.BasisWorst:
		return "static region and worst-case arena"
	}
	return "static region only"
}
