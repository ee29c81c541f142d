package blockpool_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/kernels/host"
)

func TestSizeZeroAndOverflow(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 4096})
	_, err := pool.AllocateBlock(0)
	require.ErrorIs(t, err, kernels.ErrZeroSize)
	for _, size := range []uint64{math.MaxUint64, math.MaxUint64 - 30, math.MaxUint64 - 62} {
		_, err = pool.AllocateBlock(size)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory, "%d", size)
		require.ErrorIs(t, err, checked.ErrOverflow, "%d", size)
		var full *blockpool.OutOfMemoryError
		require.ErrorAs(t, err, &full, "%d", size)
		require.Equal(t, size, full.Requested)
	}
	require.EqualValues(t, uint64(math.MaxUint64-31), mustSize(t, math.MaxUint64-63))
	full(t, pool, math.MaxUint64-63)
	require.Zero(t, pool.Stats().Blocks)
}

func TestDoubleFreeAndForeign(t *testing.T) {
	pool, other := newPool(t, blockpool.Options{Size: 4096}), newPool(t, blockpool.Options{Size: 4096})
	a, b := alloc(t, pool, 100), alloc(t, other, 100)
	free(t, pool, a)
	require.ErrorIs(t, pool.FreeBlock(a.ID), blockpool.ErrDoubleFree)
	for _, id := range []blockpool.ID{b.ID, 0, -1, math.MaxInt64, math.MinInt64, a.ID + 1} {
		err := pool.FreeBlock(id)
		require.ErrorIs(t, err, kernels.ErrForeign, "%d", id)
		require.NotErrorIs(t, err, blockpool.ErrDoubleFree)
		_, err = pool.BlockPtr(id)
		require.ErrorIs(t, err, kernels.ErrForeign, "%d", id)
	}
	c := alloc(t, pool, 100) // in the place of a
	require.Equal(t, a.Address, c.Address)
	require.ErrorIs(t, pool.FreeBlock(a.ID), blockpool.ErrDoubleFree)
	_, err := pool.Block(a.ID)
	require.ErrorIs(t, err, blockpool.ErrFreed)
	free(t, pool, c)
	free(t, other, b)
	require.EqualError(t, pool.FreeBlock(-3), "block -3: object belongs to another device or is closed")
}

// Ids that were freed are told from foreign ones also after very many, of which two
// pools take turns.
func TestOldIDs(t *testing.T) {
	a, b := newPool(t, blockpool.Options{Size: 4096}), newPool(t, blockpool.Options{Size: 4096})
	var ofA, ofB []blockpool.ID
	for range 10_000 {
		x, y := alloc(t, a, 1), alloc(t, b, 1)
		free(t, a, x)
		free(t, b, y)
		ofA, ofB = append(ofA, x.ID), append(ofB, y.ID)
	}
	for i := range ofA {
		require.ErrorIs(t, a.FreeBlock(ofA[i]), blockpool.ErrDoubleFree)
		require.ErrorIs(t, a.FreeBlock(ofB[i]), kernels.ErrForeign)
		require.ErrorIs(t, b.FreeBlock(ofB[i]), blockpool.ErrDoubleFree)
		require.ErrorIs(t, b.FreeBlock(ofA[i]), kernels.ErrForeign)
	}
}

func TestTrim(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 1024, Expand: 1024})
	a, b, c := alloc(t, pool, 992), alloc(t, pool, 992), alloc(t, pool, 992)
	free(t, pool, a, c)
	s := pool.Stats()
	require.Equal(t, []uint64{2048, 3072, 2048}, []uint64{s.Trimmable, s.Reserved, s.Available()})
	require.Equal(t, 2, s.FreeRegions)
	released, err := pool.Trim()
	require.NoError(t, err)
	require.EqualValues(t, 2048, released)
	require.Equal(t, []call{{true, c.Address, 1024}, {true, a.Address, 1024}}, d.calls[3:])
	released, err = pool.Trim()
	require.NoError(t, err)
	require.Zero(t, released, "the region of b is in use")
	for _, id := range []blockpool.ID{a.ID, c.ID} { // use after trim
		_, err = pool.BlockPtr(id)
		require.ErrorIs(t, err, blockpool.ErrFreed)
		require.ErrorIs(t, pool.FreeBlock(id), blockpool.ErrDoubleFree)
	}
	free(t, pool, b)
	_, err = pool.Trim()
	require.NoError(t, err)
	s = pool.Stats()
	require.Equal(t, []uint64{0, 3072, 0}, []uint64{s.Reserved, s.ReservedHigh, s.Free})
	d.calls = nil
	free(t, pool, alloc(t, pool, 992)) // an empty pool grows again
	require.Equal(t, []call{{size: 1024}}, d.calls)
}

