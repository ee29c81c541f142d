package play_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/streams"
)

// shows plays a plan that lacks a wait in some order, and reports whether bytes were
// lost. A count may be lost too, which stops the batch.
func shows(t *testing.T, order orderOf, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) bool {
	t.Helper()
	r, err := runOn(t, order.Options, seq, plan, opts)
	return err != nil || !r.Sound()
}

// directed looks for the loss between two steps: it stops the stream of the first one
// behind each of its operations, to let the stream of the other one go on.
func directed(t *testing.T, p pair, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) bool {
	t.Helper()
	first, then := plan.Steps[p.first].Stream, plan.Steps[p.then].Stream
	for operations := 0; ; operations++ {
		order := holdingBack(first, operations, then)
		if shows(t, order, seq, plan, opts) {
			return true
		}
		if !order.held() {
			return false
		}
	}
}

// TestDroppedWaitsAreFound leaves out each wait of the example that something needs.
func TestDroppedWaitsAreFound(t *testing.T) {
	const seeds = 32
	for _, policy := range streams.Policies() {
		seq, plan := example(t, policy, 2)
		opts := play.Options{Batches: 1, Seed: 5}
		found, looks := conflicts(t, seq, plan, 2), play.Looks(seq, plan)
		needed := 0
		for _, e := range edgesOf(plan) {
			lost := needs(plan, looks, found, e)
			if len(lost) == 0 {
				continue
			}
			needed++
			bad := dropped(plan, e)
			atRandomFound := 0
			for seed := range uint64(seeds) {
				if shows(t, orderOf{Options: atRandom(seed)}, seq, bad, opts) {
					atRandomFound++
				}
			}
			t.Logf("%s: without the wait of %s for %s bytes are lost in %d of %d random orders",
				policy, plan.Steps[e.To].Name, plan.Steps[e.From].Name, atRandomFound, seeds)
			require.Positive(t, atRandomFound, "%s: %v", policy, e)
			for _, p := range lost {
				require.True(t, directed(t, p, seq, bad, opts), "%s: %v between %s and %s", policy, e, plan.Steps[p.first].Name, plan.Steps[p.then].Name)
			}
		}
		require.GreaterOrEqual(t, needed, 4, "%s", policy)
	}
}

// TestRandomDroppedWaitsAreFound does that with random sequences.
func TestRandomDroppedWaitsAreFound(t *testing.T) {
	needed, seen, added := 0, 0, 0
	multi(t, 150, func(seed uint64, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) {
		opts.Batches = 1
		events, err := play.Events(seq, 0)
		require.NoError(t, err)
		found, looks := conflicts(t, seq, plan, events), play.Looks(seq, plan)
		with := order(plan, looks, all)
		for _, p := range found {
			require.True(t, with(p.first, p.then), "seed %d: %s and %s are in no order", seed, plan.Steps[p.first].Name, plan.Steps[p.then].Name)
		}
		for _, e := range edgesOf(plan) {
			lost := needs(plan, looks, found, e)
			if len(lost) == 0 {
				continue
			}
			needed++
			if slices.ContainsFunc(plan.Added, func(a planner.AddedEdge) bool { return a.From == e.From && a.To == e.To }) {
				added++
			}
			bad := dropped(plan, e)
			for i := range uint64(16) {
				if shows(t, orderOf{Options: atRandom(i)}, seq, bad, opts) {
					seen++
					break
				}
			}
			for _, p := range lost[:min(3, len(lost))] {
				require.True(t, directed(t, p, seq, bad, opts), "seed %d: %v between %s and %s", seed, e, plan.Steps[p.first].Name, plan.Steps[p.then].Name)
			}
		}
	})
	t.Logf("of %d waits that are needed, %d were added; 16 random orders found %d", needed, added, seen)
	require.Greater(t, needed, 50)
	require.Greater(t, added, 5)
	require.Greater(t, seen, needed/2)
}
