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

// limits are what a sweep leaves out.
type limits struct {
	surplus int // decisions kept for each state that is: some have no order, or lead to the same state
	steps   int // holes considered from one state at one boundary
	blocks  int // of leaving tiles that are grouped to holes, at most 64; more are one hole
}

var usual = limits{surplus: 4, steps: 1 << 16, blocks: 64}

// sweep goes over the boundaries of a perfect problem, from the first section or
// from the last one.
type sweep struct {
	tiles        []tile
	sections     int32
	starts, ends side
	back         bool
	limits       limits
	leaving      marks
	only         marks  // scratch
	ways         ways   // over the boundary at hand
	cut          bool   // a state was left out
	nodes, until uint64 // spent, and up to which to spend
}

func newSweep(p *rect.Problem) *sweep {
	s := &sweep{tiles: tilesOf(p), sections: p.Sections, limits: usual}
	s.starts, s.ends = sides(s.tiles, p.Sections)
	s.leaving, s.only = make(marks, len(s.tiles)), make(marks, len(s.tiles))
	return s
}

// run returns a state behind the last boundary, or nil: if cut is false then,
// there is no packing. It keeps so many states, and gives up after a number of
// nodes.
func (s *sweep) run(ctx context.Context, width int, nodes uint64) *state {
	s.cut = false
	s.until = s.nodes + nodes
	beam := []*state{s.first()}
	for i := int32(1); i < s.sections && len(beam) > 0; i++ {
		beam = s.cross(ctx, beam, i, width)
	}
	if len(beam) == 0 {
		return nil
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
func (s *sweep) cross(ctx context.Context, beam []*state, i int32, width int) []*state {
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
	of := make([]uint64, len(come))
	for i, t := range come {
		of[i] = s.tiles[t].size
	}
	parts := newSizes(of)
	s.ways = ways{limit: s.limits.surplus * width}
	for _, st := range beam {
		if s.nodes >= s.until || ctx.Err() != nil {
			s.cut = true
			beam = nil
			break
		}
		s.decide(st, come, parts)
	}
	for _, t := range leave {
		s.leaving[t] = false
	}
	if beam == nil {
		return nil
	}
	var next []*state
	seen := map[uint64]bool{}
	for _, d := range s.ways.sorted() {
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

// leavesPerNode is how many leaves are gone through in the time of a change.
const leavesPerNode = 256

// spend counts a change of a tree, or a look at it.
func (s *sweep) spend(t *node) { s.nodes += 1 + uint64(t.leaves)/leavesPerNode }

// add keeps a decision, or leaves one out.
func (s *sweep) add(d decision) {
	if !s.ways.add(d) {
		s.cut = true
	}
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
	s.spend(t)
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
