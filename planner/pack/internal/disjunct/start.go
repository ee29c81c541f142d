package disjunct

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// newState is the root of a search. It is not ok if an item has no offset, or the
// work is spent.
func newState(w *Work, p *Problem, sets [][]shape.Part, capacity uint64) (s *state, ok bool) {
	n := len(p.Items)
	parts := 0
	for _, set := range sets {
		parts += len(set)
	}
	if !w.Spend(32 * (n + len(p.Pairs) + parts)) {
		return nil, false
	}
	s = &state{
		n: n, work: w, low: make([]int64, 2*n), align: make([]int64, n), out: make([][]int32, n),
		arcs: make([]arc, 0, 2*len(p.Pairs)), fails: make([]uint64, len(p.Pairs)),
		queue: queue{in: make([]bool, n)}, cliques: newCliques(p, sets),
		raises: raises{count: make([]int32, n), lows: make([]int64, n)},
	}
	for i, it := range p.Items {
		first, last := uint64(0), capacity-min(capacity, it.Size)
		last -= last % it.Align
		if it.Fixed != nil {
			first = *it.Fixed
			ok = first <= last && first%it.Align == 0
			last = first
		} else {
			ok = it.Size <= capacity
		}
		if !ok || it.Size > capacity {
			return s, false
		}
		s.align[i], s.low[i], s.low[n+i] = int64(it.Align), int64(first), -int64(last)
		s.queue.push(int32(i))
	}
	for k, pair := range p.Pairs {
		if !w.Spend(4 * len(pair.Forbidden)) {
			return nil, false
		}
		s.fails[k] = 1
		s.addArc(pair.I, pair.J, pair.Forbidden)
		mirrored := slices.Clone(pair.Forbidden)
		slices.Reverse(mirrored)
		for f, r := range mirrored {
			mirrored[f] = shape.Range{Lo: -r.Hi, Hi: -r.Lo}
		}
		s.addArc(pair.J, pair.I, mirrored)
	}
	return s, true
}

func (s *state) addArc(from, to int, fences []shape.Range) {
	a := int32(len(s.arcs))
	n := int32(s.n)
	r := arc{from: int32(from), to: int32(to), least: unknown, fences: fences}
	r.negFrom, r.negTo = n+r.from, n+r.to
	s.arcs = append(s.arcs, r)
	s.out[from] = append(s.out[from], a)
}
