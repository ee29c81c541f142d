package play_test

import (
	"slices"
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

// uncounted is a sequence of whose counts nothing is known. The plan of it has the
// same static region and the same releases, and is made faster.
func uncounted(seq *sequences.Sequence) *sequences.Sequence {
	out := *seq
	out.Counts = slices.Clone(seq.Counts)
	for i := range out.Counts {
		out.Counts[i].Max, out.Counts[i].Typical = nil, nil
	}
	return &out
}

// TestShortenedLifetimes plans reco again and again, each time with the life of
// one buffer a step too short and the verifier off. Where the packer really gave
// the bytes away, the verifier must reject the plan and the run must name the
// buffer, at the step where it was still needed. A dynamic buffer is then released
// before that step, so that its slot holds nothing.
func TestShortenedLifetimes(t *testing.T) {
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.Empty(t, diags)
	// The run uses all bytes that the plan knows of, so both are for few events.
	seq, err := planner.WithParam(seq, "n_events", 1, 4)
	require.NoError(t, err)
	bare := uncounted(seq)
	truth, err := planner.Make(bare, planner.Options{})
	require.NoError(t, err)

	tried, given := 0, [2]int{}
	for i := range truth.Buffers {
		b, life := sequences.BufferID(i), truth.Buffers[i].Lifetime
		class := truth.Buffers[i].Class
		static := class == planner.Static
		if static && truth.Buffers[i].Max == 0 || life.End-life.First < 2 {
			continue // nothing to give away, or no life would be left
		}
		if !static && truth.Buffers[i].Scope == sequences.Host {
			continue // the host places it, at the end, whatever the device has released
		}
		tried++
		plan, err := planner.Make(bare, planner.Options{
			SkipVerify:      true,
			MutateLifetimes: func(lives []planner.Interval) { lives[b].End-- },
		})
		require.NoError(t, err)
		other, by := sequences.BufferID(0), "nobody"
		if static {
			var ok bool
			if other, ok = reused(seq, truth, plan, b); !ok {
				continue
			}
			by = truth.Buffers[other].Name
		} else if int(life.End) > len(seq.Steps) {
			continue // its bytes are read back at the end, without the device
		}
		given[class]++
		name := truth.Buffers[b].Name
		rejected := verify.Check(bare, plan.Layout)
		require.Error(t, rejected, "%s gave bytes to %s", name, by)
		require.ErrorContains(t, rejected, name)

		result := run(t, seq, plan, play.Options{Batches: 1, Capacity: 64 << 20})
		found := false
		for _, c := range result.Corrupted {
			// The output of a sequence is needed at the end, one step later.
			at := c.Step == int(life.End)-1 || c.Step == int(life.End)
			found = found || c.Buffer == name && at && c.Gone != static
		}
		require.True(t, found, "%s gave bytes to %s at step %d; the run reported %v", name, by, life.End-1, result.Corrupted)
	}
	t.Logf("%d buffers tried, %v gave bytes away", tried, given)
	require.Greater(t, given[planner.Static], 50, "the packer must reuse bytes for this test to mean anything")
	require.Greater(t, given[planner.Dynamic], 50)
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
