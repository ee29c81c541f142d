package blockpool_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// The tests of this file are the rows of the table in docs/block-pool.md.

func TestOneRegionManyGranularities(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 1 << 20})
	require.Equal(t, []call{{size: 1 << 20}}, d.calls)
	var blocks []blockpool.Block
	end := kernels.Addr(1 << 20)
	for _, size := range []uint64{1, 32, 33, 1000, 4096, 100_000, 7} {
		b := alloc(t, pool, size)
		require.Equal(t, (end+63)&^63, b.Address)
		end = b.Address + kernels.Addr(b.Size)
		blocks = append(blocks, b)
	}
	require.LessOrEqual(t, end, kernels.Addr(2<<20))
	free(t, pool, blocks...)
	require.Len(t, d.calls, 1)
}

func TestBlockStruct(t *testing.T) {
	typ := reflect.TypeFor[blockpool.Block]()
	require.Equal(t, 3, typ.NumField())
	require.Equal(t, reflect.Int64, typ.Field(0).Type.Kind())  // int64_t blockId
	require.Equal(t, reflect.Uint64, typ.Field(1).Type.Kind()) // size_t blockSize
	require.Equal(t, reflect.TypeFor[kernels.Addr](), typ.Field(2).Type)
	require.Zero(t, blockpool.Block{}.Address) // void *address = nullptr

	pool := newPool(t, blockpool.Options{Size: 4096})
	b := alloc(t, pool, 100)
	require.Positive(t, b.ID)
	require.EqualValues(t, 160, b.Size)
	require.NotZero(t, b.Address)
	free(t, pool, b)
}

func TestThreeMethods(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 4096})
	id, err := pool.AllocateBlock(1000)
	require.NoError(t, err)
	addr, err := pool.BlockPtr(id)
	require.NoError(t, err)
	b, err := pool.Block(id)
	require.NoError(t, err)
	require.Equal(t, blockpool.Block{ID: id, Size: 1056, Address: addr}, b)
	require.NoError(t, pool.FreeBlock(id))
	_, err = pool.BlockPtr(id)
	require.ErrorIs(t, err, blockpool.ErrFreed)
}

// Ids of all pools come from one place, whatever is freed and used again.
func TestIDsAreUnique(t *testing.T) {
	a, b := newPool(t, blockpool.Options{Size: 4096}), newPool(t, blockpool.Options{Size: 4096})
	seen := make(map[blockpool.ID]bool)
	for i := range 5000 {
		pool := a
		if i%3 == 0 {
			pool = b
		}
		block := alloc(t, pool, 1000)
		require.False(t, seen[block.ID])
		seen[block.ID] = true
		free(t, pool, block)
	}
}

// Of several free blocks the best fit is used, and used whole if what would be left
// holds no block.
func TestFreeBlockFirst(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1 << 16})
	var blocks, keep []blockpool.Block
	for _, size := range []uint64{2000, 500, 1000, 900} {
		blocks = append(blocks, alloc(t, pool, size))
		keep = append(keep, alloc(t, pool, 1)) // so that free blocks are no neighbours
	}
	free(t, pool, blocks...)
	for _, c := range []struct{ size, from uint64 }{
		{481, 500}, // 544 bytes: the same size
		{930, 1000},
		{880, 900},
		{1500, 2000},
	} {
		b := alloc(t, pool, c.size)
		for _, old := range blocks {
			if old.Address == b.Address {
				require.Equal(t, old.Size, mustSize(t, c.from))
				require.NotEqual(t, old.ID, b.ID)
			}
		}
		keep = append(keep, b)
	}
	s := pool.Stats()
	require.EqualValues(t, 4, s.Hits)
	require.EqualValues(t, 8, s.Carved)
	free(t, pool, keep...)
}

func mustSize(t testing.TB, size uint64) uint64 {
	t.Helper()
	n, err := blockpool.BlockSize(size)
	require.NoError(t, err)
	return n
}

// Of a free block that is larger, the rest serves further blocks.
func TestFreeBlockIsSplit(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1 << 16})
	big, keep := alloc(t, pool, 4096-32), alloc(t, pool, 1)
	free(t, pool, big)
	a := alloc(t, pool, 33)   // 96 bytes: the last 128, so that it starts at a multiple of 64
	b := alloc(t, pool, 1000) // 1056
	require.Equal(t, big.Address+4096-128, a.Address)
	require.EqualValues(t, 96, a.Size)
	require.Equal(t, a.Address-1088, b.Address)
	require.EqualValues(t, 2, pool.Stats().Hits)
	free(t, pool, a, b, keep)

	// What is left and can hold no block stays with it, wherever that is cut.
	for _, c := range []struct{ region, size, left uint64 }{
		{1 << 15, 4064, 0},
		{1 << 15, 4032, 0},
		{1 << 15, 4001, 0},
		{1 << 15, 4000, 64},
		{1 << 15, 3968, 64},
		{1 << 17, 4064, 0},
		{1 << 17, 4032, 0},
		{1 << 17, 4001, 0},
		{1 << 17, 4000, 64},
		{1 << 17, 3968, 64},
	} {
		pool := newPool(t, blockpool.Options{Size: c.region})
		big, keep := alloc(t, pool, 4096-32), alloc(t, pool, 1)
		free(t, pool, big)
		before := pool.Stats().Free
		a := alloc(t, pool, c.size)
		at := big.Address
		if c.region == 1<<17 {
			at += kernels.Addr(c.left)
		}
		require.Equal(t, at, a.Address, "%d", c.size)
		require.Equal(t, before-4096+c.left, pool.Stats().Free, "%d", c.size)
		free(t, pool, a, keep)
	}
}

