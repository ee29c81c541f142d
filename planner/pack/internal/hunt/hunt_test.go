package hunt_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/hunt"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
)

func height(p *exact.Problem, offsets []uint64) (height uint64) {
	for i := range p.Tiles {
		height = max(height, offsets[i]+p.Tiles[i].Top)
	}
	return height
}

// From a bound that is too low and without a packing both ends meet at the optimum.
func TestBothEndsMeet(t *testing.T) {
	for seed := range uint64(1000) {
		plain := generate.Tiny(seed)
		p, unit := packtest.Tiles(t, plain)
		if len(p.Tiles) == 0 {
			continue
		}
		best, _ := oracle.Optimum(plain)
		r := hunt.Run(t.Context(), p, hunt.Options{Low: 1, Work: 1_000_000, Seed: seed})
		require.Equal(t, best, r.Height*unit, "seed %d", seed)
		require.Equal(t, r.Height, r.Low, "seed %d", seed)
		require.Equal(t, r.Height, height(p, r.Offsets))
		require.True(t, r.Refuted || r.Low == 1)
	}
}

// The searches of the last round may take half as much again as is left.
func TestWorkIsBounded(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Dense, 60, 1))
	n := uint64(len(p.Tiles))
	for work := uint64(50_000); work < 5_000_000; work += work / 2 {
		r := hunt.Run(t.Context(), p, hunt.Options{Work: work})
		require.LessOrEqual(t, r.Nodes*n, work+work/2)
	}
}

// crossed is tiles of which each pair has a section of its own, all of them out of order,
// and one with all.
func crossed(n int) *exact.Problem {
	p := &exact.Problem{Tiles: make([]exact.Tile, n), Ordered: 1, Sections: 1}
	for i := range p.Tiles {
		size := uint64(i*i%17 + 1)
		p.Tiles[i] = exact.Tile{Uses: []exact.Use{{Section: 0, Height: 1}}, Size: size, Top: size, Align: 1, Fixed: exact.Free}
		for j := range i {
			for _, k := range []int{i, j} {
				t := &p.Tiles[k]
				t.Uses = append(t.Uses, exact.Use{Section: int32(p.Sections), Height: t.Size})
			}
			p.Sections++
		}
	}
	return p
}

// A node of many sections costs more than one of few with as many tiles.
func TestNodesCostWhatTheyLookAt(t *testing.T) {
	few, _ := packtest.Tiles(t, generate.Random(generate.Dense, 60, 1))
	many := crossed(len(few.Tiles))
	o := hunt.Options{Work: 2_000_000}
	plain, costly := hunt.Run(t.Context(), few, o), hunt.Run(t.Context(), many, o)
	require.Greater(t, costly.Nodes, uint64(10))
	require.Less(t, 5*costly.Nodes, plain.Nodes)
}

// Where the lists of a problem take more than half of the work, nothing is searched.
func TestListsCount(t *testing.T) {
	p := crossed(60)
	_, spent := exact.NewGraph(t.Context(), p, math.MaxUint64)
	o := hunt.Options{Low: 20, Work: spent / 16}
	require.Zero(t, hunt.Run(t.Context(), p, o).Nodes)
	o.Work *= 100
	require.NotZero(t, hunt.Run(t.Context(), p, o).Nodes)
}

func TestNothingToPack(t *testing.T) {
	r := hunt.Run(t.Context(), &exact.Problem{Sections: 1, Ordered: 1}, hunt.Options{Work: 1000})
	require.Zero(t, r.Low)
	require.Zero(t, r.Height)
}

// With a goal it stops at the first packing that reaches it.
func TestGoal(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Uniform, 60, 1))
	low := slices.Max(p.Totals())
	r := hunt.Run(t.Context(), p, hunt.Options{Low: low, Goal: 2 * low, Work: 1 << 30})
	require.LessOrEqual(t, r.Height, 2*low)
	require.Less(t, r.Nodes, uint64(2*len(p.Tiles)))
}

// What is known does not get worse, and is not lost where nothing is found.
func TestKeepsWhatIsKnown(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Dense, 100, 1))
	low := slices.Max(p.Totals())
	last := uint64(math.MaxUint64)
	o := hunt.Options{Low: low, Work: 5_000_000, Report: func(r hunt.Result) {
		require.LessOrEqual(t, r.Height, last)
		last = r.Height
	}}
	r := hunt.Run(t.Context(), p, o)
	require.Equal(t, last, r.Height)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = hunt.Run(ctx, p, hunt.Options{Low: low, Height: low + 5, Work: 1 << 30})
	require.Equal(t, hunt.Result{Low: low, Height: low + 5}, r)
}

// For tiles that stand for less than they are nothing is refuted.
func TestHeuristicProvesNothing(t *testing.T) {
	p := &exact.Problem{Sections: 1, Ordered: 1}
	for range 3 {
		p.Tiles = append(p.Tiles, exact.Tile{Uses: []exact.Use{{Section: 0, Height: 3}}, Size: 3, Top: 3, Align: 4, Fixed: exact.Free})
	}
	o := hunt.Options{Low: 9, Work: 1_000_000}
	r := hunt.Run(t.Context(), p, o)
	require.Equal(t, uint64(11), r.Height)
	require.True(t, r.Refuted)
	o.Heuristic = true
	r = hunt.Run(t.Context(), p, o)
	require.Equal(t, uint64(11), r.Height)
	require.False(t, r.Refuted)
}

func TestSameOnAnyNumberOfCores(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Dense, 150, 9))
	low := slices.Max(p.Totals())
	o := hunt.Options{Low: low, Height: low + low/2, Work: 5_000_000, Seed: 7}
	var results []hunt.Result
	for _, cores := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(cores)
		results = append(results, hunt.Run(t.Context(), p, o))
		runtime.GOMAXPROCS(before)
	}
	require.Equal(t, results[0], results[1])
	require.Equal(t, results[0], results[2])
	require.NotEmpty(t, results[0].Offsets)
	o.Seed++
	require.NotEqual(t, results[0], hunt.Run(t.Context(), p, o))
}
