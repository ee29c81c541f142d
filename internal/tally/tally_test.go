package tally_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

func TestCounts(t *testing.T) {
	raw := host.New(host.Options{})
	dev := tally.New(raw)
	fill, err := dev.Kernel(kernels.Fill)
	require.NoError(t, err)
	mem, err := dev.Alloc(64)
	require.NoError(t, err)
	_, err = dev.Alloc(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	require.EqualValues(t, 1, dev.Allocations(), "those that were given")

	// Each stream belongs to a goroutine of its own.
	var streams [2]kernels.Stream
	for i := range streams {
		streams[i], err = dev.NewStream()
		require.NoError(t, err)
	}
	buffer := make([]byte, 2*8)
	var wg sync.WaitGroup
	for i, s := range streams {
		wg.Go(func() {
			b := buffer[8*i:][:8]
			_ = s.Launch(fill, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(mem), 0, 32 * uint64(i), 0, 8, 1})
			_ = s.CopyToHost(b[:5], mem+kernels.Addr(32*i))
			_ = s.Synchronize()
			_ = s.CopyToDevice(mem+kernels.Addr(32*i), b)
			_ = s.Synchronize()
		})
	}
	wg.Wait()
	want := tally.Tally{Waits: 4, Launches: 2, CopiesToHost: 2, BytesToHost: 10, CopiesToDevice: 2, BytesToDevice: 16}
	require.Equal(t, want, dev.Total())

	// The host waits for an event too, but the device does that alone.
	e, err := dev.NewEvent()
	require.NoError(t, err)
	require.NoError(t, streams[0].Record(e))
	require.NoError(t, streams[1].Wait(e))
	require.NoError(t, e.Synchronize())
	done, err := e.Query()
	require.NoError(t, err)
	require.True(t, done)
	want.Waits++
	require.Equal(t, want, dev.Total())

	dev.Reset()
	require.Equal(t, tally.Tally{}, dev.Total())
	require.EqualValues(t, 1, dev.Allocations())
	require.NoError(t, e.Close())
	for _, s := range streams {
		require.NoError(t, s.Close())
	}
	require.NoError(t, dev.Free(mem))
	require.NoError(t, dev.Close())
	require.Equal(t, host.Live{}, raw.Live())
}

// pooled is a device with a pool of its driver.
type pooled struct {
	*host.Device
	pool driverPool
}

func (d *pooled) NewPool(kernels.PoolProps) (kernels.Pool, error) { return &d.pool, nil }

type driverPool struct {
	kernels.Pool
	streams []kernels.Stream
	err     error
}

func (p *driverPool) MallocAsync(_ uint64, s kernels.Stream) (kernels.Addr, error) {
	p.streams = append(p.streams, s)
	return 1, p.err
}

func (p *driverPool) FreeAsync(_ kernels.Addr, s kernels.Stream) error {
	p.streams = append(p.streams, s)
	return p.err
}

// TestPoolsOfDrivers get the streams of their device.
func TestPoolsOfDrivers(t *testing.T) {
	raw := &pooled{Device: host.New(host.Options{})}
	dev := tally.New(raw)
	s, err := dev.NewStream()
	require.NoError(t, err)
	p, err := dev.NewPool(kernels.PoolProps{})
	require.NoError(t, err)
	addr, err := p.MallocAsync(8, s)
	require.NoError(t, err)
	require.NoError(t, p.FreeAsync(addr, s))
	require.Len(t, raw.pool.streams, 2)
	for _, got := range raw.pool.streams {
		require.NotSame(t, s, got, "not the one that counts")
	}
	raw.pool.err = kernels.ErrOutOfMemory
	_, err = p.MallocAsync(8, s)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.EqualValues(t, 1, dev.Allocations())

	_, err = tally.New(raw.Device).NewPool(kernels.PoolProps{})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
}
