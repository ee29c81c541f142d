package opencl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestContention: all work items take a million pieces.
func TestContention(t *testing.T) {
	d := openDevice(t)
	require.NoError(t, d.Load(csrc.ProbeOpenCL(), kernelstest.ContendSignature()))
	kernelstest.Contention(t, d, 1_000_000)
}
