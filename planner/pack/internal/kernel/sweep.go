package kernel

import (
	"cmp"
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// state is a set of orders that the tiles of a section may have.
type state struct {
	tree   *node
	lost   int64 // logarithm of the number of ways to come here from one order
	weight int64 // of the tree, and lost: of the packings so far
	prev   *state
	holes  []hole // of the boundary between prev and this one
}

// sweep goes over the boundaries of a perfect problem, from the first section or
// from the last one.
type sweep struct {
	tiles        []tile
	sections     int32
	starts, ends side
	back         bool
	leaving      marks
	only         marks  // scratch
	cut          bool   // a state was left out
	nodes        uint64 // spent
}

func newSweep(p *rect.Problem) *sweep {
	s := &sweep{tiles: tilesOf(p), sections: p.Sections}
	s.starts, s.ends = sides(s.tiles, p.Sections)
	s.leaving, s.only = make(marks, len(s.tiles)), make(marks, len(s.tiles))
	return s
}

// run returns a state behind the last boundary, or nil: if cut is false then,
// there is no packing. It keeps so many states, and gives up beyond a number of
// nodes.
func (s *sweep) run(ctx context.Context, width int, nodes uint64) *state {
	s.cut = false
	limit := s.nodes + nodes
	beam := []*state{s.first()}
	for i := int32(1); i < s.sections; i++ {
		if s.nodes > limit || ctx.Err() != nil {
			s.cut = true
			return nil
		}
		if beam = s.cross(beam, i, width); len(beam) == 0 {
			return nil
		}
	}
	return beam[0]
}

func (s *sweep) first() *state {
	first := s.starts.at(0)
	if s.back {
		first = s.ends.at(s.sections)
	}
	t := looseLeaves(first)
	return &state{tree: t, weight: t.weight}
}

// cross brings states over the i-th boundary.
func (s *sweep) cross(beam []*state, i int32, width int) []*state {
	leave, come := s.ends.at(i), s.starts.at(i)
	if s.back {
		leave, come = s.starts.at(s.sections-i), s.ends.at(s.sections-i)
	}
	come = slices.Clone(come)
	slices.SortFunc(come, func(x, y int32) int {
		t, u := s.tiles[x], s.tiles[y]
		return cmp.Or(cmp.Compare(u.size, t.size), cmp.Compare(u.end, t.end), cmp.Compare(u.first, t.first), cmp.Compare(x, y))
	})
	for _, t := range leave {
		s.leaving[t] = true
	}
	var all []decision
	for _, st := range beam {
		all = s.decide(st, come, all)
	}
	for _, t := range leave {
		s.leaving[t] = false
	}
	slices.SortStableFunc(all, heavierDecision)
	var next []*state
	seen := map[uint64]bool{}
	for _, d := range all {
		if len(next) == width {
			s.cut = true
			break
		}
		t, lost := s.apply(d.from.tree, d.holes)
		if t == nil || seen[t.hash] {
			continue
		}
		seen[t.hash] = true
		lost += d.from.lost
		next = append(next, &state{tree: t, lost: lost, weight: t.weight + lost, prev: d.from, holes: d.holes})
	}
	return next
}

// apply empties and fills holes; nil if no order has all of them.
func (s *sweep) apply(t *node, holes []hole) (*node, int64) {
	var sum int64
	for _, h := range holes {
		var lost int64
		if t, lost = s.replace(t, h.leave, looseLeaves(h.come)); t == nil {
			return nil, 0
		}
		sum += lost
	}
	return t, sum
}

func (s *sweep) replace(t *node, tiles []int32, with *node) (*node, int64) {
	s.nodes++
	for _, l := range tiles {
		s.only[l] = true
	}
	r := replacer{m: s.only, count: int32(len(tiles)), with: with}
	t = r.replace(t)
	for _, l := range tiles {
		s.only[l] = false
	}
	return t, r.lost
}
