package report

import (
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Explainer explains buffers of one plan, one at a time. What it finds out of a pool serves
// for all of its buffers.
type Explainer struct {
	plan     *planner.Plan
	ids      map[string]int
	usages   map[sequences.Scope]*usage
	packings map[sequences.Scope]*packing // nil for a plan that was read
}

// NewExplainer returns the Explainer of a plan.
func NewExplainer(p *planner.Plan) *Explainer {
	x := &Explainer{p, map[string]int{}, map[sequences.Scope]*usage{}, map[sequences.Scope]*packing{}}
	for i := range p.Buffers {
		x.ids[p.Buffers[i].Name] = i
	}
	return x
}

func (x *Explainer) usage(s sequences.Scope) *usage {
	if x.usages[s] == nil {
		x.usages[s] = newUsage(x.plan, s)
	}
	return x.usages[s]
}

func (x *Explainer) packing(s sequences.Scope) *packing {
	p, ok := x.packings[s]
	if !ok {
		p = newPacking(x.plan, s)
		x.packings[s] = p
	}
	return p
}
