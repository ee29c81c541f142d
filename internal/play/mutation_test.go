package play_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/verify"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// reused returns a buffer that shares bytes with the given one at the last step
// of its true life.
func reused(seq *sequences.Sequence, truth, plan *planner.Plan, b sequences.BufferID) (sequences.BufferID, bool) {
	last := truth.Buffers[b].Lifetime.End - 1
	p := &plan.Buffers[b]
	for i := range plan.Buffers {
		o, life := &plan.Buffers[i], truth.Buffers[i].Lifetime
		if sequences.BufferID(i) == b || o.Class != planner.Static || o.Scope != p.Scope || last < life.First || last >= life.End {
			continue
		}
		if seq.Buffers[i].InPlaceOf == b || seq.Buffers[b].InPlaceOf == sequences.BufferID(i) {
			continue
		}
		if p.Offset < o.Offset+o.Max && o.Offset < p.Offset+p.Max {
			return sequences.BufferID(i), true
		}
	}
	return 0, false
}

// TestShortenedLifetimes plans reco again and again, each time with the life of
// one buffer a step too short and the verifier off. Where the packer really gave
// the bytes away, the verifier must reject the plan and the run must name the
// buffer, at the step where it was still needed.
func TestShortenedLifetimes(t *testing.T) {
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.Empty(t, diags)
	// The run uses all bytes that the plan knows of, so both are for few events.
	seq, err := planner.WithParam(seq, "n_events", 1, 4)
	require.NoError(t, err)
	truth, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)

	tried, given := 0, 0
	for i := range truth.Buffers {
		b, life := sequences.BufferID(i), truth.Buffers[i].Lifetime
		if truth.Buffers[i].Class != planner.Static || truth.Buffers[i].Max == 0 || life.End-life.First < 2 {
			continue // nothing to give away, or no life would be left
		}
		tried++
		plan, err := planner.Make(seq, planner.Options{
			SkipVerify:      true,
			MutateLifetimes: func(lives []planner.Interval) { lives[b].End-- },
		})
		require.NoError(t, err)
		other, ok := reused(seq, truth, plan, b)
		rejected := verify.Check(seq, plan.Layout)
		if !ok {
			continue
		}
		given++
		name, by := truth.Buffers[b].Name, truth.Buffers[other].Name
		require.Error(t, rejected, "%s gave bytes to %s", name, by)
		require.ErrorContains(t, rejected, name)

		result := run(t, seq, plan, play.Options{Batches: 1})
		found := false
		for _, c := range result.Corrupted {
			// The output of a sequence is needed at the end, one step later.
			found = found || (c.Buffer == name && (c.Step == int(life.End)-1 || c.Step == int(life.End)))
		}
		require.True(t, found, "%s gave bytes to %s at step %d; the run reported %v", name, by, life.End-1, result.Corrupted)
	}
	t.Logf("%d buffers tried, %d gave bytes away", tried, given)
	require.Greater(t, given, 50, "the packer must reuse bytes for this test to mean anything")
}

func run(t *testing.T, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) *play.Result {
	t.Helper()
	dev := host.New(host.Options{})
	result, err := play.Run(seq, plan, dev, opts)
	require.NoError(t, err)
	require.NoError(t, dev.Close(), "everything must have been freed")
	require.Equal(t, host.Live{}, dev.Live())
	return result
}
