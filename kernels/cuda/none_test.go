//go:build seqplan_nodevice

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/cuda"
)

func TestBuiltWithoutDevices(t *testing.T) {
	_, err := cuda.Open(0, cuda.Options{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "without device back ends")
	_, err = cuda.Count(cuda.Options{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}
