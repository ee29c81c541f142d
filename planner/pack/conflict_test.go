package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
)

// What a search has refuted is not minimal because its buffers need no alignment.
func TestConflictOfManyBuffers(t *testing.T) {
	var p pack.Problem
	for _, b := range [][3]uint64{
		{5, 7, 5}, {4, 7, 6}, {1, 5, 4}, {0, 3, 3}, {0, 1, 6}, {0, 4, 1}, {0, 1, 1}, {3, 5, 2},
		{5, 6, 1}, {2, 4, 3}, {1, 2, 1}, {3, 4, 1}, {0, 4, 1}, {1, 2, 2}, {6, 7, 1},
	} {
		p.Buffers = append(p.Buffers, pack.Buffer{First: b[0], End: b[1], Size: b[2], Align: 1})
	}
	p.Capacity = at(12)
	r := solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.Equal(t, pack.Refuted, r.Bound.Kind)
	require.True(t, r.Minimal)
	require.Len(t, r.Conflict, 8)
	for i := range uint64(500) {
		p.Buffers = append(p.Buffers, pack.Buffer{First: 100 + i, End: 101 + i, Size: 1, Align: 1})
	}
	r = solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.False(t, r.Minimal && len(r.Conflict) > 8)
}

// One buffer that is fixed too high is a conflict on its own among any number.
func TestConflictOfAFixedBuffer(t *testing.T) {
	p := pack.Problem{Capacity: at(1000)}
	for range 600 {
		p.Buffers = append(p.Buffers, pack.Buffer{First: 0, End: 2, Size: 1, Align: 1})
	}
	p.Buffers[300].Offset = at(1000)
	r := solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.Equal(t, []int{300}, r.Conflict)
	require.True(t, r.Minimal)
}

// Each buffer lies in the gap of the one before it, any number of them.
func TestManyNestedGaps(t *testing.T) {
	for _, n := range []uint64{2500, 6000} {
		var p pack.Problem
		for i := range n {
			p.Buffers = append(p.Buffers, pack.Buffer{
				First: i, End: 2*n + n - i, Size: 100, Align: 1, Gaps: []pack.Gap{{First: i + 1, End: 2*n + n - i - 1}},
			})
		}
		require.Equal(t, uint64(100), solve(t, pack.Engine{Effort: pack.Quick}, p).Height, "%d buffers", n)
	}
}
