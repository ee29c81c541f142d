package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
)

func at(offset uint64) *uint64 { return &offset }

func during(first, end, low, high uint64) []pack.Gap {
	return []pack.Gap{{First: first, End: end, Low: low, High: high}}
}

const never = ^uint64(0)

func TestOptimum(t *testing.T) {
	for _, tc := range []struct {
		name   string
		p      pack.Problem
		height uint64
	}{
		{"no buffers", pack.Problem{}, 0},
		{"no bytes", pack.Problem{Buffers: []pack.Buffer{{End: 1, Align: 8}, {End: 1, Align: 1}}}, 0},
		{"two at once", pack.Problem{Buffers: []pack.Buffer{{End: 3, Size: 3, Align: 1}, {First: 2, End: 4, Size: 4, Align: 1}}}, 7},
		{"one after the other", pack.Problem{Buffers: []pack.Buffer{{End: 2, Size: 3, Align: 1}, {First: 2, End: 4, Size: 4, Align: 1}}}, 4},
		{"alignment", pack.Problem{Buffers: []pack.Buffer{{End: 1, Size: 3, Align: 2}, {End: 1, Size: 3, Align: 2}}}, 7},
		{"more than is alive at once", pack.Problem{Buffers: []pack.Buffer{
			{First: 0, End: 2, Size: 3, Align: 1},
			{First: 0, End: 1, Size: 3, Align: 1},
			{First: 3, End: 6, Size: 3, Align: 1},
			{First: 1, End: 4, Size: 1, Align: 1},
			{First: 2, End: 4, Size: 2, Align: 1},
			{First: 1, End: 3, Size: 1, Align: 1},
			{First: 4, End: 6, Size: 3, Align: 1},
		}}, 7},
		{"fixed", pack.Problem{Buffers: []pack.Buffer{{End: 1, Size: 2, Align: 1, Offset: at(1)}, {End: 1, Size: 2, Align: 1}}}, 5},
		{"fixed and unaligned", pack.Problem{Buffers: []pack.Buffer{{End: 1, Size: 2, Align: 2, Offset: at(1)}}}, never},
		{"fixed at one place", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 2, Align: 1, Offset: at(1)},
			{First: 1, End: 2, Size: 2, Align: 1, Offset: at(2)},
		}}, never},
		{"fixed without bytes", pack.Problem{Buffers: []pack.Buffer{{End: 1, Align: 1, Offset: at(9)}, {End: 1, Size: 12, Align: 1}}}, 12},
		{"only fixed, without bytes", pack.Problem{Buffers: []pack.Buffer{{End: 1, Align: 1, Offset: at(9)}}}, 9},
		{"gap", pack.Problem{Buffers: []pack.Buffer{
			{End: 4, Size: 4, Align: 1, Gaps: during(1, 3, 0, 0)},
			{First: 1, End: 3, Size: 4, Align: 1},
		}}, 4},
		{"gap too short", pack.Problem{Buffers: []pack.Buffer{
			{End: 4, Size: 4, Align: 1, Gaps: during(1, 3, 0, 0)},
			{First: 1, End: 4, Size: 4, Align: 1},
		}}, 8},
		{"gap with a window", pack.Problem{Buffers: []pack.Buffer{
			{End: 4, Size: 5, Align: 1, Gaps: during(1, 3, 2, 3)},
			{First: 1, End: 3, Size: 2, Align: 1},
			{First: 1, End: 3, Size: 2, Align: 1},
		}}, 5},
		{"window in the way", pack.Problem{Buffers: []pack.Buffer{
			{End: 4, Size: 5, Align: 1, Gaps: during(1, 3, 2, 3)},
			{First: 1, End: 3, Size: 3, Align: 1},
		}}, 6},
		{"group", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 3, Align: 1},
			{First: 1, End: 3, Size: 4, Align: 1},
			{First: 1, End: 2, Size: 1, Align: 1},
		}, InPlace: [][]int{{0, 1}}}, 5},
		{"a group has one offset", pack.Problem{Buffers: []pack.Buffer{
			{End: 1, Size: 3, Align: 1},
			{First: 1, End: 2, Size: 3, Align: 1},
			{First: 0, End: 1, Size: 1, Align: 1, Offset: at(0)},
			{First: 1, End: 2, Size: 1, Align: 1, Offset: at(1)},
		}, InPlace: [][]int{{0, 1}}}, 5},
		{"alignments of a group", pack.Problem{Buffers: []pack.Buffer{
			{End: 1, Size: 1, Align: 1},
			{First: 1, End: 2, Size: 2, Align: 4},
			{End: 1, Size: 1, Align: 1, Offset: at(0)},
		}, InPlace: [][]int{{1, 0}}}, 6},
		{"a group fixed at two places", pack.Problem{Buffers: []pack.Buffer{
			{End: 1, Size: 1, Align: 1, Offset: at(0)},
			{First: 1, End: 2, Size: 1, Align: 1, Offset: at(1)},
		}, InPlace: [][]int{{0, 1}}}, never},
		{"a group of different bytes", pack.Problem{Buffers: []pack.Buffer{
			{End: 1, Size: 6, Align: 1, Gaps: during(0, 1, 4, 6)},
			{End: 1, Size: 2, Align: 1},
			{End: 1, Size: 2, Align: 1},
		}, InPlace: [][]int{{0, 1}}}, 6},
		{"excluded", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 3, Align: 1},
			{First: 2, End: 4, Size: 4, Align: 1},
		}, Excluded: [][2]int{{1, 0}}}, 7},
		{"excluded in gaps too", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 3, Align: 1, Gaps: during(0, 2, 0, 0)},
			{First: 2, End: 4, Size: 4, Align: 1},
		}, Excluded: [][2]int{{0, 1}}}, 7},
		{"excluded, without bytes", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 3, Align: 1},
			{First: 2, End: 4, Align: 1, Offset: at(1)},
		}, Excluded: [][2]int{{0, 1}}}, 3},
		{"excluded from one of a group", pack.Problem{Buffers: []pack.Buffer{
			{End: 1, Size: 2, Align: 1},
			{First: 1, End: 2, Size: 5, Align: 1},
			{First: 2, End: 3, Size: 3, Align: 1},
		}, InPlace: [][]int{{0, 1}}, Excluded: [][2]int{{0, 2}}}, 5},
		{"excluded in a group", pack.Problem{Buffers: []pack.Buffer{
			{End: 2, Size: 3, Align: 1},
			{First: 2, End: 4, Size: 4, Align: 1},
		}, InPlace: [][]int{{0, 1}}, Excluded: [][2]int{{0, 1}}}, never},
	} {
		t.Run(tc.name, func(t *testing.T) {
			height, feasible := oracle.Optimum(tc.p)
			require.Equal(t, tc.height != never, feasible)
			if feasible {
				require.Equal(t, tc.height, height)
			}
		})
	}
}

func TestFits(t *testing.T) {
	infeasible := 0
	for seed := range uint64(1000) {
		p := generate.TinyMixed(seed)
		height, feasible := oracle.Optimum(p)
		if !feasible {
			infeasible++
			require.False(t, oracle.Fits(p, 60), "seed %d", seed)
			continue
		}
		require.True(t, oracle.Fits(p, height), "seed %d", seed)
		require.True(t, oracle.Fits(p, height+3), "seed %d", seed)
		require.False(t, height > 0 && oracle.Fits(p, height-1), "seed %d", seed)
	}
	require.Greater(t, infeasible, 50)
}
