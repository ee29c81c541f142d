package pack

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// The limits of the search over pairs. The first is of items; the others are of
// what its lists hold, some 100 bytes each.
const (
	maxShaped   = 1000
	maxRanges   = 1 << 20
	maxInUse    = 1 << 20
	workPerPart = 32
)

// pairwise searches with the engine that knows windows at any byte: it decides
// for each pair of items which one is above. It does some elementary work, see
// disjunct.Work, and nothing where its lists alone take more than that. Pairs that are
// apart without a step in common give it what the other engines see as a section each.
func (s *solver) pairwise(ctx context.Context, work uint64) {
	if s.model == nil || !s.loose && len(s.model.aparts) == 0 || len(s.model.items) > maxShaped || s.done() {
		return
	}
	w := disjunct.NewWork(ctx, work)
	if s.byPairs == nil {
		p, ok := s.model.disjunct(w)
		if !ok {
			return
		}
		s.byPairs = &p
	}
	p := s.byPairs
	s.refuted(p.Bound(w))
	if s.done() || s.Bound.Bytes > s.problem.capacity() {
		return
	}
	if s.problem.Capacity != nil {
		offsets, outcome, spent := disjunct.Search(w, p, *s.problem.Capacity)
		s.Nodes += spent
		switch outcome {
		case disjunct.Found:
			s.take(s.model.offsets(offsets), "search over pairs")
		case disjunct.Refuted:
			s.refuted(*s.problem.Capacity + 1)
		}
		return
	}
	best := disjunct.Minimise(w, p, s.Bound.Bytes, s.Height)
	s.Nodes += best.Nodes
	s.refuted(best.Lower)
	if best.Offsets != nil {
		s.take(s.model.offsets(best.Offsets), "search over pairs")
	}
}

// disjunct lists the pairs of items that may conflict. It returns false if that takes
// more than the work or the memory that there is.
func (m *model) disjunct(w *disjunct.Work) (p disjunct.Problem, ok bool) {
	spend := func(units int) bool { return w.Spend(workPerPart * units) }
	p.Items = make([]disjunct.Item, len(m.items))
	shapes := m.shapes()
	for n := range m.items {
		it := &m.items[n]
		p.Items[n] = disjunct.Item{Size: it.size, Align: it.align, Fixed: it.fixed}
	}
	aparts := m.aparts
	count := 0
	for i := range m.items {
		for j := i + 1; j < len(m.items); j++ {
			ranges, ok := shape.ForbiddenWithin(spend, shapes[i], shapes[j])
			if !ok {
				return p, false
			}
			if len(aparts) > 0 && aparts[0].i == i && aparts[0].j == j {
				if r, ok := shape.Apart(aparts[0].sizeI, aparts[0].sizeJ); ok {
					ranges = shape.Merge(append(ranges, r))
				}
				aparts = aparts[1:]
			}
			if count += len(ranges); count > maxRanges {
				return p, false
			}
			if len(ranges) > 0 {
				p.Pairs = append(p.Pairs, disjunct.Pair{I: i, J: j, Forbidden: slices.Clone(ranges)})
			}
		}
	}
	inUse := 0
	p.Sections, ok = shape.Sections(func(units int) bool {
		inUse += units
		return inUse <= 2*maxInUse && spend(units)
	}, shapes)
	return p, ok
}
