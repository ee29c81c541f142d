package blockpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

func newWorkspace(t testing.TB, pool *blockpool.Pool) *blockpool.Workspace {
	w := blockpool.NewWorkspace(pool)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

// require is Require where it must work.
func need(t testing.TB, w *blockpool.Workspace, size uint64) kernels.Addr {
	t.Helper()
	addr, err := w.Require(size)
	require.NoError(t, err)
	require.Equal(t, w.Block().Address, addr)
	require.Equal(t, w.Block().Size, w.Size())
	return addr
}

// The node rule: a smaller or equal need changes nothing, a larger one frees the
// block and takes a larger one.
func TestWorkspaceOnlyGrows(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 1 << 16})
	w := newWorkspace(t, pool)
	require.Zero(t, need(t, w, 0))
	require.Zero(t, w.Block())

	addr := need(t, w, 1000)
	first := w.Block()
	require.EqualValues(t, 1056, w.Size())
	for _, size := range []uint64{1000, 999, 1, 0, 1024} { // 1024 rounds to 1056 too
		require.Equal(t, addr, need(t, w, size))
		require.Equal(t, first, w.Block())
	}
	need(t, w, 1025)
	require.EqualValues(t, 1088, w.Size())
	require.NotEqual(t, first.ID, w.Block().ID)
	require.Equal(t, first.Address, w.Block().Address, "the old block is part of the new one")
	_, err := pool.Block(first.ID)
	require.ErrorIs(t, err, blockpool.ErrFreed)
	require.Equal(t, 1, pool.Stats().Blocks)
	b, err := pool.Block(w.Block().ID)
	require.NoError(t, err)
	require.Equal(t, w.Block(), b)
}

// A workspace of an operator that runs again and again with changing needs: one call
// of the driver, instead of two for each run.
func TestWorkspaceDriverCalls(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Size: 1 << 20})
	w := newWorkspace(t, pool)
	for i := range uint64(1000) {
		need(t, w, 1+i*7919%100_000)
	}
	require.Equal(t, []call{{size: 1 << 20}}, d.calls)
}

// A larger block that does not fit leaves the old one as it was, also where that had
// become part of a larger free piece.
func TestWorkspaceLosesNothing(t *testing.T) {
	for _, c := range []struct{ before, after bool }{{}, {before: true}, {after: true}, {true, true}} {
		pool := newPool(t, blockpool.Options{Size: 4096, Limit: 4096})
		low, w := alloc(t, pool, 480), newWorkspace(t, pool)
		need(t, w, 992)
		high := alloc(t, pool, 480)
		rest := alloc(t, pool, 992)
		old, stats := w.Block(), pool.Stats()
		if c.before {
			free(t, pool, low)
		}
		if c.after {
			free(t, pool, high)
		}
		_, err := w.Require(2100)
		var oom *blockpool.OutOfMemoryError
		require.ErrorAs(t, err, &oom)
		require.EqualValues(t, 2100, oom.Requested)
		require.Equal(t, old, w.Block())
		b, err := pool.Block(old.ID)
		require.NoError(t, err)
		require.Equal(t, old, b)
		if c.before {
			low = alloc(t, pool, 480)
		}
		if c.after {
			high = alloc(t, pool, 480)
		}
		now := pool.Stats()
		require.Equal(t, []uint64{stats.Used, stats.Free, stats.UsedHigh}, []uint64{now.Used, now.Free, now.UsedHigh})
		free(t, pool, low, high, rest)
		need(t, w, 4000)
	}
}

// Where the limit leaves no room for a larger block beside the old one, the region of
// the old one goes back first, after a wait.
func TestWorkspaceAloneAtTheLimit(t *testing.T) {
	d, waits := newDriver(), 0
	pool := newDriverPool(t, d, blockpool.Options{Limit: 1024, Wait: func() error { waits++; return nil }})
	w := newWorkspace(t, pool)
	need(t, w, 480)
	old := w.Block()
	need(t, w, 992)
	require.Equal(t, 1, waits)
	require.Equal(t, []call{{size: 512}, {true, old.Address, 512}, {size: 1024}}, d.calls)

	// More than the limit is not waited for.
	_, err := w.Require(993)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.Equal(t, 1, waits)
	require.EqualValues(t, 1024, w.Size())
}

