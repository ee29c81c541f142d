//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestGPUDifferential runs 10,000 random programs on the first CUDA device, 500 if the
// tests are to be short, and compares the pool after each launch with that of the oracle.
func TestGPUDifferential(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 500
	}
	differential(t, openGPU(t), 0, n)
}

// TestDifferentialOnFake runs random programs in the same way on the fake driver.
func TestDifferentialOnFake(t *testing.T) {
	f := newHostFake(t)
	differential(t, f.open(t), 60_000, 300)
}

// differentialGrids are the shapes of the launches, in turns: less than a warp, a warp, parts
// of one, the most threads of a block.
func differentialGrids() []kernels.Grid {
	return []kernels.Grid{
		{Blocks: 1, Threads: 1},
		{Blocks: 1, Threads: 32},
		{Blocks: 3, Threads: 50},
		{Blocks: 2, Threads: 1},
		{Blocks: 2, Threads: 1024},
	}
}

func differential(t *testing.T, d *Device, first uint64, n int) {
	require.NoError(t, d.LoadModule(csrc.ProbePTX(), kernelstest.AllocSignature()))
	kernelstest.Differential(t, d, first, n, differentialGrids())
}
