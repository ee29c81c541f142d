//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// Memory of a pool is memory of the device until it is freed, and then of nobody.
func TestPoolMemory(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, other, e := newStream(t, d), newStream(t, d), newEvent(t, d)
	p := newPool(t, d)
	calls := f.count("fake_calls")
	a, err := p.MallocAsync(100, s)
	require.NoError(t, err)
	require.True(t, s.busy)
	require.Equal(t, []string{"cuMemAllocFromPoolAsync 100 pool1 stream1"}, f.since(calls))
	require.Equal(t, 1, d.Live().Allocs)
	got := make([]byte, 100)
	require.NoError(t, s.Memset(a, 7, 100))
	require.ErrorIs(t, s.Memset(a, 7, 101), kernels.ErrOutOfBounds)
	require.NoError(t, s.CopyToHost(got, a))
	require.NoError(t, s.Record(e))
	require.NoError(t, other.Wait(e))
	require.NoError(t, other.Synchronize())
	require.False(t, other.busy)
	calls = f.count("fake_calls")
	require.NoError(t, p.FreeAsync(a, other))
	require.True(t, other.busy)
	require.Equal(t, []string{"cuMemFreeAsync device1 stream2"}, f.since(calls))
	require.ErrorIs(t, s.Memset(a, 7, 1), kernels.ErrBadAddress)
	require.ErrorIs(t, p.FreeAsync(a, other), kernels.ErrBadAddress)
	require.Zero(t, d.Live().Allocs)
	require.Equal(t, byte(7), got[99])

	// The stream that has freed it has the address again at once.
	b, err := p.MallocAsync(100, other)
	require.NoError(t, err)
	require.Equal(t, a, b)
	require.NoError(t, other.Memset(b, 8, 100))
	require.NoError(t, p.FreeAsync(b, other))
	require.NoError(t, p.Destroy(), "a free that is queued is no obstacle")
	require.NoError(t, other.Synchronize())
}

// What cannot be right never reaches the driver.
func TestPoolRefused(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	foreignDevice, err := Open(0, f.opts())
	require.NoError(t, err)
	theirs, err := foreignDevice.NewStream()
	require.NoError(t, err)
	s, closed, origin, joined := newStream(t, d), newStream(t, d), newStream(t, d), newStream(t, d)
	require.NoError(t, closed.Close())
	p, second, destroyed := newPool(t, d), newPool(t, d), newPool(t, d)
	require.NoError(t, destroyed.Destroy())
	plain := alloc(t, d, 64)
	a, err := p.MallocAsync(64, s)
	require.NoError(t, err)
	freed, err := p.MallocAsync(32, s)
	require.NoError(t, err)
	require.NoError(t, p.FreeAsync(freed, s))
	e := newEvent(t, d)
	require.NoError(t, origin.BeginCapture())
	require.NoError(t, origin.Record(e))
	require.NoError(t, joined.Wait(e))
	calls := f.count("fake_calls")

	_, err = p.MallocAsync(0, s)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{8<<30 + 1, 1 << 63, ^uint64(0)} {
		_, err = p.MallocAsync(size, s)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	}
	for _, test := range []struct {
		name string
		pool *pool
		on   kernels.Stream
		want error
	}{
		{"no stream", p, nil, kernels.ErrForeign},
		{"no stream of CUDA", p, struct{ kernels.Stream }{s}, kernels.ErrForeign},
		{"stream of another device", p, theirs, kernels.ErrForeign},
		{"closed stream", p, closed, kernels.ErrClosed},
		{"destroyed pool", destroyed, s, kernels.ErrClosed},
	} {
		_, err := test.pool.MallocAsync(1, test.on)
		require.ErrorIs(t, err, test.want, test.name)
		require.ErrorIs(t, test.pool.FreeAsync(a, test.on), test.want, test.name)
	}
	for _, s := range []*Stream{origin, joined} {
		_, err := p.MallocAsync(1, s)
		require.ErrorContains(t, err, "being captured")
		require.ErrorContains(t, p.FreeAsync(a, s), "being captured")
	}
	for _, addr := range []kernels.Addr{0, a + 1, a + 63, a + 64, freed, plain, ^kernels.Addr(0)} {
		require.ErrorIs(t, p.FreeAsync(addr, s), kernels.ErrBadAddress, addr)
	}
	require.ErrorIs(t, second.FreeAsync(a, s), kernels.ErrBadAddress)
	require.ErrorIs(t, d.Free(a), kernels.ErrBadAddress)
	require.ErrorIs(t, destroyed.Destroy(), kernels.ErrClosed)
	require.ErrorIs(t, destroyed.TrimTo(0), kernels.ErrClosed)
	require.Equal(t, calls, f.count("fake_calls"))

	require.NoError(t, endCapture(t, origin).Close())
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, theirs.Close())
	require.NoError(t, foreignDevice.Close())
}

// Goroutines with a stream each share a pool. Run with -race.
func TestPoolConcurrent(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	p := newPool(t, d)
	f.call("fake_quiet")
	var wg sync.WaitGroup
	for w := range byte(8) {
		s := newStream(t, d)
		wg.Go(func() {
			got := make([]byte, 8)
			for i := range uint64(20) {
				a, err := p.MallocAsync(64+i%3, s)
				if err := p.Destroy(); !errors.Is(err, kernels.ErrInUse) {
					t.Errorf("destroyed in use: %v", err)
				}
				if err == nil {
					err = errors.Join(s.Memset(a, w, 64), s.CopyToHost(got, a+56), p.FreeAsync(a, s), s.Synchronize())
				}
				if err != nil || got[7] != w {
					t.Errorf("worker %d: found %d: %v", w, got[7], err)
				}
			}
		})
	}
	wg.Wait()
}

// Of those who destroy a pool and take memory from it at the same time one is refused.
func TestPoolDestroyRace(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s := newStream(t, d)
	f.call("fake_quiet")
	for range 200 {
		p := newPool(t, d)
		destroyed := make(chan error)
		go func() { destroyed <- p.Destroy() }()
		a, err := p.MallocAsync(1, s)
		if err != nil {
			require.ErrorIs(t, err, kernels.ErrClosed)
			require.NoError(t, <-destroyed)
			continue
		}
		require.ErrorIs(t, <-destroyed, kernels.ErrInUse)
		require.NoError(t, p.FreeAsync(a, s))
		require.NoError(t, p.Destroy())
	}
}
