package opencl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/kernels/opencl"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// TestReco plays the whole reconstruction in both arena modes, 20 batches in each:
// at every step the control block, the slots and the free extents equal those of the
// oracle, and every pattern is intact. The batches have 100 events, but the last has
// the 1000 that the plan is for.
func TestReco(t *testing.T) {
	require.NoError(t, open(t).Close()) // skips without a device
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	dynamic := 2 // the reset and the end step
	for _, s := range plan.Layout.Steps {
		if s.Dynamic {
			dynamic++
		}
	}
	for _, mode := range []play.Mode{play.Bump, play.Reuse} {
		t.Run(mode.String(), func(t *testing.T) {
			for _, part := range []play.Options{{Batches: 19, Events: 100, Seed: 1}, {Batches: 1, Events: 1000, Seed: 2}} {
				part.Mode = mode
				dev := kernelstest.NewShadow(open(t), plan.Layout)
				result, err := play.Run(seq, plan, dev, part)
				require.NoError(t, err)
				require.True(t, result.Sound(), "%v", result.Corrupted)
				require.Zero(t, result.Stats.Splits)
				require.EqualValues(t, part.Batches, result.Batches)
				require.Equal(t, part.Batches*dynamic, dev.Compared())
				require.NoError(t, dev.Close())
			}
		})
	}
}

// open opens the first device; without one the test is skipped, or fails where tools
// are required.
func open(t *testing.T) *opencl.Device {
	d, err := opencl.Open("", opencl.Options{})
	tooltest.Opened(t, err, true)
	return d
}
