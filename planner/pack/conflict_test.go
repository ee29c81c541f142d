package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
)

// Eleven buffers take 7 bytes at each step, and have no packing in 7. Alone they are
// made fewer. Beside many others, which have nothing to do with that, the conflict is
// too large to be made smaller, and is not called minimal.
func TestConflictOfASearchAmongMany(t *testing.T) {
	p := pack.Problem{Capacity: at(7), Buffers: []pack.Buffer{
		{First: 0, End: 2, Size: 4, Align: 1},
		{First: 0, End: 1, Size: 3, Align: 1},
		{First: 1, End: 2, Size: 1, Align: 1},
		{First: 1, End: 5, Size: 1, Align: 1},
		{First: 1, End: 3, Size: 1, Align: 1},
		{First: 2, End: 5, Size: 2, Align: 1},
		{First: 2, End: 3, Size: 3, Align: 1},
		{First: 3, End: 8, Size: 4, Align: 1},
		{First: 5, End: 7, Size: 3, Align: 1},
		{First: 7, End: 8, Size: 2, Align: 1},
		{First: 7, End: 8, Size: 1, Align: 1},
	}}
	low, err := pack.LowerBound(p)
	require.NoError(t, err)
	require.Equal(t, uint64(7), low.Bytes)
	r := solve(t, pack.Engine{Effort: pack.Quick}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	requireMinimal(t, p, r, 0)
	for step := range uint64(600) {
		p.Buffers = append(p.Buffers, pack.Buffer{First: 8 + step, End: 9 + step, Size: 1, Align: 1})
	}
	r = solve(t, pack.Engine{Effort: pack.Quick}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.Greater(t, len(r.Conflict), 500)
	require.False(t, r.Minimal)
}

// What is alive at once and too much is made minimal without a search, unless
// alignment may leave holes.
func TestLargeConflictOfWhatIsAliveAtOnce(t *testing.T) {
	p := pack.Problem{Capacity: at(1100)}
	for i := range uint64(650) {
		b := pack.Buffer{First: i, End: 1000, Size: 2, Align: 1}
		if i%13 == 0 {
			b.Size = 1
		}
		p.Buffers = append(p.Buffers, b)
	}
	r := solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.Len(t, r.Conflict, 551)
	require.True(t, r.Minimal)
	p.Buffers[r.Conflict[0]].Align = 2
	r = solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.False(t, r.Minimal)
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
