package disjunct

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// Best is what is known of the least height.
type Best struct {
	Offsets []uint64 // of a packing of height Upper; nil: none was found
	Lower   uint64   // no packing is lower
	Upper   uint64
	Nodes   uint64 // spent
}

// Optimal says whether Upper is the least height.
func (b Best) Optimal() bool { return b.Lower == b.Upper }

// Minimise looks for packings of a height below upper, which the caller has one of,
// and for proofs that there are none, from lower up, which no packing is below. It
// tries lower first, then halves the interval. A height at which a search runs out
// of nodes is taken as too low for a packing, then as too high for a proof: half of
// the nodes are for either.
func Minimise(ctx context.Context, p Problem, lower, upper, nodes uint64) Best {
	m := minimiser{ctx: ctx, p: p, cliques: p.cliques(), left: nodes - nodes/2}
	m.Lower, m.Upper = min(upper, max(lower, p.bound(m.cliques))), upper
	at := m.Lower
	for floor := m.Lower; floor < m.Upper; at = floor + (m.Upper-floor)/2 {
		if m.search(at) != Found {
			floor = at + 1
		}
	}
	m.left += nodes / 2
	for ceiling := m.Upper; m.Lower < ceiling; {
		at := m.Lower + (ceiling-m.Lower)/2
		if m.search(at) != Refuted {
			ceiling = min(at, m.Upper)
		}
	}
	return m.Best
}

type minimiser struct {
	Best
	ctx     context.Context
	p       Problem
	cliques [][]shape.Part
	left    uint64
}

// shares is into how many parts the nodes left are divided for the next search: one
// that is hopeless leaves most of them to the others.
const shares = 4

// search keeps what it learns. It may find a packing where it was to refute one, if
// it has more nodes than at the first attempt.
func (m *minimiser) search(capacity uint64) Outcome {
	offsets, outcome, nodes := m.p.search(m.ctx, m.cliques, Options{Capacity: capacity, Nodes: m.left / shares})
	m.left -= nodes
	m.Nodes += nodes
	switch outcome {
	case Found:
		m.Offsets, m.Upper = offsets, 0
		for i, it := range m.p.Items {
			m.Upper = max(m.Upper, offsets[i]+it.Size)
		}
	case Refuted:
		m.Lower = max(m.Lower, capacity+1)
	}
	return outcome
}
