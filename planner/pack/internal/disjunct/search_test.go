package disjunct_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
)

// requirePacking checks offsets against the definition of a problem.
func requirePacking(t require.TestingT, p disjunct.Problem, offsets []uint64, capacity uint64) {
	require.Len(t, offsets, len(p.Items))
	for i, it := range p.Items {
		require.Zero(t, offsets[i]%it.Align, "alignment of item %d", i)
		require.LessOrEqual(t, offsets[i]+it.Size, capacity, "end of item %d", i)
		require.True(t, it.Fixed == nil || *it.Fixed == offsets[i], "place of item %d", i)
	}
	for _, pair := range p.Pairs {
		difference := int64(offsets[pair.J]) - int64(offsets[pair.I])
		for _, r := range pair.Forbidden {
			require.False(t, r.Lo < difference && difference < r.Hi, "items %d and %d are at %d in %v", pair.I, pair.J, difference, r)
		}
	}
}

const plenty = 1 << 20 // nodes

func TestAgainstExhaustiveSearch(t *testing.T) {
	var found, infeasible, nodes int
	for seed := range uint64(20000) {
		p := generate.TinyMixed(seed)
		height, feasible := oracle.Optimum(p)
		d, _, ok := convert(p)
		if !ok {
			require.False(t, feasible, "seed %d", seed)
			continue
		}
		if !feasible {
			_, outcome, _ := disjunct.Search(t.Context(), d, disjunct.Options{Capacity: 200, Nodes: plenty})
			require.Equal(t, disjunct.Refuted, outcome, "seed %d", seed)
			infeasible++
			continue
		}
		offsets, outcome, n := disjunct.Search(t.Context(), d, disjunct.Options{Capacity: height, Nodes: plenty})
		require.Equal(t, disjunct.Found, outcome, "seed %d", seed)
		requirePacking(t, d, offsets, height)
		found++
		nodes+=int(n)
		if height > 0 {
			_, outcome, n := disjunct.Search(t.Context(), d, disjunct.Options{Capacity: height - 1, Nodes: plenty})
			require.Equal(t, disjunct.Refuted, outcome, "seed %d", seed)
		nodes+=int(n)
		}
	}
	t.Log(found, infeasible, nodes)
}
