package disjunct

import "github.com/seqplan/seqplan/planner/pack/internal/shape"

// Bound returns a height that no packing is below: the largest item, the end of one
// that is fixed, or the bytes of windows of which no two can overlap.
func (p Problem) Bound() uint64 { return p.bound(p.cliques()) }

func (p Problem) bound(cliques [][]shape.Part) (bound uint64) {
	for _, it := range p.Items {
		at := uint64(0)
		if it.Fixed != nil {
			at = *it.Fixed
		}
		bound = max(bound, at+it.Size)
	}
	for _, parts := range cliques {
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

// cliques returns sets of windows that are disjoint in every packing.
func (p Problem) cliques() (sets [][]shape.Part) {
	if len(p.Items) <= mostGrown {
		return newGrower(p).cliques()
	}
	for _, s := range p.Sections {
		sets = append(sets, s.Parts)
	}
	return sets
}
