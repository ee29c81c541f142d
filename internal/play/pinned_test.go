package play

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/host"
)

// TestPinned: what was taken does not move, and the next batch finds room.
func TestPinned(t *testing.T) {
	dev := host.New(host.Options{})
	p := pinned{dev: dev, align: 64}
	var all [][]byte
	for _, size := range []uint64{0, 1, 64, 65, 100_000, 1, 60_000, 200_000} {
		mem, err := p.take(size)
		require.NoError(t, err)
		require.NotNil(t, mem)
		require.Len(t, mem, int(size))
		require.Equal(t, int((size+63)&^63), cap(mem), "room for what takes it over")
		if size > 0 {
			require.Zero(t, uintptr(unsafe.Pointer(&mem[0]))%64)
		}
		for i := range mem {
			mem[i] = byte(len(all))
		}
		all = append(all, mem)
	}
	for i, mem := range all {
		for _, b := range mem {
			if int(b) != i {
				t.Fatalf("memory %d was overwritten", i)
			}
		}
	}
	pieces := len(p.pieces)
	require.Greater(t, pieces, 1)
	for range 10 {
		p.reset()
		for range 3 {
			_, err := p.take(60_000)
			require.NoError(t, err)
		}
	}
	require.Len(t, p.pieces, pieces)
	_, err := p.take(^uint64(0))
	require.Error(t, err)
	require.NoError(t, p.close())
	require.NoError(t, dev.Close())
}
