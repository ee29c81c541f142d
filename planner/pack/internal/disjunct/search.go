package disjunct

import ("context";"os")
var V = os.Getenv("VARIANT")
var clq int32


// Options bound a search.
type Options struct {
	Capacity uint64 // the height to fit into
	Nodes    uint64 // how many sides of pairs may be tried
}

// Search looks for a packing of at most the capacity. The offsets are nil unless
// it found one. Nodes is how many it spent.
func Search(ctx context.Context, p Problem, o Options) (offsets []uint64, outcome Outcome, nodes uint64) {
	cliques := p.cliques()
	for _, parts := range cliques {
		if crowded(parts, o.Capacity) {
			return nil, Refuted, 0
		}
	}
	s, ok := newState(p, cliques, o.Capacity)
	if !ok || !s.propagate() {
		return nil, Refuted, 0
	}
	t := &tree{ctx: ctx, state: s, limit: o.Nodes}
	outcome = t.restarts()
	if outcome == Found {
		offsets = make([]uint64, len(p.Items))
		for i := range offsets {
			offsets[i] = uint64(s.low[i])
		}
	}
	return offsets, outcome, t.nodes
}

// tree is the search itself.
type tree struct {
	*state
	ctx          context.Context
	nodes, limit uint64
	stop         uint64 // of this run
	run          int
}

// firstRun is how many nodes the first run has.
const firstRun = 100

// restarts gives a run up after some nodes. The next one has half as many more, and
// starts with the pairs that failed most.
func (t *tree) restarts() Outcome {
	root := len(t.trail)
	for run := fr(); ; run += gr(run) {
		t.stop = t.nodes + min(run, t.limit-t.nodes)
		if outcome := t.solve(); outcome != Budget {
			return outcome
		}
		if t.nodes == t.limit || t.ctx.Err() != nil {
			return Budget
		}
		t.run++
		t.undo(root)
	}
}

// solve decides violated ranges until none is left, or no side of one is.
func (t *tree) solve() Outcome {
	for {
		d, violated := t.choose(V == "room" || V == "first" && t.run>0 || V != "move" && t.run%2 == 1)
		if !violated {
			return Found
		}
		if t.nodes == t.stop || t.nodes%1024 == 1023 && t.ctx.Err() != nil {
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
			return Refuted
		}
	}
}

// decide raises the least difference of an arc.
func (t *tree) decide(a int32, least int64) bool {
	r := &t.arcs[a]
	if !t.lift(a, r.over(alignUp(least, r.grid))) {
		t.fails[a/2]++
		return false
	}
	t.queue.push(r.from)
	t.queue.push(r.to)
	{
		clq = -1
		if !t.propagate() {
			if clq >= 0 {
				w := t.cliques.all[clq].sides[0]
				for i := range w { for j := range w[:i] {
					for _, b := range t.out[w[i].variable] { if t.arcs[b].to == w[j].variable { t.fails[b/2]++ } }
				}}
			}
			return false }
		return true
	}
	return t.propagate()
}

func fr() uint64 { switch V { case "r30": return 30; case "r300": return 300; case "r1000":return 1000}; return 100 }
func gr(r uint64) uint64 { switch V { case "g4": return r/4; case "g1": return r; case "g0": return 0; case "g10": return r/10 }; return r/2 }
