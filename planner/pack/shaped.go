package pack

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// maxShaped is the number of items above which the search over pairs is left out.
const maxShaped = 1000

// pairwise searches with the engine that knows windows at any byte: it decides
// for each pair of items which one is above. It spends up to some nodes.
func (s *solver) pairwise(ctx context.Context, nodes uint64) {
	if !s.loose || len(s.model.items) > maxShaped || s.done() {
		return
	}
	if s.byPairs == nil {
		p := s.model.disjunct()
		s.byPairs = &p
		s.refuted(p.Bound())
	}
	p := *s.byPairs
	if s.done() || s.Bound.Bytes > s.problem.capacity() {
		return
	}
	if s.problem.Capacity != nil {
		offsets, outcome, spent := disjunct.Search(ctx, p, disjunct.Options{Capacity: *s.problem.Capacity, Nodes: nodes})
		s.Nodes += spent
		switch outcome {
		case disjunct.Found:
			s.take(s.model.offsets(offsets), "search over pairs")
		case disjunct.Refuted:
			s.refuted(*s.problem.Capacity + 1)
		}
		return
	}
	best := disjunct.Minimise(ctx, p, s.Bound.Bytes, s.Height, nodes)
	s.Nodes += best.Nodes
	s.refuted(best.Lower)
	if best.Offsets != nil {
		s.take(s.model.offsets(best.Offsets), "search over pairs")
	}
}

// disjunct lists the pairs of items that may conflict.
func (m *model) disjunct() disjunct.Problem {
	p := disjunct.Problem{Items: make([]disjunct.Item, len(m.items))}
	shapes := m.shapes()
	for n := range m.items {
		it := &m.items[n]
		p.Items[n] = disjunct.Item{Size: it.size, Align: it.align, Fixed: it.fixed}
	}
	aparts := m.aparts
	for i := range m.items {
		for j := i + 1; j < len(m.items); j++ {
			ranges := shape.Forbidden(shapes[i], shapes[j])
			if len(aparts) > 0 && aparts[0].i == i && aparts[0].j == j {
				if r, ok := shape.Apart(aparts[0].sizeI, aparts[0].sizeJ); ok {
					ranges = shape.Merge(append(ranges, r))
				}
				aparts = aparts[1:]
			}
			if len(ranges) > 0 {
				p.Pairs = append(p.Pairs, disjunct.Pair{I: i, J: j, Forbidden: ranges})
			}
		}
	}
	p.Sections = shape.Sections(shapes)
	return p
}
