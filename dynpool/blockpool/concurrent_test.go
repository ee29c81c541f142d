package blockpool_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
)

const goroutines = 64

// TestConcurrentUse lets 64 goroutines use one pool, with workspaces and Trim. Each
// piece of 32 bytes has one owner at a time.
func TestConcurrentUse(t *testing.T) {
	const size = 1 << 18
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: size, Limit: size})
	base := alloc(t, pool, 1)
	free(t, pool, base)
	owners := make([]atomic.Int64, size/32)
	pieces := func(b blockpool.Block) []atomic.Int64 {
		at := uint64(b.Address-base.Address) / 32
		return owners[at : at+b.Size/32]
	}
	own := func(b blockpool.Block, from, to int64) {
		for i := range pieces(b) {
			if !pieces(b)[i].CompareAndSwap(from, to) {
				t.Errorf("block %d at %#x has another owner too", b.ID, uint64(b.Address))
				return
			}
		}
	}
	var wg sync.WaitGroup
	for g := range uint64(goroutines) {
		wg.Go(func() {
			me, random := int64(g+1), g<<32
			next := func(n uint64) uint64 { random++; return splitmix.Mix(random) % n }
			w := blockpool.NewWorkspace(pool)
			var blocks []blockpool.Block
			for range 300 {
				switch op := next(8); {
				case op < 4:
					id, err := pool.AllocateBlock(1 + next(1500))
					if errors.Is(err, kernels.ErrOutOfMemory) {
						continue
					}
					b, err2 := pool.Block(id)
					if err != nil || err2 != nil {
						t.Error(err, err2)
						return
					}
					own(b, 0, me)
					blocks = append(blocks, b)
				case op < 7 && len(blocks) > 0:
					i := next(uint64(len(blocks)))
					own(blocks[i], me, 0)
					if err := pool.FreeBlock(blocks[i].ID); err != nil {
						t.Error(err)
					}
					blocks[i] = blocks[len(blocks)-1]
					blocks = blocks[:len(blocks)-1]
				default:
					if _, err := w.Require(1 + next(2000)); err != nil && !errors.Is(err, kernels.ErrOutOfMemory) {
						t.Error(err)
					}
					pool.Stats()
					if _, err := pool.Trim(); err != nil {
						t.Error(err)
					}
				}
			}
			for _, b := range blocks {
				own(b, me, 0)
				if err := pool.FreeBlock(b.ID); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := pool.Stats()
	require.Zero(t, s.Used)
	require.EqualValues(t, size, s.LargestFree)
	require.Len(t, d.calls, 1)
}

// TestConcurrentGrowth lets 64 goroutines make a pool grow, wait and shrink on a device
// that is too small for all of them.
func TestConcurrentGrowth(t *testing.T) {
	dev := newDevice(t, 1<<16)
	var waits atomic.Int64
	pool := newPoolOn(t, dev, blockpool.Options{Expand: 1024, Limit: 1 << 15, Wait: func() error { waits.Add(1); return nil }})
	var wg sync.WaitGroup
	for g := range uint64(goroutines) {
		wg.Go(func() {
			for i := range uint64(30) {
				id, err := pool.AllocateBlock(1 + splitmix.Hash(g, i)%4000)
				if err == nil {
					err = pool.FreeBlock(id)
				}
				if err != nil && !errors.Is(err, kernels.ErrOutOfMemory) {
					t.Error(err)
				}
				if i%8 == 0 {
					if _, err := pool.Trim(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	s := pool.Stats()
	require.EqualValues(t, waits.Load(), s.Waits)
	require.LessOrEqual(t, s.ReservedHigh, uint64(1<<15))
	require.Equal(t, s.Regions, dev.Live().Allocs)
}

// TestConcurrentDoubleFree: of many that free a block, one does.
func TestConcurrentDoubleFree(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 4096})
	for range 20 {
		b := alloc(t, pool, 100)
		var freed atomic.Int64
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				err := pool.FreeBlock(b.ID)
				if err == nil {
					freed.Add(1)
				} else if !errors.Is(err, blockpool.ErrDoubleFree) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, freed.Load())
	}
}

// TestConcurrentUnite lets goroutines begin together, again and again, when there are no
// blocks: no two share memory.
func TestConcurrentUnite(t *testing.T) {
	d := newDriver()
	var waits atomic.Int64
	pool := newDriverPool(t, d, blockpool.Options{Wait: func() error { waits.Add(1); runtime.Gosched(); return nil }})
	var owners sync.Map // by the address of 64 bytes; the driver gives none twice
	steps := func(b blockpool.Block, each func(kernels.Addr)) {
		for at := b.Address; at < b.Address+kernels.Addr(b.Size); at += 64 {
			each(at)
		}
	}
	for round := range uint64(50) {
		var wg sync.WaitGroup
		for g := range uint64(8) {
			wg.Go(func() {
				var blocks []blockpool.Block
				for i := range uint64(10) {
					id, err := pool.AllocateBlock(1 + splitmix.Hash(g, i)%(100*(1+round%10)))
					b, err2 := pool.Block(id)
					if err != nil || err2 != nil {
						t.Error(err, err2)
						return
					}
					steps(b, func(at kernels.Addr) {
						if other, taken := owners.LoadOrStore(at, g); taken {
							t.Errorf("%#x belongs to %d and %d", uint64(at), g, other)
						}
					})
					blocks = append(blocks, b)
				}
				for _, b := range blocks {
					steps(b, func(at kernels.Addr) { owners.Delete(at) })
					if err := pool.FreeBlock(b.ID); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if s := pool.Stats(); s.Used != 0 || s.Free != s.Trimmable {
			t.Fatalf("%+v", s)
		}
	}
	s := pool.Stats()
	require.EqualValues(t, waits.Load(), s.Waits)
}