func TestClose(t *testing.T) {
	dev := newDevice(t, 0)
	pool, err := blockpool.New(dev, blockpool.Options{Size: 4096})
	require.NoError(t, err)
	a, b := alloc(t, pool, 100), alloc(t, pool, 100)
	err = pool.Close()
	require.ErrorIs(t, err, kernels.ErrInUse)
	require.EqualError(t, err, "block pool: still in use: 2 blocks of 320 bytes")
	c := alloc(t, pool, 100) // it is still open
	free(t, pool, a, b, c)
	require.NoError(t, pool.Close())
	require.Equal(t, host.Live{}, dev.Live())

	require.ErrorIs(t, pool.Close(), kernels.ErrClosed)
	_, err = pool.AllocateBlock(1)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, pool.FreeBlock(a.ID), kernels.ErrClosed)
	_, err = pool.BlockPtr(a.ID)
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = pool.Trim()
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.EqualValues(t, 4096, pool.Stats().ReservedHigh)
}

func TestBadOptions(t *testing.T) {
	d := newDriver()
	for _, o := range []blockpool.Options{{Size: 1}, {Size: 63}, {Size: 4096, Limit: 4095}} {
		_, err := blockpool.New(d, o)
		require.ErrorIs(t, err, blockpool.ErrOptions)
	}
	for _, align := range []uint64{0, 1, 32, 96} {
		d.info.BaseAlign = align
		_, err := blockpool.New(d, blockpool.Options{Size: 4096})
		require.ErrorIs(t, err, kernels.ErrNotSupported)
	}
	require.Empty(t, d.calls)

	// A device that does not keep what it says about its addresses.
	d.info.BaseAlign = 64
	d.next += 32
	_, err := blockpool.New(d, blockpool.Options{Size: 4096})
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "a region at 0x100020, which is no multiple of 64")
	require.Empty(t, d.live)

	_, err = blockpool.New(newDevice(t, 1000), blockpool.Options{Size: 4096})
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
}

func TestOutOfMemoryTexts(t *testing.T) {
	const head = "block pool: out of memory: a block of "
	for _, c := range []struct {
		err  blockpool.OutOfMemoryError
		want string
	}{
		{
			blockpool.OutOfMemoryError{Requested: 1024, Wanted: 1056, Limit: 1024, Reserved: 256},
			"1056 bytes (1024 asked for) is larger than the limit of the pool, 1024",
		},
		{
			blockpool.OutOfMemoryError{Requested: 480, Wanted: 512, Limit: 1024, Reserved: 1024, Used: 960, Free: 64, LargestFree: 64},
			"512 bytes (480 asked for): the pool holds 1024 of at most 1024, 960 in use, the largest free piece is 64",
		},
		{
			blockpool.OutOfMemoryError{Requested: 480, Wanted: 512, Limit: 1024, Reserved: 1024, Used: 384, Free: 640, LargestFree: 320},
			"512 bytes (480 asked for): the pool holds 1024 of at most 1024, 384 in use, the largest free piece is 320" +
				"; 640 bytes are free, but not in one piece: a larger first region helps",
		},
		{
			blockpool.OutOfMemoryError{
				Requested: 480, Wanted: 512, Limit: 1024, Reserved: 1024, Used: 384, Free: 640, LargestFree: 320,
				Trimmable: 640, FreeRegions: 2,
			},
			"512 bytes (480 asked for): the pool holds 1024 of at most 1024, 384 in use, the largest free piece is 320" +
				"; 640 bytes lie in 2 regions that are free, none large enough: Trim gives them back",
		},
		{
			blockpool.OutOfMemoryError{
				Requested: 480, Wanted: 512, Reserved: 256, Free: 256, LargestFree: 256, Trimmable: 256, FreeRegions: 1,
				Cause: errors.New("a region of 512 bytes: out of memory"),
			},
			"512 bytes (480 asked for): the pool holds 256, 0 in use, the largest free piece is 256: a region of 512 bytes: out of memory" +
				"; 256 bytes lie in 1 region that is free, none large enough: Trim gives them back",
		},
	} {
		require.EqualError(t, &c.err, head+c.want)
		require.ErrorIs(t, &c.err, kernels.ErrOutOfMemory)
		require.Equal(t, c.err.Cause != nil, errors.Is(&c.err, c.err.Cause))
	}
}

// What the advice of an error says is true.
func TestTrimHelps(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 256, Expand: 256, Limit: 1024})
	a, b, c := alloc(t, pool, 224), alloc(t, pool, 224), alloc(t, pool, 224)
	free(t, pool, a, b)
	oom := full(t, pool, 480)
	require.Equal(t, []uint64{512, 512}, []uint64{oom.Wanted, oom.Trimmable})
	require.ErrorContains(t, oom, "512 bytes lie in 2 regions that are free, none large enough: Trim gives them back")
	_, err := pool.Trim()
	require.NoError(t, err)
	a = alloc(t, pool, 480)
	free(t, pool, a, c)
}
