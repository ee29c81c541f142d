package streampool_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// The troubles that users of other pools had.

// TestPoolReachesItsMaximum: a pool that holds 256 bytes of at most 1024 gives 1024.
func TestPoolReachesItsMaximum(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 256})
	s := w.stream()
	p := w.pool(1024, keep)
	a := p.malloc(256, s)
	work(t, s, a)
	require.EqualValues(t, 256, p.Stats().Reserved)
	_, err := p.MallocAsync(1024, s)
	require.EqualError(t, err, "stream pool: out of memory: 1024 bytes asked for, the pool holds 256 of at most 1024, 256 in use, the largest free run is 0")
	p.free(a, s)
	a = p.malloc(1024, s)
	require.EqualValues(t, 1024, p.Stats().Reserved)
	p.free(a, s)
	_, err = p.MallocAsync(1025, s)
	require.EqualError(t, err, "stream pool: out of memory: 1025 bytes asked for (1280 rounded), more than the maximum of the pool, 1024")
}

// TestIdleStream: what a stream has freed that does nothing more is reached by others,
// without growth and without an error, whatever the policies.
func TestIdleStream(t *testing.T) {
	for policies := range 8 {
		w := newWorld(t, host.Options{}, streampool.Options{Region: 256})
		idle, busy := w.stream(), w.stream()
		p := w.pool(8192, keep,
			attr{kernels.PoolReuseFollowEventDependencies, uint64(policies & 1)},
			attr{kernels.PoolReuseAllowOpportunistic, uint64(policies >> 1 & 1)},
			attr{kernels.PoolReuseAllowInternalDependencies, uint64(policies >> 2)})
		var all []kernels.Addr
		for range 8 {
			a := p.malloc(1024, idle)
			work(t, idle, a)
			all = append(all, a)
		}
		for _, a := range all {
			p.free(a, idle)
		}
		for range 10 {
			all = all[:0]
			for range 4 {
				a := p.malloc(2048, busy)
				work(t, busy, a)
				all = append(all, a)
			}
			for _, a := range all {
				p.free(a, busy)
			}
		}
		require.EqualValues(t, 8192, p.Stats().ReservedHigh)
	}
}

// TestThresholdZeroCallsTheDriver: with the default threshold each synchronization
// gives the memory back, which costs two calls of the driver; with a threshold there
// are none.
func TestThresholdZeroCallsTheDriver(t *testing.T) {
	for _, c := range []struct {
		threshold     uint64
		allocs, frees int
	}{
		{0, 10, 10},
		{streampool.DefaultRegion - 1, 1, 1}, // a region goes back as a whole, and never more than is above
		{streampool.DefaultRegion, 1, 1},
		{math.MaxUint64, 1, 1},
	} {
		dev := &faulty{Device: host.New(host.Options{})}
		r, err := streampool.New(dev, streampool.Options{})
		require.NoError(t, err)
		s, err := r.NewStream()
		require.NoError(t, err)
		p, err := r.Create(props(0))
		require.NoError(t, err)
		require.NoError(t, p.SetAttr(kernels.PoolReleaseThreshold, c.threshold))
		for range 10 {
			a, err := p.MallocAsync(5000, s)
			require.NoError(t, err)
			work(t, s, a)
			require.NoError(t, p.FreeAsync(a, s))
			require.NoError(t, s.Synchronize())
		}
		require.NoError(t, p.Destroy())
		require.Equal(t, c.allocs, dev.count("Alloc"), "threshold %d", c.threshold)
		require.Equal(t, c.frees, dev.count("Free"), "threshold %d", c.threshold)
		require.NoError(t, s.Close())
		require.NoError(t, r.Close())
	}
}

// TestLargeAllocationsDoNotOvershoot: two of 8 GiB fit a device of 16 GiB, as they fit
// one of 32: nothing doubles.
func TestLargeAllocationsDoNotOvershoot(t *testing.T) {
	const gib = 1 << 30
	for _, device := range []uint64{32 * gib, 16 * gib} {
		w := newWorld(t, host.Options{Memory: device}, streampool.Options{})
		s := w.stream()
		p := w.pool(0, keep)
		a, b := p.malloc(8*gib, s), p.malloc(8*gib, s)
		require.EqualValues(t, 16*gib, p.Stats().ReservedHigh)
		p.free(a, s)
		p.free(b, s)
	}
}

// TestFullDevice: a free that waits for an event is waited for before an allocation
// fails, where the device is full as well as where the pool is.
func TestFullDevice(t *testing.T) {
	for _, full := range []string{"device", "pool"} {
		for policies := range 8 {
			w := newWorld(t, host.Options{Memory: 4096 * uint64(len(full)/4)}, streampool.Options{Region: 256})
			first, second, e := w.stream(), w.stream(), w.event()
			maxSize := uint64(0)
			if full == "pool" {
				maxSize = 4096
			}
			p := w.pool(maxSize, keep,
				attr{kernels.PoolReuseFollowEventDependencies, uint64(policies & 1)},
				attr{kernels.PoolReuseAllowOpportunistic, uint64(policies >> 1 & 1)},
				attr{kernels.PoolReuseAllowInternalDependencies, uint64(policies >> 2)})
			a, b := p.malloc(2048, first), p.malloc(2048, first)
			work(t, first, a)
			require.NoError(t, first.Record(e))
			require.NoError(t, second.Wait(e)) // the free stands behind an event
			work(t, second, a)
			p.free(a, second)
			third := w.stream()
			c := p.malloc(2000, third)
			require.Equal(t, a, c, full)
			require.EqualValues(t, 4096, p.Stats().ReservedHigh)
			_, err := p.MallocAsync(2048, third)
			require.ErrorIs(t, err, kernels.ErrOutOfMemory)
			p.free(b, third)
			p.free(c, third)
			p.free(p.malloc(4096, second), second) // two regions for one
		}
	}
}

