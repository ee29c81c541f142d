package blockpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// waiter is an Options.Wait that counts, and does once what a test says.
type waiter struct {
	waits int
	do    func() error
}

func (w *waiter) wait() error {
	w.waits++
	do := w.do
	w.do = nil
	if do == nil {
		return nil
	}
	return do()
}

// refuse lets a driver refuse regions of more than some bytes.
func (d *driver) refuse(most uint64) {
	d.fail = func(c call) error {
		if !c.free && c.size > most {
			return kernels.ErrOutOfMemory
		}
		return nil
	}
}

// apart makes a pool of regions with one block each, which are then freed.
func apart(t *testing.T, opts blockpool.Options, sizes ...uint64) (*driver, *waiter, *blockpool.Pool, []blockpool.Block) {
	d, w := newDriver(), &waiter{}
	opts.Wait = w.wait
	pool := newDriverPool(t, d, opts)
	var blocks []blockpool.Block
	for _, size := range sizes {
		d.refuse(size) // whatever the options say
		blocks = append(blocks, alloc(t, pool, size-32))
	}
	require.Len(t, d.live, len(sizes))
	require.Zero(t, w.waits, "there was nothing to wait for")
	free(t, pool, blocks...)
	d.calls, d.fail = nil, nil
	return d, w, pool, blocks
}

// Without blocks, the next one finds one region instead of several. Until the pool has
// grown again, and has no blocks, nothing more is done.
func TestRegionsAreUnited(t *testing.T) {
	d, w, pool, old := apart(t, blockpool.Options{Limit: 8192}, 1024, 2048, 512)
	for range 3 {
		free(t, pool, alloc(t, pool, 100), alloc(t, pool, 3000))
	}
	require.Equal(t, []call{{true, old[2].Address, 512}, {true, old[1].Address, 2048}, {true, old[0].Address, 1024}, {size: 3584}}, d.calls)
	require.Equal(t, 1, w.waits)

	a, b := alloc(t, pool, 3552), alloc(t, pool, 992)
	free(t, pool, a)
	c := alloc(t, pool, 100)
	require.Equal(t, a.Address, c.Address)
	require.Equal(t, []call{{size: 1024}}, d.calls[4:])
	require.Equal(t, 1, w.waits)

	free(t, pool, b, c)
	free(t, pool, alloc(t, pool, 100))
	require.Equal(t, []call{{true, b.Address, 1024}, {true, a.Address, 3584}, {size: 4608}}, d.calls[5:])
	require.Equal(t, 2, w.waits)
}

// Who does not wait does not know that regions can go back.
func TestNothingIsUnitedWithoutWait(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{})
	a, b := alloc(t, pool, 992), alloc(t, pool, 992)
	free(t, pool, a, b)
	free(t, pool, alloc(t, pool, 100))
	free(t, pool, alloc(t, pool, 2016))
	require.Equal(t, []call{{size: 1024}, {size: 1024}, {size: 2048}}, d.calls)
}

// What no limit allows is not waited for, and nothing is given back for it.
func TestNothingIsUnitedForTooMuch(t *testing.T) {
	d, w, pool, _ := apart(t, blockpool.Options{Limit: 4096}, 1024, 2048)
	full(t, pool, 4096)
	require.Zero(t, w.waits)
	require.Empty(t, d.calls)
	free(t, pool, alloc(t, pool, 100))
	require.Equal(t, call{size: 3072}, d.calls[2])
	free(t, pool, alloc(t, pool, 4064)) // all that the limit allows
	require.Equal(t, call{size: 4096}, d.calls[4])
	require.Equal(t, 2, w.waits)
}

// Where the pool must grow, a region that stands for those that are entirely free comes
// in their place: as large as they were, or as the options say if that is too little.
func TestGrowthTakesFreeRegions(t *testing.T) {
	for _, c := range []struct {
		name                string
		expand, limit, need uint64
		want                uint64
	}{
		{"all of them", 0, 0, 2560, 3072},
		{"no more than them", 4096, 0, 2560, 3072},
		{"more", 0, 0, 3584, 3584},
		{"more, as the options say", 8192, 0, 3584, 8192},
		{"more, up to the limit", 8192, 6144, 3584, 5632},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, w := newDriver(), &waiter{}
			pool := newDriverPool(t, d, blockpool.Options{Limit: c.limit, Expand: c.expand, Wait: w.wait})
			var b [3]blockpool.Block
			for i, size := range []uint64{1024, 512, 2048} {
				d.refuse(size)
				b[i] = alloc(t, pool, size-32)
			}
			free(t, pool, b[0], b[2])
			d.calls, d.fail = nil, nil
			e := alloc(t, pool, c.need-32)
			require.Equal(t, []call{{true, b[2].Address, 2048}, {true, b[0].Address, 1024}, {size: c.want}}, d.calls)
			require.Equal(t, 1, w.waits)
			require.EqualValues(t, 4, pool.Stats().Expanded)
			free(t, pool, e, b[1])
		})
	}
}

