package budget

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// explain says what the bytes of a result are made of. The culprits, of which it keeps the
// largest, and what is in Reserved and Holes add up to Used.
func (c *checker) explain(b *sequences.Budget, r *Result) {
	times := uint64(1)
	if b.Kind == sequences.BudgetTotal {
		times, r.Workers = uint64(c.seq.Workers), several(c.seq.Workers)
	}
	all := c.culprits(b)
	left := uint64(r.Used)
	take := func(bytes uint64) sequences.Bytes {
		n, err := checked.Mul(bytes, times)
		_ = saturate(&n, err)
		n = min(n, left) // more than what is left only where Used is not the true sum
		left -= n
		return sequences.Bytes(n)
	}
	if packed(b) {
		r.Reserved = take(uint64(c.plan.Pools[b.Scope].Reserved))
	}
	for i := range all {
		all[i].Bytes = take(uint64(all[i].Bytes))
		all[i].Percent = percent(all[i].Bytes, r.Used)
	}
	if packed(b) && r.Used != math.MaxUint64 {
		r.Holes = sequences.Bytes(left)
	}
	r.Buffers, r.Culprits = len(all), all[:min(len(all), c.opts.Top)]
}

func percent(part, of sequences.Bytes) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}

// culprits are the buffers behind a budget with what one worker has of them, largest first.
func (c *checker) culprits(b *sequences.Budget) []Culprit {
	var out []Culprit
	add := func(id sequences.BufferID, bytes uint64, basis Basis) {
		p := &c.plan.Buffers[id]
		culprit := Culprit{
			Name: p.Name, Class: p.Class, Scope: p.Scope, Bytes: sequences.Bytes(bytes), Basis: basis,
			Formula:   fmt.Sprintf("%d B * (%s)", uint64(p.ElemSize), p.Count),
			Template:  c.template(id),
			Instances: several(len(c.alike[c.seq.Buffers[id].CountPos])), Place: placeOf(c.seq.Buffers[id].Pos),
		}
		if p.Step >= 0 {
			culprit.Step = c.plan.Steps[p.Step].Name
		}
		out = append(out, culprit)
	}
	if packed(b) {
		c.atPeak(&c.plan.Pools[b.Scope], add)
	}
	_ = c.counted(c.here, b, add) // need has seen its errors
	slices.SortStableFunc(out, func(a, b Culprit) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
}

// atPeak visits the buffers that take most of a pool together, with their share of what
// alignment adds to them.
func (c *checker) atPeak(pool *planner.Pool, visit func(id sequences.BufferID, bytes uint64, basis Basis)) {
	padding := uint64(pool.Padding)
	for _, a := range pool.AtPeak {
		id, n := c.byName[a.Name], uint64(a.Bytes)
		rounded, err := checked.AlignUp(n, uint64(c.seq.Scope(pool.Scope).Align))
		if err == nil {
			more := min(rounded-n, padding) // a part of a buffer need not be rounded as a whole one
			n, padding = n+more, padding-more
		}
		visit(id, n, "")
	}
}

// several is a number of instances or workers, 0 if there is only one.
func several(n int) int {
	if n == 1 {
		return 0
	}
	return n
}
