package ascend_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// While the driver enlarges a pool for one stream the others go on, and the pool is not
// destroyed.
func TestPoolMallocHoldsNobodyUp(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	b := d.malloc(t, 64, d.second)
	f.hold(holdMalloc)
	var wg sync.WaitGroup
	var a kernels.Addr
	wg.Go(func() {
		var err error
		if a, err = d.pool.MallocAsync(64, d.first); err != nil {
			t.Error(err)
		}
	})
	f.awaitHolding(1)
	require.NoError(t, d.second.Memset(b, 1, 64))
	require.NoError(t, d.pool.FreeAsync(b, d.second))
	require.EqualError(t, d.pool.Destroy(), "memory pool: still in use: 1 allocations of 64 bytes")
	f.hold(0)
	wg.Wait()
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	d.end(t)
}

// The driver may give an address to somebody else before it has returned from taking it
// back.
func TestPoolAddressAgain(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	a := d.malloc(t, 64, d.first)
	f.hold(holdFree)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := d.pool.FreeAsync(a, d.first); err != nil {
			t.Error(err)
		}
	})
	f.awaitHolding(1)
	require.ErrorIs(t, d.pool.FreeAsync(a, d.second), kernels.ErrBadAddress, "twice")
	require.ErrorIs(t, d.pool.Destroy(), kernels.ErrInUse)
	f.call("fake_run")
	require.Equal(t, a, d.malloc(t, 128-64, d.second))
	f.hold(0)
	wg.Wait()
	require.NoError(t, d.second.Memset(a, 1, 64))
	require.EqualError(t, d.pool.Destroy(), "memory pool: still in use: 1 allocations of 64 bytes")
	require.NoError(t, d.pool.FreeAsync(a, d.second))
	d.end(t)
}

// A pool that waits for its end takes no more work.
func TestPoolWhileItEnds(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	a := d.malloc(t, 64, d.first)
	require.NoError(t, d.pool.FreeAsync(a, d.first))
	f.hold(holdStream)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := d.pool.Destroy(); err != nil {
			t.Error(err)
		}
	})
	f.awaitHolding(1)
	_, err := d.pool.MallocAsync(64, d.second)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, d.pool.Destroy(), kernels.ErrClosed)
	f.hold(0)
	wg.Wait()
	require.Equal(t, 1, f.count("aclrtMemPoolDestroy"))
	require.NoError(t, errors.Join(d.first.Close(), d.second.Close(), d.Close()))
}

// Many at once, each in a stream of its own: nobody is given what somebody else has.
func TestConcurrentPool(t *testing.T) {
	f := newFake(t)
	d := f.openPool()
	require.NoError(t, d.pool.SetAttr(kernels.PoolReleaseThreshold, 1<<20))
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			s, err := d.NewStream()
			if err != nil {
				t.Error(err)
				return
			}
			got := make([]byte, 300)
			for i := range 20 {
				size := uint64(100 + 7*w + i)
				a, err := d.pool.MallocAsync(size, s)
				if err != nil {
					t.Error(err)
					return
				}
				err = errors.Join(s.Memset(a, byte(w), size), s.CopyToHost(got[:size], a), d.pool.FreeAsync(a, s))
				if i%5 == 0 {
					err = errors.Join(err, d.pool.TrimTo(1<<10))
				}
				if err != nil {
					t.Error(err)
				}
				for _, b := range got[:size] {
					if b != byte(w) {
						t.Errorf("worker %d reads %d", w, b)
						return
					}
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	d.end(t)
}

// Whoever destroys a pool first, its owner or the device, does it once, and not under
// those who use it.
func TestConcurrentPoolEnd(t *testing.T) {
	f := newFake(t)
	for range 20 {
		f.reset()
		d := f.open()
		var wg sync.WaitGroup
		for range 4 {
			p, err := d.NewPool(poolProps(0))
			require.NoError(t, err)
			for range 3 {
				s, err := d.NewStream()
				require.NoError(t, err)
				wg.Go(func() {
					for err == nil {
						var a kernels.Addr
						if a, err = p.MallocAsync(64, s); err == nil {
							err = p.FreeAsync(a, s)
						}
					}
					if !errors.Is(err, kernels.ErrClosed) {
						t.Error(err)
					}
				})
			}
			wg.Go(func() {
				for {
					if err := p.Destroy(); !errors.Is(err, kernels.ErrInUse) {
						return
					}
				}
			})
		}
		if err := d.Close(); err != nil {
			require.ErrorContains(t, err, "closed too early")
			require.NotContains(t, err.Error(), "ACL_ERROR")
		}
		wg.Wait()
		f.clean()
	}
}
