//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestGPUContention: all threads take a million pieces at once.
func TestGPUContention(t *testing.T) {
	n := uint64(1_000_000)
	if testing.Short() {
		n = 20_000
	}
	contention(t, openGPU(t), n)
}

// TestContentionOnFake takes pieces in the same way from the fake driver, one by one.
func TestContentionOnFake(t *testing.T) {
	f := newHostFake(t)
	contention(t, f.open(t), 10_000)
}

func contention(t *testing.T, d *Device, n uint64) {
	require.NoError(t, d.LoadModule(csrc.ProbePTX(), kernelstest.ContendSignature()))
	kernelstest.Contention(t, d, n)
}
