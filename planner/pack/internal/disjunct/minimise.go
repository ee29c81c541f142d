package disjunct

import "context"

// Best is what is known of the least height.
type Best struct {
	Offsets []uint64 // of a packing of height Upper; nil: none was found
	Lower   uint64   // no packing is lower
	Upper   uint64
	Nodes   uint64 // spent
}

// Optimal says whether Upper is the least height.
func (b Best) Optimal() bool { return b.Lower == b.Upper }

// shares is into how many parts the nodes left are divided for the next search: one
// that is hopeless leaves most of them to the others.
const shares = 4

// Minimise looks for packings of a height below upper, which the caller knows one
// of, and for proofs that there are none, from lower up, which no packing is below.
// It tries lower first, then halves the interval. Heights at which a search runs
// out of nodes count as neither.
func Minimise(ctx context.Context, p Problem, lower, upper, nodes uint64) Best {
	m := minimiser{ctx: ctx, p: p, left: nodes, best: Best{Lower: lower, Upper: upper}}
	b := &m.best
	at := lower
	for floor := lower; floor < b.Upper; at = floor + (b.Upper-floor)/2 {
		if at = min(at, b.Upper-1); m.search(at) != Found {
			floor = at + 1
		}
	}
	for ceiling := b.Upper; b.Lower < ceiling; {
		at := b.Lower + (ceiling-b.Lower)/2
		if m.search(at) != Refuted {
			ceiling = at
		}
	}
	b.Nodes = nodes - m.left
	return m.best
}

type minimiser struct {
	ctx  context.Context
	p    Problem
	left uint64
	best Best
}

// search keeps what it learns. In the second loop of Minimise it finds nothing,
// unless a longer share finds what a shorter one did not.
func (m *minimiser) search(capacity uint64) Outcome {
	share := m.left/shares + min(m.left, 1)
	offsets, outcome, nodes := Search(m.ctx, m.p, Options{Capacity: capacity, Nodes: share})
	m.left -= nodes
	switch outcome {
	case Found:
		m.best.Offsets, m.best.Upper = offsets, 0
		for i, it := range m.p.Items {
			m.best.Upper = max(m.best.Upper, offsets[i]+it.Size)
		}
	case Refuted:
		m.best.Lower = max(m.best.Lower, capacity+1)
	}
	return outcome
}
