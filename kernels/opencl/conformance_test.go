package opencl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

func TestConformance(t *testing.T) {
	openDevice(t) // skips without one
	kernelstest.Run(t, func() kernels.Device {
		d, err := Open("", Options{})
		require.NoError(t, err)
		return d
	})
}
