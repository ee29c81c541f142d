package report

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Peak is what most of a pool is for: the buffers behind its lower bound, Pool.AtPeak. With
// one stream they are alive together at Pool.PeakStep, the step at which most bytes are in
// use. With several there may be more of them, which may be in use together only because
// nothing orders them: then PeakStep, in the order of the file, has less in use.
type Peak struct {
	Step  *sequences.StepID `json:"step"`  // at which all of AtPeak are alive; null if there is none
	Bytes sequences.Bytes   `json:"bytes"` // of AtPeak, with Padding
	Live  sequences.Bytes   `json:"live"`  // in use at PeakStep
}

func newPeak(p *planner.Plan, pool *planner.Pool, live []sequences.Bytes) Peak {
	out := Peak{Bytes: atPeak(pool), Live: live[pool.PeakStep]}
	if ordered(p, pool) {
		out.Step = &pool.PeakStep
	}
	return out
}

// atPeak is what the buffers behind the lower bound need, with what alignment adds.
func atPeak(pool *planner.Pool) sequences.Bytes {
	sum := pool.Padding
	for _, a := range pool.AtPeak {
		sum = add(sum, a.Bytes)
	}
	return sum
}

// ordered tells whether the buffers behind the lower bound are alive at the peak step.
func ordered(p *planner.Plan, pool *planner.Pool) bool {
	if pool.BoundBy == planner.BoundByOrder {
		return false
	}
	life := map[string]planner.Interval{}
	for i := range p.Buffers {
		life[p.Buffers[i].Name] = p.Buffers[i].Lifetime
	}
	return !slices.ContainsFunc(pool.AtPeak, func(a planner.Alive) bool {
		return pool.PeakStep < life[a.Name].First || life[a.Name].End <= pool.PeakStep
	})
}

// peak lists the buffers behind the lower bound, so that they and the padding add up.
func (p *Pool) peak(t *printer) {
	if len(p.AtPeak) == 0 {
		return
	}
	t.line("  peak\t%s: %s with the padding", p.peakText(short), Bytes(p.Peak.Bytes))
	largest(t, p.AtPeak)
	if p.Peak.Step == nil {
		t.line("  in file order\tstep %d %s: %s in use", p.PeakStep, p.PeakName, Bytes(p.Peak.Live))
	}
}

// peakText says which buffers are behind the lower bound.
func (p *Pool) peakText(name func(string) string) phrase {
	buffers := prose.Plural(len(p.AtPeak), "buffer")
	if p.Peak.Step == nil {
		return phrase(buffers + " that may be in use together, in no order")
	}
	return phrase(fmt.Sprintf("step %d %s, %s alive", *p.Peak.Step, name(p.PeakName), buffers))
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
