package disjunct

import "github.com/seqplan/seqplan/planner/pack/internal/shape"

// Bound returns a height that no packing is below: the largest item, the end of one
// that is fixed, or the bytes of windows of which no two can overlap. With little
// work it is a weaker one.
func (p *Problem) Bound(w *Work) (bound uint64) {
	for _, it := range p.Items {
		at := uint64(0)
		if it.Fixed != nil {
			at = *it.Fixed
		}
		bound = max(bound, at+it.Size)
	}
	for _, parts := range p.cliques(w) {
		bound = max(bound, total(parts))
	}
	return bound
}

// total is the bytes of some windows, or something above Limit.
func total(parts []shape.Part) (sum uint64) {
	for _, p := range parts {
		if sum += p.High - p.Low; sum > Limit {
			break // before it can wrap
		}
	}
	return sum
}

// growShare is the part of the work left that may go into cliques.
const growShare = 4

// cliques returns sets of windows that are disjoint in every packing. Where the work
// is short they are smaller; they are made again when there is much more.
func (p *Problem) cliques(w *Work) [][]shape.Part {
	units := w.left() / growShare
	if p.grown || units <= 2*p.tried {
		return p.sets
	}
	p.tried = units
	w.within(units, func() {
		p.sets = newGrower(p, w).cliques()
		p.grown = !w.over()
	})
	return p.sets
}
