package report

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Buffer is one of the largest buffers.
type Buffer struct {
	Name     string           `json:"name"`
	Class    planner.Class    `json:"class"`
	Scope    sequences.Scope  `json:"scope"`
	Bytes    sequences.Bytes  `json:"bytes"`
	Lifetime planner.Interval `json:"lifetime"`
	Formula  string           `json:"formula"` // bytes of an element and their number
	First    string           `json:"first"`   // name of the first step of the lifetime
	Last     string           `json:"last"`    // and of the last
}

func top(p *planner.Plan, n int) []Buffer {
	all := make([]*planner.Buffer, len(p.Buffers))
	for i := range p.Buffers {
		all[i] = &p.Buffers[i]
	}
	slices.SortStableFunc(all, func(a, b *planner.Buffer) int {
		sizeA, _ := sizeOf(a)
		sizeB, _ := sizeOf(b)
		return cmp.Compare(sizeB, sizeA)
	})
	var out []Buffer
	for _, b := range all[:min(n, len(all))] {
		size, _ := sizeOf(b)
		out = append(out, Buffer{
			Name: b.Name, Class: b.Class, Scope: b.Scope, Bytes: size, Lifetime: b.Lifetime,
			Formula: formula(b), First: stepName(p, b.Lifetime.First), Last: stepName(p, b.Lifetime.End-1),
		})
	}
	return out
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
