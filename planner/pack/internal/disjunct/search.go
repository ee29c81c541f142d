package disjunct

// Search looks for a packing of at most a capacity. The offsets are nil unless it
// found one. Nodes is how many forbidden ranges it decided. Unless it is cancelled it
// is deterministic.
func Search(w *Work, p *Problem, capacity uint64) (offsets []uint64, outcome Outcome, nodes uint64) {
	sets := p.cliques(w)
	s, ok := newState(w, p, sets, capacity)
	if !ok || !s.propagate() {
		return nil, w.refuted(), 0
	}
	t := &tree{state: s}
	outcome = t.restarts()
	if outcome == Found {
		offsets = make([]uint64, len(p.Items))
		for i := range offsets {
			offsets[i] = uint64(s.low[i])
		}
	}
	return offsets, outcome, t.nodes
}

// refuted is what a contradiction means: nothing if it may come from a lack of work.
func (w *Work) refuted() Outcome {
	if w.over() {
		return Budget
	}
	return Refuted
}

// tree is the search itself.
type tree struct {
	*state
	nodes uint64
	stop  uint64 // of this run
	roomy bool   // see choose
}

// firstRun is how many nodes the first run has.
const firstRun = 100

// restarts gives a run up after some nodes. The next one has a quarter more, takes
// sides by the other rule, and starts with the pairs that failed most. Without that
// few searches of more than 30 items would end.
func (t *tree) restarts() Outcome {
	root := len(t.trail)
	for run := uint64(firstRun); ; run += run / 4 {
		t.stop = t.nodes + run
		if outcome := t.solve(); outcome != Budget {
			return outcome
		}
		if t.work.over() {
			return Budget
		}
		t.undo(root)
		t.roomy = !t.roomy
	}
}

// solve decides violated ranges until none is left, or one has no side left.
func (t *tree) solve() Outcome {
	for {
		d, violated := t.choose(t.roomy)
		if !violated {
			return Found
		}
		if t.nodes == t.stop || t.work.over() {
			return Budget
		}
		t.nodes++
		mark := len(t.trail)
		if t.decide(d.arc, d.least) {
			if outcome := t.solve(); outcome != Refuted {
				return outcome
			}
		}
		t.undo(mark)
		if !t.decide(d.arc^1, d.otherwise) {
			return t.work.refuted()
		}
	}
}

// decide raises the least difference of an arc.
func (t *tree) decide(a int32, least int64) bool {
	r := &t.arcs[a]
	if !t.lift(a, least) {
		return false
	}
	t.queue.push(r.from)
	t.queue.push(r.to)
	return t.propagate()
}
