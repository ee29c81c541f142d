//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// TestGPUReco plays the whole reconstruction on the first CUDA device in both arena
// modes, 20 batches in each: at every step the control block, the slots and the free
// extents equal those of the oracle, and every pattern is intact.
func TestGPUReco(t *testing.T) {
	needGPU(t)
	opts := play.Options{Batches: 20, Events: 100, Seed: 1}
	if testing.Short() {
		opts.Batches, opts.Events = 3, 20
	}
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	for _, mode := range []play.Mode{play.Bump, play.Reuse} {
		t.Run(mode.String(), func(t *testing.T) {
			opts.Mode = mode
			d, err := Open(0, Options{})
			require.NoError(t, err)
			dev := kernelstest.NewShadow(d, plan.Layout)
			result, err := play.Run(seq, plan, dev, opts)
			require.NoError(t, err)
			require.True(t, result.Sound(), "%v", result.Corrupted)
			require.EqualValues(t, opts.Batches, result.Batches)
			require.Greater(t, dev.Compared(), opts.Batches*len(plan.Layout.Steps)/2)
			require.NoError(t, dev.Close())
		})
	}
}
