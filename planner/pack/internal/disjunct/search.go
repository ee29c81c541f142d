package disjunct

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// Options bound a search.
type Options struct {
	Capacity uint64 // the height to fit into
	Nodes    uint64 // how many forbidden ranges may be decided
}

// Search looks for a packing of at most the capacity. The offsets are nil unless it
// found one. Nodes is how many it spent. Unless it is cancelled it is deterministic.
func Search(ctx context.Context, p Problem, o Options) (offsets []uint64, outcome Outcome, nodes uint64) {
	return p.search(ctx, p.cliques(), o)
}

func (p Problem) search(ctx context.Context, cliques [][]shape.Part, o Options) (offsets []uint64, outcome Outcome, nodes uint64) {
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
	roomy        bool   // see choose
}

// firstRun is how many nodes the first run has.
const firstRun = 100

// restarts gives a run up after some nodes. The next one has a quarter more, takes
// sides by the other rule, and starts with the pairs that failed most. Without that
// few searches of more than 30 items would end.
func (t *tree) restarts() Outcome {
	root := len(t.trail)
	for run := uint64(firstRun); ; run += run / 4 {
		t.stop = t.nodes + min(run, t.limit-t.nodes)
		if outcome := t.solve(); outcome != Budget {
			return outcome
		}
		if t.nodes == t.limit || t.ctx.Err() != nil {
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
	if !t.lift(a, least) {
		return false
	}
	t.queue.push(r.from)
	t.queue.push(r.to)
	return t.propagate()
}