// Small blocks are cut from the end of freed memory, those of a sixteenth of the regions
// or more from its start, so that the large ones can become one piece again.
func TestSmallBlocksAreCutFromTheEnd(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1 << 16})
	hole, keep := alloc(t, pool, 1<<15-32), alloc(t, pool, 1)
	free(t, pool, hole)
	small := alloc(t, pool, 4096-64) // 4064 bytes
	require.Equal(t, hole.Address+1<<15-4096, small.Address)
	large := alloc(t, pool, 4096-32)
	require.Equal(t, hole.Address, large.Address)
	between := alloc(t, pool, 1<<15-2*4096-32)
	require.Equal(t, hole.Address+4096, between.Address)
	require.EqualValues(t, 3, pool.Stats().Hits)

	// What remains of a region is always cut from its start.
	rest := alloc(t, pool, 1)
	require.Equal(t, keep.Address+64, rest.Address)
	free(t, pool, small, large, between, keep, rest)
	require.EqualValues(t, 1<<16, pool.Stats().LargestFree)
}

// The start of what remains is aligned to 64 bytes, and sizes are rounded to 32n + 32.
func TestRemainingSpace(t *testing.T) {
	for size, want := range map[uint64]uint64{
		1: 64, 31: 64, 32: 64, 33: 96, 64: 96, 65: 128, 100: 160, 992: 1024, 1000: 1056, 1024: 1056, 1 << 33: 1<<33 + 32,
	} {
		require.Equal(t, want, mustSize(t, size), "%d", size)
	}
	pool := newPool(t, blockpool.Options{Size: 1 << 16})
	var blocks []blockpool.Block
	for i, at := range []kernels.Addr{0, 128, 256, 384} {
		b := alloc(t, pool, 64) // 96 bytes
		blocks = append(blocks, b)
		require.Equal(t, at, b.Address-blocks[0].Address, "%d", i)
		require.Zero(t, b.Address%64)
	}
	s := pool.Stats()
	require.EqualValues(t, 4, s.Carved)
	require.EqualValues(t, 4*96, s.Used)
	require.EqualValues(t, 4*64, s.Requested)
	require.EqualValues(t, 1<<16-4*128, s.Free)
	free(t, pool, blocks...)
}

// The last bytes of a region are used, also where it does not end at a multiple of 64.
func TestRegionToItsEnd(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 128 + 96, Limit: 128 + 96})
	a, b := alloc(t, pool, 64), alloc(t, pool, 64)
	require.Equal(t, a.Address+128, b.Address)
	require.Zero(t, pool.Stats().Free)
	full(t, pool, 1)
	free(t, pool, a, b)
	require.EqualValues(t, 224, pool.Stats().LargestFree)
}

// What remains of several regions: the smallest that is large enough.
func TestRemainingOfSeveralRegions(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 4096, Expand: 1024})
	a := alloc(t, pool, 3000) // leaves 1056 of the first
	b := alloc(t, pool, 2016) // the second is exactly full
	c := alloc(t, pool, 1056) // a third of 1088: full
	d := alloc(t, pool, 512)  // 544 of the first
	require.Equal(t, a.Address+3072, d.Address)
	e := alloc(t, pool, 700) // a fourth of 1024, 256 are left
	f := alloc(t, pool, 100) // 160: the fourth, not the 480 of the first
	require.Equal(t, e.Address+768, f.Address)
	require.Equal(t, 4, pool.Stats().Regions)
	free(t, pool, a, b, c, d, e, f)
}

// Free neighbours become one, in whatever order they are freed, so that a block finds
// room which is larger than any of them.
func TestReclaim(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		pool := newPool(t, blockpool.Options{Size: 4096, Limit: 4096})
		var blocks []blockpool.Block
		for range 3 {
			blocks = append(blocks, alloc(t, pool, 992))
		}
		last := alloc(t, pool, 992)
		full(t, pool, 1)
		for _, i := range order {
			free(t, pool, blocks[i])
		}
		b := alloc(t, pool, 3072-32)
		require.Equal(t, blocks[0].Address, b.Address)
		free(t, pool, b, last)
		b = alloc(t, pool, 4096-32) // with what remained behind them
		require.Equal(t, blocks[0].Address, b.Address)
		free(t, pool, b)
	}
}

// The pool grows by Expand or by what is needed, and never beyond the limit.
func TestExpand(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 1024, Expand: 2048, Limit: 8000})
	var blocks []blockpool.Block
	for _, size := range []uint64{992, 992, 3000, 992} {
		blocks = append(blocks, alloc(t, pool, size))
	}
	require.Equal(t, []call{{size: 1024}, {size: 2048}, {size: 3040}}, d.calls)
	blocks = append(blocks, alloc(t, pool, 992)) // the limit leaves 1888 bytes
	require.Equal(t, call{size: 1888}, d.calls[3])
	oom := full(t, pool, 864)
	require.Equal(t, []uint64{896, 864, 8000, 8000}, []uint64{oom.Wanted, oom.LargestFree, oom.Reserved, oom.Limit})
	require.Len(t, d.calls, 4)
	free(t, pool, blocks...)
}

// A freed block costs the driver nothing, nor does it get anything.
func TestFreeMarks(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 4096})
	b := alloc(t, pool, 1000)
	free(t, pool, b)
	require.Len(t, d.calls, 1)
	s := pool.Stats()
	require.Zero(t, s.Used)
	require.EqualValues(t, 4096, s.Reserved)
	again := alloc(t, pool, 1000)
	require.Equal(t, b.Address, again.Address)
	require.NotEqual(t, b.ID, again.ID)
	_, err := pool.BlockPtr(b.ID)
	require.ErrorIs(t, err, blockpool.ErrFreed, "a stale id is not the new block")
	free(t, pool, again)
}
