package blockpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// The tests of this file are troubles that other pools are known for.

// A pool of 256 bytes with a limit of 1024 gives a block of 1024 bytes, or says why.
func TestPoolGrowsToItsLimit(t *testing.T) {
	d, waits := newDriver(), 0
	pool := newDriverPool(t, d, blockpool.Options{Size: 256, Limit: 1024, Wait: func() error { waits++; return nil }})
	_, err := pool.AllocateBlock(1024)
	require.EqualError(t, err, "block pool: out of memory: a block of 1056 bytes (1024 asked for) is larger than the limit of the pool, 1024")
	require.Zero(t, waits)
	b := alloc(t, pool, 992)
	require.EqualValues(t, 1024, b.Size)
	require.Equal(t, 1, waits)
	s := pool.Stats()
	require.Equal(t, []uint64{1024, 1024, 1}, []uint64{s.Reserved, s.ReservedHigh, s.Waits})
	free(t, pool, b)
}

// The same without Wait: the region of 256 bytes stays, and the error says what helps.
func TestPoolAtItsLimitWithoutWait(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 256, Limit: 1024})
	_, err := pool.AllocateBlock(992)
	require.EqualError(t, err, "block pool: out of memory: a block of 1024 bytes (992 asked for): the pool holds 256 of at most 1024, 0 in use"+
		", the largest free piece is 256; 256 bytes lie in 1 region that is free, none large enough: Trim gives them back")
	free(t, pool, alloc(t, pool, 736))
	require.Equal(t, []call{{size: 256}, {size: 768}}, d.calls)
}

// What one user has freed is there for the other, while the first is idle.
func TestFreeMemoryIsShared(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1024, Limit: 1024})
	for range 3 {
		idle := blockpool.NewWorkspace(pool)
		at := need(t, idle, 992)
		require.NoError(t, idle.Close())
		busy := blockpool.NewWorkspace(pool)
		require.Equal(t, at, need(t, busy, 992))
		require.NoError(t, busy.Close())
	}
}

// A loop of allocation and free calls the driver once.
func TestDriverCallsInALoop(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{})
	for range 1000 {
		free(t, pool, alloc(t, pool, 4096))
	}
	s := pool.Stats()
	require.Equal(t, []uint64{1, 999, 1, 0}, []uint64{s.Expanded, s.Carved + s.Hits, s.DriverAllocs, s.DriverFrees})
}

// 2 x 8 GB of 32 GB: the pool takes what is needed, and no more than Expand otherwise.
func TestGrowthDoesNotOvershoot(t *testing.T) {
	const gib = 1 << 30
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Expand: gib, Limit: 16*gib + 64})
	a, b := alloc(t, pool, 8*gib), alloc(t, pool, 8*gib)
	require.Equal(t, []call{{size: 8*gib + 32}, {size: 8*gib + 32}}, d.calls)
	full(t, pool, 1)
	free(t, pool, a, b)
}

// The device has less than Expand: the pool is content with what it needs.
func TestDeviceHasLessThanExpand(t *testing.T) {
	pool := newPoolOn(t, newDevice(t, 10_000), blockpool.Options{Size: 4096, Expand: 1 << 20})
	a, b := alloc(t, pool, 4000), alloc(t, pool, 4000)
	require.Equal(t, 2, pool.Stats().Regions)
	require.EqualValues(t, 3, pool.Stats().DriverAllocs)
	oom := full(t, pool, 4000)
	require.ErrorContains(t, oom.Cause, "a region of 4032 bytes: out of memory")
	free(t, pool, a, b)
}

// A full device, and free memory of the pool that work may still be using.
func TestFullDeviceWithPendingWork(t *testing.T) {
	dev := newDevice(t, 1<<16)
	event, err := dev.NewEvent()
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	pool := newPoolOn(t, dev, blockpool.Options{Size: 1 << 15, Expand: 1 << 14, Wait: func() error { return event.Synchronize() }})
	a, b := alloc(t, pool, 1<<15-32), alloc(t, pool, 1<<14)
	require.NoError(t, stream.Memset(b.Address, 7, 1<<14)) // fails if the memory is gone when it runs
	require.NoError(t, stream.Record(event))
	free(t, pool, b)
	c := alloc(t, pool, 1<<15-64)
	require.EqualValues(t, 1, pool.Stats().Waits)
	require.NoError(t, stream.Synchronize())
	free(t, pool, a, c)
	require.NoError(t, stream.Close())
	require.NoError(t, event.Close())
}

// What is freed during a wait may be used by work that the wait does not cover.
func TestWaitCoversOnlyWhatWasFreedBefore(t *testing.T) {
	d := newDriver()
	wait := func() error { return nil }
	pool := newDriverPool(t, d, blockpool.Options{Expand: 1024, Limit: 2048, Wait: func() error { return wait() }})
	early, late := alloc(t, pool, 992), alloc(t, pool, 992)
	free(t, pool, early)
	wait = func() error { return pool.FreeBlock(late.ID) }
	_, err := pool.AllocateBlock(2016)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.Equal(t, []call{{true, early.Address, 1024}}, d.calls[2:])

	wait = func() error { return nil } // the next one does
	b := alloc(t, pool, 2016)
	require.Equal(t, []call{{true, late.Address, 1024}, {size: 2048}}, d.calls[3:])
	free(t, pool, b)
}

// The same where the region of a workspace would go back, on either side of it.
func TestWaitCoversOnlyTheWorkspace(t *testing.T) {
	for _, below := range []bool{false, true} {
		d := newDriver()
		var pool *blockpool.Pool
		var late blockpool.Block
		pool = newDriverPool(t, d, blockpool.Options{Size: 1024, Limit: 1024 + 512, Wait: func() error { return pool.FreeBlock(late.ID) }})
		w := newWorkspace(t, pool)
		if below {
			late = alloc(t, pool, 480)
		}
		need(t, w, 480)
		if !below {
			late = alloc(t, pool, 480)
		}
		old := w.Block()
		_, err := w.Require(1200)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
		require.Equal(t, old, w.Block())
		require.Len(t, d.calls, 1)
	}
}

func TestWaitFails(t *testing.T) {
	broken := errors.New("broken")
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 256, Limit: 1024, Wait: func() error { return broken }})
	_, err := pool.AllocateBlock(992)
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, kernels.ErrOutOfMemory)
	free(t, pool, alloc(t, pool, 100))
	require.Len(t, d.calls, 1)
}

// Wait may use the pool, even close it.
func TestCloseDuringWait(t *testing.T) {
	d := newDriver()
	var pool *blockpool.Pool
	pool, err := blockpool.New(d, blockpool.Options{Size: 256, Limit: 1024, Wait: func() error { return pool.Close() }})
	require.NoError(t, err)
	_, err = pool.AllocateBlock(992)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.Empty(t, d.live)
}

func TestAvailableNeverWraps(t *testing.T) {
	require.Zero(t, blockpool.Stats{Reserved: 5, Used: 7}.Available())
	pool := newPool(t, blockpool.Options{})
	require.Zero(t, pool.Stats().Available())
	b := alloc(t, pool, 64) // a region of 96 bytes
	require.Zero(t, pool.Stats().Available())
	free(t, pool, b)
	require.EqualValues(t, 96, pool.Stats().Available())
}
