package planner_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

func read(t testing.TB, data []byte) *sequences.Sequence {
	t.Helper()
	seq, diags := sequences.Read("test.yaml", data)
	require.NoError(t, diags.Err(), "%s", data)
	return seq
}

// Every random sequence either is refused with diagnostics or has a plan that
// passes the verifier, and planning it again gives the same plan.
func TestErrorXorVerifiedPlan(t *testing.T) {
	plans, refused := 0, map[string]int{}
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := randseq.YAML(r, randseq.Small(r))
		seq := read(t, data)
		p, err := planner.Make(seq, planner.Options{})
		again, err2 := planner.Make(seq, planner.Options{})
		require.Equal(t, err, err2)
		require.Equal(t, p, again)
		if err == nil {
			plans++
			_, err := abi.DecodeProgram(p.Layout.Program)
			require.NoError(t, err, "seed %d: the runtime accepts the program", seed)
			continue
		}
		var diags sequences.Diagnostics
		require.True(t, errors.As(err, &diags), "seed %d: %v\n%s", seed, err, data)
		require.True(t, diags.HasErrors())
		refused[string(diags[0].Code)]++
	}
	t.Log(plans, refused)
	require.Greater(t, plans, 200, "most random sequences can be planned")
	require.Greater(t, len(refused), 2, "and some cannot, for several reasons")
}
