package kernel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
)

func TestSolveAgainstExhaustiveSearch(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		p, capacity := full(t)
		offsets, outcome, _ := kernel.Solve(context.Background(), p, capacity, 1_000_000)
		if exhaustive(p, capacity) == nil {
			require.Equal(t, kernel.Refuted, outcome)
			return
		}
		require.Equal(t, kernel.Found, outcome)
		require.True(t, valid(p, offsets, capacity))
	})
}

// Whatever a sweep leaves out, it does not take its end for a proof then.
func TestSweepsKnowWhatTheyLeaveOut(t *testing.T) {
	checkMany(t, func(t *rapid.T) {
		p, capacity := full(t)
		found, complete := kernel.Sweep(p, rapid.Bool().Draw(t, "back"),
			rapid.SampledFrom([]int{1, 2, 1000}).Draw(t, "width"),
			rapid.SampledFrom([]int{1, 2, 1000}).Draw(t, "surplus"),
			rapid.SampledFrom([]int{1, 3, 10, 1000000}).Draw(t, "steps"),
			rapid.SampledFrom([]int{1, 2, 64}).Draw(t, "blocks"))
		possible := exhaustive(p, capacity) != nil
		if found {
			require.True(t, possible)
		} else if complete {
			require.False(t, possible)
		}
	})
}

func TestTheHeaviestDecisionsAreKept(t *testing.T) {
	kept, complete := kernel.Heaviest(3, 5, 1, 4)
	require.Equal(t, []int64{5, 4, 1}, kept)
	require.True(t, complete)
	for _, weights := range [][]int64{{5, 1, 4, 3}, {1, 3, 5, 4}, {5, 4, 3, 1}} {
		kept, complete = kernel.Heaviest(3, weights...)
		require.Equal(t, []int64{5, 4, 3}, kept)
		require.False(t, complete)
	}
}

type cutter func(n, width, height int, seed uint64) (generate.Perfect, error)

// requireSolved packs a perfect problem.
func requireSolved(t *testing.T, cut cutter, n, width, height int, seed, nodes uint64) {
	t.Helper()
	g, err := cut(n, width, height, seed)
	require.NoError(t, err)
	p, capacity := plain(t, g)
	offsets, outcome, spent := kernel.Solve(context.Background(), p, capacity, nodes)
	require.Equal(t, kernel.Found, outcome, "%d tiles of %d x %d, seed %d: %d nodes", n, width, height, seed, spent)
	require.True(t, valid(p, offsets, capacity))
}

func TestPackingsOfFineGridsAreFound(t *testing.T) {
	for seed := range uint64(3) {
		for _, n := range []int{101, 301, 1001, 10001} {
			requireSolved(t, generate.Pinwheel, n, generate.FineWidth, generate.FineHeight, seed, 10_000)
		}
		for _, n := range []int{300, 1000, 10000} {
			requireSolved(t, generate.Guillotine, n, generate.FineWidth, generate.FineHeight, seed, 10_000)
		}
	}
	requireSolved(t, generate.Pinwheel, 100001, generate.FineWidth, generate.FineHeight, 3, 10_000)
	requireSolved(t, generate.Guillotine, 100000, generate.FineWidth, generate.FineHeight, 3, 10_000)
}

func TestPackingsOfCoarseGridsAreFound(t *testing.T) {
	for seed := range uint64(10) {
		requireSolved(t, generate.Pinwheel, 1001, generate.CoarseSide, generate.CoarseSide, seed, 100_000)
		requireSolved(t, generate.Guillotine, 1000, generate.CoarseSide, generate.CoarseSide, seed, 500_000)
		requireSolved(t, generate.Pinwheel, 3001, generate.CoarseSide, generate.CoarseSide, seed, 500_000)
	}
}

func TestSolveIsDeterministic(t *testing.T) {
	g, err := generate.Guillotine(1000, generate.CoarseSide, generate.CoarseSide, 0)
	require.NoError(t, err)
	p, capacity := plain(t, g)
	offsets, outcome, nodes := kernel.Solve(context.Background(), p, capacity, 500_000)
	require.Equal(t, kernel.Found, outcome)
	for range 2 {
		again, _, spent := kernel.Solve(context.Background(), p, capacity, 500_000)
		require.Equal(t, nodes, spent)
		require.Equal(t, offsets, again)
	}
}

func TestSolveIsForFullSectionsOnly(t *testing.T) {
	_, outcome, nodes := kernel.Solve(context.Background(), wheel(), 8, 1000)
	require.Equal(t, kernel.Budget, outcome)
	require.Zero(t, nodes)
	p := wheel()
	p.Rects[0].Align = 2
	_, outcome, _ = kernel.Solve(context.Background(), p, 7, 1000)
	require.Equal(t, kernel.Budget, outcome)
}

func TestACancelledSearchEnds(t *testing.T) {
	g, err := generate.Guillotine(1000, generate.CoarseSide, generate.CoarseSide, 0)
	require.NoError(t, err)
	p, capacity := plain(t, g)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, outcome, _ := kernel.Solve(ctx, p, capacity, 1<<40)
	require.Equal(t, kernel.Budget, outcome)
}

// Of small perfect packings with many tiles at a boundary none is missed, and
// nothing else is found.
func TestSmallPerfectPackingsAreFound(t *testing.T) {
	for seed := range uint64(2000) {
		side := 6 + int(seed%15)
		requireSolved(t, generate.Guillotine, 2*side, side, side, seed, 1_000_000)
	}
}