// Without Options.Wait nobody has waited: the region stays.
func TestWorkspaceAloneWithoutWait(t *testing.T) {
	d := newDriver()
	pool := newDriverPool(t, d, blockpool.Options{Limit: 1024})
	w := newWorkspace(t, pool)
	need(t, w, 480)
	_, err := w.Require(992)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.EqualValues(t, 512, w.Size())
	require.Equal(t, []call{{size: 512}}, d.calls)
}

// If the device refuses the larger region after it got the old one back, the old size
// is taken again; if it refuses that too, there is no block, and the error says so.
func TestWorkspaceAfterRefusal(t *testing.T) {
	for _, most := range []uint64{512, 0} {
		d := newDriver()
		pool := newDriverPool(t, d, blockpool.Options{Wait: func() error { return nil }})
		w := newWorkspace(t, pool)
		need(t, w, 480)
		old := w.Block()
		d.fail = func(c call) error {
			if !c.free && c.size > most {
				return kernels.ErrOutOfMemory
			}
			return nil
		}
		_, err := w.Require(992)
		require.ErrorIs(t, err, kernels.ErrOutOfMemory)
		if most == 0 {
			require.Zero(t, w.Block())
			require.ErrorContains(t, err, "block pool: out of memory: a block of 1024 bytes (992 asked for): the pool holds 0, 0 in use")
			require.ErrorContains(t, err, "is freed: block pool: out of memory: a block of 512 bytes (480 asked for)")
		} else {
			require.Equal(t, old.ID, w.Block().ID)
			require.NotEqual(t, old.Address, w.Block().Address)
			require.NotContains(t, err.Error(), "freed")
		}
		s := pool.Stats()
		require.Equal(t, w.Size(), s.Used)
		require.Equal(t, w.Size(), s.Reserved)
		d.fail = nil
		need(t, w, 992)
	}
}

// Somebody else frees the block, even during the wait.
func TestWorkspaceBlockIsGone(t *testing.T) {
	d := newDriver()
	var pool *blockpool.Pool
	var w *blockpool.Workspace
	pool = newDriverPool(t, d, blockpool.Options{Limit: 1024, Wait: func() error { return pool.FreeBlock(w.Block().ID) }})
	w = blockpool.NewWorkspace(pool)
	need(t, w, 480)
	_, err := w.Require(992)
	require.ErrorIs(t, err, blockpool.ErrFreed)
	require.Zero(t, w.Block())
	need(t, w, 480)
	require.NoError(t, pool.FreeBlock(w.Block().ID))
	_, err = w.Require(900)
	require.ErrorIs(t, err, blockpool.ErrFreed)
	need(t, w, 480)
	require.NoError(t, pool.FreeBlock(w.Block().ID))
	_, err = w.Require(100)
	require.ErrorIs(t, err, blockpool.ErrFreed, "the address would be stale")
	require.NoError(t, w.Close())
	require.Zero(t, pool.Stats().Blocks)
}

func TestWorkspaceClose(t *testing.T) {
	pool := newPool(t, blockpool.Options{Size: 4096})
	w := blockpool.NewWorkspace(pool)
	need(t, w, 100)
	require.NoError(t, w.Close())
	require.Zero(t, pool.Stats().Blocks)
	require.ErrorIs(t, w.Close(), kernels.ErrClosed)
	_, err := w.Require(1)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.NoError(t, blockpool.NewWorkspace(pool).Close())
}

func TestWorkspaceWaitFails(t *testing.T) {
	d, broken := newDriver(), errors.New("broken")
	pool := newDriverPool(t, d, blockpool.Options{Limit: 1024, Wait: func() error { return broken }})
	w := newWorkspace(t, pool)
	need(t, w, 480)
	old := w.Block()
	_, err := w.Require(992)
	require.ErrorIs(t, err, broken)
	require.Equal(t, old, w.Block())
}
