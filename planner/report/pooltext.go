package report

import (
	"github.com/seqplan/seqplan/internal/prose"
)

// text prints a pool, of a plan for some workers.
func (p *Pool) text(t *printer, workers int) {
	t.section("Static %s pool, one worker", p.Scope)
	t.line("  size\t%s", Bytes(p.Size))
	if p.Reserved > 0 {
		t.line("  reserved\t%s", Bytes(p.Reserved))
	}
	t.line("  height\t%s", Bytes(p.Height))
	of := ""
	if p.BoundOf != "" {
		of = ": the end of " + p.BoundOf
	}
	t.line("  lower bound\t%s%s%s", Bytes(p.LowerBound), boundBy(&p.Pool), of)
	t.line("  gap\t%s", gap(&p.Pool))
	t.line("  found by\t%s, %s", p.Method, prose.Plural(p.Nodes, "node"))
	t.line("  without reuse\t%s", Bytes(p.Sum))
	p.Waste.text(t)
	if p.Hints > 0 {
		t.line("  hints\t%d of %d kept", p.HintsKept, p.Hints)
	}
	p.order(t)
	if workers > 1 {
		t.line("  %d workers\t%s", workers, Bytes(p.AllWorkers))
	}
	if p.Capacity > 0 {
		verdict := "the static region fits"
		if p.Size > p.Capacity {
			verdict = "the static region does not fit, short of " + Bytes(p.Size-p.Capacity)
		}
		t.line("  capacity\t%s: %s", Bytes(p.Capacity), verdict)
	}
	p.peak(t)
}
