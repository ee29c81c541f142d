package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// The answer fits, and the next value does not.
func TestFit(t *testing.T) {
	seq := velo(t)
	need := func(n uint64, basis planner.Basis) sequences.Bytes {
		s, err := planner.WithParam(seq, "n_events", 1, n)
		require.NoError(t, err)
		size, err := makePlan(t, s).DeviceNeed(basis)
		require.NoError(t, err)
		return size
	}
	for _, basis := range []planner.Basis{planner.BasisStatic, planner.BasisTypical, planner.BasisWorst} {
		for _, capacity := range []sequences.Bytes{1 << 17, 1 << 20, 10 << 20, 50_000_000, need(777, basis), need(777, basis) - 1} {
			t.Run(basis.String(), func(t *testing.T) {
				r, err := planner.Fit(seq, capacity, basis, planner.Options{})
				require.NoError(t, err)
				require.Equal(t, "n_events", r.Param)
				if !r.Fits {
					require.Equal(t, uint64(1), r.Value)
					require.Greater(t, need(1, basis), capacity)
					return
				}
				require.False(t, r.Limited)
				require.Equal(t, need(r.Value, basis), r.Need)
				require.LessOrEqual(t, r.Need, capacity)
				require.Equal(t, need(r.Value+1, basis), r.Next)
				require.Greater(t, r.Next, capacity)
			})
		}
	}
}

func TestFitAtTheEnds(t *testing.T) {
	seq := velo(t)
	r, err := planner.Fit(seq, 1<<40, planner.BasisWorst, planner.Options{})
	require.NoError(t, err)
	require.True(t, r.Fits && r.Limited)
	require.Equal(t, uint64(1000), r.Value)
	require.Equal(t, uint64(1<<40)/uint64(r.Need), r.Workers)

	r, err = planner.Fit(seq, 1000, planner.BasisStatic, planner.Options{})
	require.NoError(t, err)
	require.False(t, r.Fits)
	require.Greater(t, r.Need, sequences.Bytes(1000))
	require.Zero(t, r.Workers)

	fixed, err := planner.WithParam(seq, "n_events", 5, 5)
	require.NoError(t, err)
	_, err = planner.Fit(fixed, 1000, planner.BasisStatic, planner.Options{})
	require.ErrorIs(t, err, planner.ErrNoBatch)
}

func TestFitNeedsFigures(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: f
params: {n: {min: 1, max: 100}}
counts: {m: {at: "o[n]", typical: "n"}}
steps:
  - name: s0
    writes: {o: {type: u32, count: "n + 1"}}
  - name: s1
    writes: {a: {type: u32, count: "m"}}
`))
	_, err := planner.Fit(seq, 1<<20, planner.BasisWorst, planner.Options{})
	require.ErrorIs(t, err, planner.ErrNoDemand)
	_, err = planner.Fit(seq, 1<<20, planner.BasisTypical, planner.Options{})
	require.NoError(t, err)
	var b planner.Basis
	require.NoError(t, b.UnmarshalText([]byte("worst")))
	require.Equal(t, planner.BasisWorst, b)
	require.Error(t, b.UnmarshalText([]byte("best")))
}

// A batch parameter with one value left is none: the next ranged one takes over.
func TestWithParamKeepsABatch(t *testing.T) {
	seq := read(t, []byte(`
seqplan: 1
name: t
params: {n: {min: 1, max: 9}, fixed: 4, k: {min: 1, max: 5}}
steps: [{name: a, writes: {x: {type: u8, count: "n * k * fixed"}}}]
`))
	require.EqualValues(t, 0, seq.Batch)
	seq, err := planner.WithParam(seq, "n", 5, 5)
	require.NoError(t, err)
	require.EqualValues(t, 2, seq.Batch)
	seq, err = planner.WithParam(seq, "k", 5, 5)
	require.NoError(t, err)
	require.EqualValues(t, sequences.None, seq.Batch)
}
