package planner

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// add packs a scope with the reuse policy internal, and returns the edges that it added
// to those there are. One set of edges after the other is added, as long as something is
// saved.
func (s *edgeSearch) add(added []AddedEdge) (packed, []AddedEdge, error) {
	s.added = edgesOf(added)
	now, err := s.begin()
	from := len(added)
	for err == nil && len(added)-from < maxAdded {
		var e edges
		var with packed
		e, with, err = s.next(now)
		if err != nil || len(e) == 0 || len(added)-from+len(e) > maxAdded {
			break
		}
		added = append(added, e.priced(now, with)...)
		now, s.units, s.added = with, with.units, append(s.added, e...)
		s.order = s.frontier(nil)
	}
	if err != nil {
		return packed{}, nil, err
	}
	if e, ok := s.packer.(pack.Engine); ok && len(added) > from && now.Status != pack.Optimal {
		if now, err = s.close(now, e); err != nil {
			return packed{}, nil, err
		}
	}
	all := len(added)
	if added, err = s.prune(now, added, from); err == nil && len(added) < all {
		// More is out of order, but shares nothing.
		s.added = edgesOf(added)
		now.units, err = s.problem(s.scope, s.lives, s.frontier(nil), false)
	}
	return now, added, err
}

// prune removes the edges from some on that a packing does not need, because others that
// were added later do as well.
func (s *edgeSearch) prune(now packed, added []AddedEdge, from int) ([]AddedEdge, error) {
	for i := len(added) - 1; i >= from && len(added) > from+1; i-- {
		rest := slices.Delete(slices.Clone(added), i, i+1)
		s.added = edgesOf(rest)
		u, err := s.problem(s.scope, s.lives, s.frontier(nil), false)
		if err != nil {
			return nil, err
		}
		if !u.coarse && !u.share(now.Offsets) {
			rest[len(rest)-1].Saved += added[i].Saved
			added = rest
		}
	}
	return added, nil
}

// share reports whether two units of an excluded pair share a byte.
func (u *units) share(offsets []uint64) bool {
	return slices.ContainsFunc(u.Excluded, func(p [2]int) bool {
		i, j := p[0], p[1]
		return offsets[i] < offsets[j]+u.Buffers[j].Size && offsets[j] < offsets[i]+u.Buffers[i].Size
	})
}

// suggest packs a scope with the reuse policy event, and says which edges would save
// most.
func (s *edgeSearch) suggest() (packed, error) {
	now, err := s.begin()
	if err != nil {
		return packed{}, err
	}
	e, with, err := s.next(now)
	if len(e) > 0 {
		now.could = e.priced(now, with)
	}
	return now, err
}

func (e edges) priced(now, with packed) []AddedEdge {
	saved := sequences.Bytes(now.Height - with.Height)
	var out []AddedEdge
	for _, edge := range e {
		out = append(out, AddedEdge{From: edge.From, To: edge.To, Saved: saved})
		saved = 0 // they save it together
	}
	return out
}

// begin packs without more edges.
func (s *edgeSearch) begin() (packed, error) {
	s.order = s.frontier(nil)
	var err error
	if s.units, err = s.problem(s.scope, s.lives, s.order, false); err != nil {
		return packed{}, err
	}
	ordered := s.units.Problem
	ordered.Excluded = nil
	if bound, err := pack.LowerBound(ordered); err == nil { // else the packer says why
		s.floor = bound.Bytes
	}
	return s.packStreams(s.units, s.order, s.packer)
}
