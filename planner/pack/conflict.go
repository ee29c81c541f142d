package pack

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/mus"
)

// maxConflict is the number of buffers above which a conflict is not made smaller
// by packing parts of it.
const maxConflict = 500

// explain makes the conflict of an infeasible result as small as it can prove.
func (e Engine) explain(ctx context.Context, p Problem, r Result) Result {
	if r.Status != Infeasible || r.Minimal {
		return r
	}
	set, stacked := r.Conflict, false
	if r.Bound.Bytes > p.capacity() {
		switch r.Bound.Kind {
		case MaxLive:
			set = p.crowd(set, r.Bound.First)
			stacked = p.plain() && p.stackable(set) // without any one of them the rest fits
		case Placed:
			set = p.overfixed(set)
		}
	}
	if len(set) > maxConflict {
		r.Conflict, r.Minimal = set, stacked
		return r
	}
	quick := Engine{Effort: Quick, Seed: e.Seed}
	r.Conflict, r.Minimal = mus.Minimise(set, func(part []int) mus.Answer {
		sub, err := quick.solve(ctx, p.subset(part), explainShare)
		r.Nodes += sub.Nodes
		switch {
		case err == nil && sub.Status == Infeasible:
			return mus.Infeasible
		case err == nil && sub.Status != Unknown:
			return mus.Feasible
		}
		return mus.Unknown
	})
	return r
}

// stackable reports whether buffers can lie on each other without a hole.
func (p Problem) stackable(set []int) bool {
	return !slices.ContainsFunc(set, func(i int) bool { return p.Buffers[i].Align > 1 })
}

// overfixed returns one buffer that ends above the capacity at its fixed offset, or
// all of the set where that is one of a group.
func (p Problem) overfixed(set []int) []int {
	for _, i := range set {
		if b := &p.Buffers[i]; b.Offset != nil && *b.Offset+b.Size > p.capacity() { // measured
			return []int{i}
		}
	}
	return set
}

// crowd drops from the buffers that are alive at a step the smallest ones, as long
// as the others exceed the capacity. Gaps and groups make it keep more than needed.
func (p Problem) crowd(set []int, step uint64) []int {
	grouped := make(map[int]bool)
	for _, group := range p.InPlace {
		for _, i := range group {
			grouped[i] = true
		}
	}
	inUse := func(i int) uint64 {
		b := &p.Buffers[i]
		if step < b.First || b.End <= step {
			return 0
		}
		for _, g := range b.Gaps {
			if g.First <= step && step < g.End {
				return g.High - g.Low
			}
		}
		return b.Size
	}
	var sum uint64
	for _, i := range set {
		if grouped[i] {
			return set
		}
		sum += inUse(i)
	}
	order := slices.Clone(set)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(inUse(i), inUse(j)) })
	var out []int
	for _, i := range order {
		if bytes := inUse(i); sum-bytes > p.capacity() {
			sum -= bytes
		} else {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return out
}
