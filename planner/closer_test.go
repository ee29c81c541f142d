package planner

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
)

// apartProblem has buffers of which each is apart from the next ones.
func apartProblem(n, next int) pack.Problem {
	var p pack.Problem
	for i := range n {
		p.Buffers = append(p.Buffers, pack.Buffer{First: uint64(i), End: uint64(i + 1), Size: uint64(i*37%101 + 20), Align: 1})
		for k := range next {
			if i+k+1 < n {
				p.Excluded = append(p.Excluded, [2]int{i, i + k + 1})
			}
		}
	}
	return p
}

// Where there is no packing within a height, a question does not look for the buffers of
// which there is none, and says the same as the engine otherwise.
func TestQuestion(t *testing.T) {
	p := apartProblem(14, 3)
	e := pack.Engine{Effort: pack.Quick}
	best, err := e.Pack(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, pack.Optimal, best.Status)
	same, err := question{e}.Pack(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, best, same)

	for _, capacity := range []uint64{best.Height, best.Height - 1} {
		p.Capacity = &capacity
		want, err := e.Pack(t.Context(), p)
		require.NoError(t, err)
		told := 0
		e.Progress = func(pack.Progress) { told++ }
		got, err := question{e}.Pack(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, want.Status, got.Status)
		require.Equal(t, want.Bound, got.Bound)
		require.False(t, got.Interrupted)
		require.NotZero(t, told)
		if capacity == best.Height {
			require.Equal(t, want, got)
			continue
		}
		require.Equal(t, pack.Infeasible, got.Status)
		require.LessOrEqual(t, got.Nodes, want.Nodes)
	}
}

// A closer starts from what is known, of a packing and of the bound, and loses neither.
func TestCloser(t *testing.T) {
	p := apartProblem(14, 3)
	e := pack.Engine{Effort: pack.Quick}
	best, err := e.Pack(t.Context(), p)
	require.NoError(t, err)
	high := pack.Result{Offsets: make([]uint64, len(p.Buffers)), Method: "stack", Nodes: 1 << 30}
	for i := range p.Buffers {
		high.Offsets[i] = high.Height
		high.Height += p.Buffers[i].Size
	}
	for _, bound := range []uint64{0, best.Height - 1, best.Height} {
		known := high
		known.Bound.Bytes = bound
		r, err := closer{e, known}.Pack(t.Context(), p)
		require.NoError(t, err)
		require.Equal(t, pack.Optimal, r.Status)
		require.Equal(t, best.Height, r.Height)
		require.Equal(t, best.Height, r.Bound.Bytes)
		require.NotEqual(t, "stack", r.Method)
	}
	// Where it was hard to refute a height, it does not start again.
	known := high
	known.Bound.Bytes, known.Nodes = best.Height-1, 0
	r, err := closer{e, known}.Pack(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, pack.Feasible, r.Status)
	require.Equal(t, "stack", r.Method)
	require.Equal(t, best.Height, r.Bound.Bytes)
	// One that needs no better packing keeps the one that it has.
	known = best
	known.Bound = pack.Bound{Bytes: best.Height - 1}
	known.Method = "known"
	r, err = closer{e, known}.Pack(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, pack.Optimal, r.Status)
	require.Equal(t, "known", r.Method)
	require.Equal(t, best.Offsets, r.Offsets)
	require.Nil(t, p.Capacity)
}
