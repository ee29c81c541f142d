package consumer

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/gen"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

func makePlan(t *testing.T) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, _, diags := sequences.Load("velo.yaml")
	require.NotNil(t, seq, "%v", diags)
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

// The checked-in file is what the generator prints now. Run go generate if not.
func TestUpToDate(t *testing.T) {
	seq, plan := makePlan(t)
	var b bytes.Buffer
	require.NoError(t, gen.Go(&b, seq, plan, gen.GoOptions{Package: "consumer"}))
	require.NoError(t, gen.Check("velo_seqplan.go", b.Bytes()))
}

// The generated literal is the whole layout of the plan.
func TestLayout(t *testing.T) {
	_, plan := makePlan(t)
	require.Equal(t, plan.Layout, Layout())
	Layout().Program[0] = 0
	Layout().Buffers[0].Name = "changed"
	require.Equal(t, plan.Layout, Layout(), "no caller can change the layout of another")
	require.Equal(t, uint64(plan.Hash), PlanHash)
}
