package planner_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// What SizesOf says of a sequence stands in its plan.
func TestSizesAreThePlans(t *testing.T) {
	plans := 0
	same := func(seq *sequences.Sequence) {
		plan, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{}, SizesOnly: true})
		if err != nil {
			return // not every one of them has a plan
		}
		plans++
		sizes := planner.SizesOf(seq)
		for i := range plan.Buffers {
			b := &plan.Buffers[i]
			size, err := sizes.Buffer(sequences.BufferID(i))
			require.NoError(t, err)
			require.Equal(t, b.Class, sizes.Class(sequences.BufferID(i)))
			require.Equal(t, b.Class, size.Class)
			require.Equal(t, b.Proof, size.Proof)
			require.EqualValues(t, b.Max, size.Max)
			require.Equal(t, b.Typical != nil, size.Typical != nil)
			if b.Typical != nil {
				require.EqualValues(t, *b.Typical, *size.Typical)
			}
		}
		for i := range plan.Counts {
			most, typical := sizes.Count(sequences.CountID(i))
			require.Equal(t, plan.Counts[i].Max, most)
			require.Equal(t, plan.Counts[i].Typical, typical)
		}
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		same(read(t, randseq.YAML(r, randseq.Small(r))))
	}
	for _, path := range []string{"../sequences/hlt1/reco.yaml", "testdata/faulty/SP0209.yaml"} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		seq, diags := sequences.Read(path, data)
		require.False(t, diags.HasErrors())
		same(seq)
	}
	require.Greater(t, plans, 10)
}

func TestSizesWithoutBound(t *testing.T) {
	seq := read(t, []byte("seqplan: 1\nname: x\nparams: {n: {min: 1, max: 10}}\nsteps: [{name: s, writes: {b: {type: u8, count: n - 5}}, reads: []}]\n"))
	_, err := planner.SizesOf(seq).Buffer(0)
	require.ErrorIs(t, err, planner.ErrNoBound)
}
