package opencl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestDifferential runs 10,000 random programs and compares the pool after each
// launch with that of the oracle.
func TestDifferential(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(csrc.ProbeOpenCL(), kernelstest.AllocSignature()))
	grids := []kernels.Grid{{Blocks: 1, Threads: 1}, {Blocks: 1, Threads: 16}, {Blocks: 3, Threads: 16}, {Blocks: 2, Threads: 1}}
	kernelstest.Differential(t, d, 0, 10_000, grids)
}
