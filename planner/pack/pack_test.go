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
