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
	Basis    Basis            `json:"basis,omitempty"` // of a dynamic buffer; "" if its size is not known
	Lifetime planner.Interval `json:"lifetime"`
	Formula  string           `json:"formula"` // bytes of an element and their number
	First    string           `json:"first"`   // name of the first step of the lifetime
	Last     string           `json:"last"`    // and of the last
}

// largestBuffers are the largest ones, at most n, the largest first.
func largestBuffers(p *planner.Plan, n int) []int {
	all := make([]int, len(p.Buffers))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(a, b int) int {
		sizeA, _ := sizeOf(&p.Buffers[a])
		sizeB, _ := sizeOf(&p.Buffers[b])
		return cmp.Compare(sizeB, sizeA)
	})
	return all[:min(n, len(all))]
}

func top(p *planner.Plan, n int) (out []Buffer) {
	for _, i := range largestBuffers(p, n) {
		b := &p.Buffers[i]
		size, basis := sizeOf(b)
		out = append(out, Buffer{
			Name: b.Name, Class: b.Class, Scope: b.Scope, Bytes: size, Basis: basis, Lifetime: b.Lifetime,
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
		t.line("  %s\t%s %s\t%s\t[%d, %d)\t%s", b.Name, b.Class, b.Scope, b.size(), b.Lifetime.First, b.Lifetime.End, b.Formula)
	}
}

// size are the bytes of a buffer, with what they are.
func (b *Buffer) size() string {
	switch {
	case b.Class == planner.Static:
		return Bytes(b.Bytes)
	case b.Basis == "":
		return "size unknown"
	}
	return Bytes(b.Bytes) + " " + string(b.Basis)
}
