package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
)

func TestAt(t *testing.T) {
	seq := velo(t)
	p, err := planner.At(seq, []uint64{10, 400})
	require.NoError(t, err)
	for i, b := range seq.Buffers {
		if b.Name == "tracks" {
			size, err := p.Bytes(seq.Buffers[i].ID)
			require.NoError(t, err)
			require.Equal(t, uint64(4*10*400), size)
		}
	}
	most, err := p.Eval(seq.Counts[0].Max)
	require.NoError(t, err)
	require.Equal(t, uint64(50_000), most)
	_, err = planner.At(seq, []uint64{10})
	require.ErrorContains(t, err, "2 parameters")
	_, err = planner.At(seq, []uint64{0, 400})
	require.ErrorContains(t, err, "outside its range")
}
