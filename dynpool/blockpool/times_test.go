package blockpool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/host"
)

// TestTimesOfFreePieces: what is left of a free piece was freed when all of it was.
func TestTimesOfFreePieces(t *testing.T) {
	dev := host.New(host.Options{})
	p, err := New(dev, Options{Size: 4096})
	require.NoError(t, err)
	rest := func() uint64 { return p.rest.Largest().Val.freed }
	require.Zero(t, rest(), "never used")
	a, err := p.AllocateBlock(992)
	require.NoError(t, err)
	require.Zero(t, rest(), "never used")
	require.NoError(t, p.FreeBlock(a))
	require.EqualValues(t, 1, rest())
	b, err := p.AllocateBlock(480)
	require.NoError(t, err)
	require.EqualValues(t, 1, rest())
	require.NoError(t, p.FreeBlock(b))
	require.EqualValues(t, 2, rest())

	// Small blocks are cut from the end of freed memory, which keeps its time too.
	a, err = p.AllocateBlock(992)
	require.NoError(t, err)
	b, err = p.AllocateBlock(1)
	require.NoError(t, err)
	require.NoError(t, p.FreeBlock(a))
	c, err := p.AllocateBlock(1)
	require.NoError(t, err)
	require.EqualValues(t, 3, p.free.Largest().Val.freed)
	require.NoError(t, p.FreeBlock(b))
	require.NoError(t, p.FreeBlock(c))
	require.NoError(t, p.Close())
	require.NoError(t, dev.Close())
}
