package pack_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
)

// The engine on tiny problems with every feature ends where trying everything ends.
func TestAgainstExhaustiveSearch(t *testing.T) {
	n := uint64(20_000)
	if testing.Short() {
		n /= 20
	}
	for seed := range n {
		p := generate.TinyMixed(seed)
		r, err := pack.Engine{Effort: pack.Quick}.Pack(t.Context(), p)
		require.NoError(t, err)
		require.NoError(t, audit.Check(p, r), "seed %d: %+v", seed, p)
		height, feasible := oracle.Optimum(p)
		switch {
		case !feasible, p.Capacity != nil && height > *p.Capacity:
			require.Equal(t, pack.Infeasible, r.Status, "seed %d: %+v", seed, p)
			requireMinimal(t, p, r, seed)
		case p.Capacity != nil:
			require.LessOrEqual(t, r.Height, *p.Capacity, "seed %d: %+v", seed, p)
		default:
			require.Equal(t, pack.Optimal, r.Status, "seed %d: %+v", seed, p)
			require.Equal(t, height, r.Height, "seed %d: %+v", seed, p)
		}
	}
}

// What one part of the search proves does not hang on what another one found first.
func TestStagesProveTheTruth(t *testing.T) {
	for name, stage := range pack.Stages {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3000) {
				p := generate.TinyMixed(seed)
				p.Capacity = nil
				height, feasible := oracle.Optimum(p)
				if !feasible {
					continue
				}
				r, ok := pack.Alone(t.Context(), p, stage)
				require.True(t, ok)
				require.LessOrEqual(t, r.Bound.Bytes, height, "seed %d: %+v", seed, p)
			}
		})
	}
}

// The heights of tiles are not those of what lies beside them, wherever that is in
// the order: 13 bytes of which none is in use, beside tiles that end at multiples of 4.
func TestSearchBesideWhatTakesNothing(t *testing.T) {
	lent := pack.Buffer{First: 0, End: 2, Size: 13, Align: 1, Gaps: []pack.Gap{{First: 0, End: 2}}}
	buffers := []pack.Buffer{{First: 0, End: 2, Size: 8, Align: 4}, {First: 1, End: 2, Size: 4, Align: 4}}
	for k := range 3 {
		p := pack.Problem{Buffers: slices.Insert(slices.Clone(buffers), k, lent)}
		r, ok := pack.Alone(t.Context(), p, pack.Stages["search"])
		require.True(t, ok)
		require.Equal(t, uint64(13), r.Height)
		require.Equal(t, uint64(13), r.Bound.Bytes)
	}
}

// requireMinimal checks that the buffers of a conflict have no packing, and one
// without any one of them.
func requireMinimal(t *testing.T, p pack.Problem, r pack.Result, seed uint64) {
	require.True(t, r.Minimal, "seed %d: %+v", seed, p)
	require.False(t, fits(p, r.Conflict), "seed %d: %v of %+v", seed, r.Conflict, p)
	for k := range r.Conflict {
		rest := slices.Concat(r.Conflict[:k], r.Conflict[k+1:])
		require.True(t, fits(p, rest), "seed %d: %v without %d of %+v", seed, r.Conflict, r.Conflict[k], p)
	}
}

// fits asks the oracle whether some of the buffers have a packing.
func fits(p pack.Problem, set []int) bool {
	height, feasible := oracle.Optimum(pack.Subset(p, set))
	return feasible && (p.Capacity == nil || height <= *p.Capacity)
}