// TestNearExhaustion: whatever the options, a pool with room for 16 pieces gives out
// 16 and not one more, again and again, and a failed allocation changes nothing.
func TestNearExhaustion(t *testing.T) {
	for policies := range 8 {
		for _, threshold := range []uint64{0, 2048, math.MaxUint64} {
			for _, region := range []uint64{1, 256, 1000, 1 << 20} {
				for _, limited := range []bool{false, true} {
					t.Run(fmt.Sprint(policies, threshold, region, limited), func(t *testing.T) {
						device, maxSize := uint64(16*256), uint64(0)
						if limited {
							device, maxSize = 0, device+100 // no multiple of the quantum
						}
						w := newWorld(t, host.Options{Memory: device}, streampool.Options{Region: region})
						p := w.pool(maxSize,
							attr{kernels.PoolReleaseThreshold, threshold},
							attr{kernels.PoolReuseFollowEventDependencies, uint64(policies & 1)},
							attr{kernels.PoolReuseAllowOpportunistic, uint64(policies >> 1 & 1)},
							attr{kernels.PoolReuseAllowInternalDependencies, uint64(policies >> 2)})
						streams := []kernels.Stream{w.stream(), w.stream()}
						for round := range 6 {
							s, other := streams[round%2], streams[1-round%2]
							var all []kernels.Addr
							for range 16 >> (round % 3) {
								a := p.malloc(200<<(round%3), s)
								work(t, s, a)
								all = append(all, a)
							}
							before := p.Stats()
							_, err := p.MallocAsync(1, other)
							require.ErrorIs(t, err, kernels.ErrOutOfMemory)
							require.Equal(t, before, p.Stats())
							require.Zero(t, before.Available())
							for _, a := range all {
								p.free(a, s)
							}
							if round%2 == 1 {
								require.NoError(t, s.Synchronize())
							}
						}
					})
				}
			}
		}
	}
}

// TestBadPointers: what is no allocation cannot be freed, and nothing happens.
func TestBadPointers(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p, q := w.pool(0, keep), w.pool(0, keep)
	a, b := p.malloc(1000, s), p.malloc(1000, s)
	other := q.malloc(1000, s)
	direct, err := w.Alloc(64)
	require.NoError(t, err)
	p.free(b, s)
	for _, c := range []struct {
		addr   kernels.Addr
		double bool
		text   string
	}{
		{b, true, "already free"},
		{b + 256, true, "already free"},
		{a + 256, false, "inside the allocation at"},
		{other, false, "not in this pool"},
		{direct, false, "not in this pool"},
		{0, false, "not in this pool"},
		{math.MaxUint64, false, "not in this pool"},
	} {
		err := p.FreeAsync(c.addr, s)
		require.ErrorIs(t, err, kernels.ErrBadAddress)
		require.ErrorContains(t, err, c.text)
		require.Equal(t, c.double, isDouble(err), "%v", err)
	}
	require.Equal(t, 1, p.Stats().Live)
	large := p.malloc(4<<20, s) // the start of a region
	require.ErrorIs(t, w.Free(large), kernels.ErrBadAddress, "it is the pool's")
	require.ErrorContains(t, w.Free(large), "stream-ordered pool")
	require.ErrorIs(t, w.Free(a), kernels.ErrBadAddress)
	p.free(large, s)
	p.free(a, s)
	require.ErrorIs(t, p.FreeAsync(a, s), streampool.ErrDoubleFree)
	q.free(other, s)
	require.NoError(t, w.Free(direct))
	require.NoError(t, s.Synchronize())
	require.NoError(t, p.TrimTo(0))
	require.ErrorContains(t, p.FreeAsync(a, s), "not in this pool")
}

// TestSizes: size 0 and sizes beyond all bounds.
func TestSizes(t *testing.T) {
	w := newWorld(t, host.Options{Memory: 1 << 20}, streampool.Options{})
	s := w.stream()
	p := w.pool(0, keep)
	_, err := p.MallocAsync(0, s)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{1<<20 + 1, 1 << 40, 1 << 63, math.MaxUint64 - 256, math.MaxUint64 - 255, math.MaxUint64 - 254, math.MaxUint64} {
		_, err := p.MallocAsync(size, s)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory, "%d", size)
		var full *streampool.OutOfMemoryError
		require.ErrorAs(t, err, &full, "%d", size)
		require.Equal(t, size, full.Size)
	}
	require.Equal(t, streampool.Stats{}, p.Stats())
	p.free(p.malloc(1<<20, s), s)
	require.EqualValues(t, 1<<20, p.Stats().Reserved)
}
