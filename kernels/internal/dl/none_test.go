//go:build !((linux || darwin) && (amd64 || arm64)) || seqplan_nodevice

package dl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

func TestNothingCanBeLoaded(t *testing.T) {
	_, err := dl.Open("libc.so.6")
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "without device back ends")
}
