package staticpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/staticpool"
)

// dirtyDevice gives memory that is not zero, as devices do.
type dirtyDevice struct{ *host.Device }

func (d dirtyDevice) Alloc(size uint64) (kernels.Addr, error) {
	a, err := d.Device.Alloc(size)
	if err != nil {
		return 0, err
	}
	s, err := d.NewStream()
	if err != nil {
		return 0, err
	}
	return a, errors.Join(s.Memset(a, 0xA5, size), s.Close())
}

// TestDirtyMemory: what lay in the control block does not become a high-water mark.
func TestDirtyMemory(t *testing.T) {
	dev := dirtyDevice{host.New(host.Options{})}
	p, err := staticpool.Open(dev, good(), staticpool.Options{})
	require.NoError(t, err)
	s, err := dev.NewStream()
	require.NoError(t, err)
	b := make([]byte, abi.ControlSize)
	require.NoError(t, s.CopyToHost(b, p.Addr(abi.Offset(p.Layout().ControlOffset))))
	require.NoError(t, s.Synchronize())
	require.Equal(t, abi.Control{}, abi.ReadControl(b))
	require.NoError(t, errors.Join(s.Close(), p.Close(), dev.Close()))
}
