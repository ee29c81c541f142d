package disjunct

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
// of work is taken as too low for a packing, then as too high for a proof: half of
// the work is for either.
func Minimise(w *Work, p *Problem, lower, upper uint64) Best {
	m := minimiser{work: w, p: p}
	m.Lower, m.Upper = min(upper, max(lower, p.Bound(w))), upper
	w.within(w.left()/2, m.descend)
	m.ascend()
	return m.Best
}

func (m *minimiser) descend() {
	at := m.Lower
	for floor := m.Lower; floor < m.Upper; at = floor + (m.Upper-floor)/2 {
		if m.search(at) != Found {
			floor = at + 1
		}
	}
}

func (m *minimiser) ascend() {
	for ceiling := m.Upper; m.Lower < ceiling; {
		at := m.Lower + (ceiling-m.Lower)/2
		if m.search(at) != Refuted {
			ceiling = min(at, m.Upper)
		}
	}
}

type minimiser struct {
	Best
	work *Work
	p    *Problem
}

// shares is into how many parts the work left is divided for the next search: one
// that is hopeless leaves most of it to the others.
const shares = 4

// search keeps what it learns. It may find a packing where it was to refute one, if
// it has more work than at the first attempt.
func (m *minimiser) search(capacity uint64) (outcome Outcome) {
	if m.work.over() || m.work.left() < shares {
		return Budget
	}
	var offsets []uint64
	var nodes uint64
	m.work.within(m.work.left()/shares, func() { offsets, outcome, nodes = Search(m.work, m.p, capacity) })
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
