package planner

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// Budgets of the search for edges. All are counts, so that the result is the same on
// every machine.
const (
	maxAdded      = 16 // edges that are added for one scope
	maxCandidates = 64 // sets of edges of which the bound is computed, in a round
	maxSecond     = 12 // of these, where none lowers the bound, with as many others each
	maxPacked     = 4  // sets of edges that are packed, in a round
	maxEarlier    = 32 // earlier steps that an edge of these may lead to instead

	// What all bounds of a scope may cost: pieces times streams, of which some millions
	// take a second.
	maxBounded = 8_000_000
	// What all packings on the way may cost: placements times buffers and excluded pairs,
	// of which the engine does some ten millions per second.
	maxTried = 40_000_000
)

// edges are waits that are added together, because the last accesses of a buffer are on
// several streams, or because one does not lower the peak without another.
type edges []sequences.Edge

// proposal is a set of edges with the bound that it leaves.
type proposal struct {
	edges edges
	bound together
}

// edgeSearch looks for edges that lower a pool. The height of a pool is above what is in
// use at one step because of pieces that are not in order, so the candidates are the
// edges between pieces of the heaviest set that may not share. How much an edge lowers
// the weight of such sets is computed exactly; the best are packed.
type edgeSearch struct {
	*facts
	accesses *accesses
	scope    sequences.Scope
	lives    []Interval
	packer   pack.Packer

	added   edges     // in the order so far, of both scopes
	units   *units    // in that order
	order   *frontier // the order
	floor   uint64    // no edge gives less: what is in use at one step
	tried   uint64    // of maxTried
	bounded int       // of maxBounded
}

func (s *edgeSearch) frontier(more edges) *frontier {
	return newFrontier(s.accesses, sequences.NewHappensBefore(s.seq, slices.Concat(s.added, more)...))
}

// bound returns the heaviest set that may not share with more edges. The pieces stay
// those of the order without them. There is none where the work is spent,
// or the planning is ended.
func (s *edgeSearch) bound(more edges) together {
	if s.bounded >= maxBounded || s.ctx.Err() != nil {
		return together{}
	}
	s.bounded += len(s.units.list) * (len(s.seq.Streams) + 1)
	f := *s.order
	f.order = sequences.NewHappensBefore(s.seq, slices.Concat(s.added, more)...)
	return s.units.findTogether(&f)
}

// try packs with more edges, with little effort.
func (s *edgeSearch) try(more edges) (packed, error) {
	f := s.frontier(more)
	u, err := s.problem(s.scope, s.lives, f, false)
	if err != nil {
		return packed{}, err
	}
	p, err := s.packQuick(u, f, s.packer)
	s.tried += (p.Nodes + uint64(len(u.Buffers))) * uint64(len(u.Buffers)+len(u.Excluded))
	return p, err
}

// next finds the edges that save most bytes for each of them, and a packing with them.
// There are none if nothing is saved.
func (s *edgeSearch) next(now packed) (edges, packed, error) {
	if now.Height <= s.floor || now.set.bytes <= s.floor || s.tried >= maxTried {
		return nil, packed{}, nil
	}
	var best edges
	var bestPacked packed
	for _, p := range s.proposals(now.set) {
		most := (now.Height - max(s.floor, p.bound.bytes)) / uint64(len(p.edges)) // that it can save
		if best != nil && perEdge(now, bestPacked, best) >= most || s.tried >= maxTried {
			continue
		}
		with, err := s.try(p.edges)
		if err != nil {
			return nil, packed{}, err
		}
		if with.Height < now.Height && (best == nil || perEdge(now, with, p.edges) > perEdge(now, bestPacked, best)) {
			best, bestPacked = p.edges, with
		}
	}
	return best, bestPacked, nil
}

func perEdge(now, with packed, e edges) uint64 { return (now.Height - with.Height) / uint64(len(e)) }

// proposals returns the most promising sets of edges, best first.
func (s *edgeSearch) proposals(set together) []proposal {
	var all []proposal
	for _, e := range s.candidates(set, nil, maxCandidates) {
		all = append(all, proposal{e, s.bound(e)})
	}
	if good := s.better(all, set); len(good) > 0 {
		return s.better(append(good, s.earlier(good)...), set)
	}
	// Several sets weigh the most: two pairs have to be put in order.
	var both []proposal
	for _, p := range all[:min(maxSecond, len(all))] {
		for _, e := range s.candidates(p.bound, p.edges, maxSecond) {
			both = append(both, proposal{e, s.bound(e)})
		}
	}
	return s.better(both, set)
}

// earlier returns the proposals of one edge again, with steps before the one that waits:
// more is in order then.
func (s *edgeSearch) earlier(good []proposal) []proposal {
	var out []proposal
	for _, p := range good {
		if len(p.edges) > 1 {
			continue
		}
		from, to := p.edges[0].From, p.edges[0].To
		for t, left := to-1, maxEarlier; t > from && left > 0; t-- {
			if s.order.before(t, to) && !s.order.before(from, t) && !s.seq.Steps[t].Host {
				e := edges{{From: from, To: t}}
				out = append(out, proposal{e, s.bound(e)})
				left--
			}
		}
	}
	return out
}

// better returns the proposals that lower the bound most for each edge.
func (s *edgeSearch) better(all []proposal, set together) []proposal {
	all = slices.DeleteFunc(slices.Clone(all), func(p proposal) bool {
		return p.bound.bytes == 0 || p.bound.bytes >= set.bytes || len(p.edges) > maxAdded
	})
	gain := func(p proposal) uint64 {
		return (set.bytes - max(s.floor, p.bound.bytes)) / uint64(len(p.edges))
	}
	slices.SortStableFunc(all, func(a, b proposal) int { return cmp.Or(cmp.Compare(gain(b), gain(a)), len(a.edges)-len(b.edges)) })
	return all[:min(maxPacked, len(all))]
}

// candidates returns the sets of edges that put two pieces of a set in order, together
// with some that are taken already, the largest pieces first.
func (s *edgeSearch) candidates(set together, taken edges, most int) []edges {
	type candidate struct {
		edges edges
		bytes uint64
	}
	f := *s.order
	f.order = sequences.NewHappensBefore(s.seq, slices.Concat(s.added, taken)...)
	piece := func(id pieceOf) *piece { return &s.units.list[id.unit].pieces[id.piece] }
	var all []candidate
	for _, x := range set.pieces {
		for _, y := range set.pieces {
			a, b := piece(x), piece(y)
			if e := between(&f, a, b); len(e) > 0 {
				all = append(all, candidate{slices.Concat(taken, e), min(a.bytes, b.bytes)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), slices.CompareFunc(a.edges, b.edges, compareEdges))
	})
	var out []edges
	for _, c := range all {
		if !slices.ContainsFunc(out, func(e edges) bool { return slices.Equal(e, c.edges) }) {
			out = append(out, c.edges)
		}
		if len(out) == most {
			break
		}
	}
	return out
}

func compareEdges(a, b sequences.Edge) int { return cmp.Or(int(a.From-b.From), int(a.To-b.To)) }

// between returns the edges that put a piece before another one, or none if there are
// none that go forward in the file.
func between(f *frontier, a, b *piece) edges {
	if a.end > b.first {
		return nil
	}
	var out edges
	for _, s := range a.to {
		for _, t := range b.from {
			if s >= f.end() || t >= f.end() || t < 0 {
				return nil
			}
			if !f.before(s, t) {
				out = append(out, sequences.Edge{From: s, To: t})
			}
		}
	}
	slices.SortFunc(out, compareEdges)
	return out
}
