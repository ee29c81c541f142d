package kernels_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// shifted returns host memory that is aligned to nothing.
type shifted struct {
	kernels.Device
	by int
}

type shiftedMemory struct {
	kernels.HostMemory
	by int
}

func (d shifted) AllocHost(size uint64) (kernels.HostMemory, error) {
	m, err := d.Device.AllocHost(size + uint64(d.by))
	return shiftedMemory{m, d.by}, err
}

func (m shiftedMemory) Bytes() []byte { return m.HostMemory.Bytes()[m.by:] }

func TestAllocHostAligned(t *testing.T) {
	dev := host.New(host.Options{})
	for _, by := range []int{0, 1, 48, 255, 4095} {
		for _, align := range []uint64{1, 2, 64, 256, 1 << 14} {
			for _, size := range []uint64{1, 100, 1 << 16} {
				m, err := kernels.AllocHostAligned(shifted{dev, by}, size, align)
				require.NoError(t, err)
				b := m.Bytes()
				require.Len(t, b, int(size))
				require.Equal(t, int(size), cap(b))
				require.Zero(t, uintptr(unsafe.Pointer(&b[0]))%uintptr(align))
				b[size-1] = 1
				require.NoError(t, m.Free())
				require.Nil(t, m.Bytes())
				require.ErrorIs(t, m.Free(), kernels.ErrClosed)
			}
		}
	}
	for _, align := range []uint64{0, 3, 384} {
		_, err := kernels.AllocHostAligned(dev, 8, align)
		require.ErrorContains(t, err, "no power of two")
	}
	_, err := kernels.AllocHostAligned(dev, 0, 64)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{^uint64(0), ^uint64(0) - 62, ^uint64(0) - 63, 1 << 62} {
		_, err := kernels.AllocHostAligned(dev, size, 64)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	require.NoError(t, dev.Close())
}