// The device does not give again what it got: a region of what is needed will do, and
// without even that the pool says so. What was not given back it still has.
func TestDeviceRefusesTheUnitedRegion(t *testing.T) {
	d, w, pool, _ := apart(t, blockpool.Options{}, 1024, 2048)
	d.refuse(3071)
	free(t, pool, alloc(t, pool, 992), alloc(t, pool, 96))
	require.Equal(t, []call{{size: 3072}, {size: 1024}, {size: 128}}, d.calls[2:])
	require.Equal(t, 1, w.waits)

	d, w, pool, _ = apart(t, blockpool.Options{}, 1024, 2048)
	d.refuse(0)
	_, err := pool.AllocateBlock(100)
	var oom *blockpool.OutOfMemoryError
	require.ErrorAs(t, err, &oom)
	require.EqualValues(t, 100, oom.Requested)
	require.Zero(t, pool.Stats().Reserved)
	require.Equal(t, 1, w.waits)
	d.fail = nil
	free(t, pool, alloc(t, pool, 100))
}

// Regions that somebody uses or has freed during the wait stay, and no more than one
// waits.
func TestOthersDuringUnite(t *testing.T) {
	for _, frees := range []bool{false, true} {
		d, w, pool, old := apart(t, blockpool.Options{}, 1024, 2048, 512)
		var other blockpool.Block
		w.do = func() error {
			other = alloc(t, pool, 480)
			if frees {
				free(t, pool, other)
			}
			return nil
		}
		b := alloc(t, pool, 2016)
		require.Equal(t, old[2].Address, other.Address)
		require.Equal(t, []call{{true, old[1].Address, 2048}, {true, old[0].Address, 1024}, {size: 3072}}, d.calls)
		free(t, pool, b)
		if !frees {
			free(t, pool, other)
		}
		free(t, pool, alloc(t, pool, 100)) // two regions, but it was tried
		require.Equal(t, 1, w.waits)
		require.Len(t, d.calls, 3)
	}
}

// Others free what is needed while a pool waits that then gets nothing of the device.
// That it is full does not matter; another error does.
func TestOthersFreeDuringUnite(t *testing.T) {
	for _, reason := range []error{kernels.ErrOutOfMemory, errors.New("broken")} {
		d, w := newDriver(), &waiter{}
		pool := newDriverPool(t, d, blockpool.Options{Wait: w.wait})
		a, b := alloc(t, pool, 992), alloc(t, pool, 2016)
		free(t, pool, a)
		w.do = func() error {
			d.fail = func(c call) error {
				if c.free {
					return nil
				}
				return reason
			}
			return pool.FreeBlock(b.ID)
		}
		id, err := pool.AllocateBlock(2016)
		require.Equal(t, []call{{true, a.Address, 1024}, {size: 2048}}, d.calls[2:])
		if reason != kernels.ErrOutOfMemory {
			require.ErrorIs(t, err, reason)
			continue
		}
		require.NoError(t, err)
		addr, err := pool.BlockPtr(id)
		require.NoError(t, err)
		require.Equal(t, b.Address, addr)
		require.NoError(t, pool.FreeBlock(id))
	}
}

// A wait that fails costs one allocation, and the pool has all its memory.
func TestWaitFailsBeforeUnite(t *testing.T) {
	broken := errors.New("broken")
	d, w, pool, _ := apart(t, blockpool.Options{}, 1024, 2048)
	w.do = func() error { return broken }
	_, err := pool.AllocateBlock(100)
	require.ErrorIs(t, err, broken)
	require.Empty(t, d.calls)
	free(t, pool, alloc(t, pool, 992), alloc(t, pool, 2016))
	require.Equal(t, 1, w.waits)
}

// Regions that went, or that the device did not take back, are replaced when they are
// needed.
func TestFreeFailsBeforeUnite(t *testing.T) {
	broken := errors.New("broken")
	d, w, pool, old := apart(t, blockpool.Options{}, 1024, 2048)
	d.fail = func(c call) error {
		if c.size == 1024 {
			return broken
		}
		return nil
	}
	_, err := pool.AllocateBlock(100)
	require.ErrorIs(t, err, broken)
	require.Equal(t, []call{{true, old[1].Address, 2048}, {true, old[0].Address, 1024}}, d.calls)
	d.fail = nil
	b := alloc(t, pool, 992)
	require.NotEqual(t, old[0].Address, b.Address)
	free(t, pool, b, alloc(t, pool, 2016))
	require.Equal(t, 1, w.waits)
}

// A workspace that has to wait at the limit takes what was given back in one piece too.
func TestWorkspaceTakesFreeRegions(t *testing.T) {
	d, wait := newDriver(), &waiter{}
	pool := newDriverPool(t, d, blockpool.Options{Limit: 512 + 2048, Wait: wait.wait})
	w := newWorkspace(t, pool)
	need(t, w, 480)
	a, b := alloc(t, pool, 992), alloc(t, pool, 992)
	free(t, pool, a, b)
	need(t, w, 1504)
	require.Equal(t, []call{{true, b.Address, 1024}, {true, a.Address, 1024}, {size: 2048}}, d.calls[3:])
	require.Equal(t, 1, wait.waits)
}
