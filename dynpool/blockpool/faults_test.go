package blockpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/kernels"
)

// Whichever call of the driver fails, and however, the pool stays usable, accounts for
// what it has, and gives everything back in the end.
func TestEveryCallOfTheDriverFails(t *testing.T) {
	broken := errors.New("broken")
	for _, wait := range []func() error{nil, func() error { return nil }} {
		calls := 0
		for k := -1; k < calls || k < 0; k++ {
			for _, reason := range []error{broken, kernels.ErrOutOfMemory} {
				d := newDriver()
				d.fail = func(call) error {
					if len(d.calls)-1 == k {
						return reason
					}
					return nil
				}
				failed := playFaulty(t, d, wait)
				if k < 0 {
					calls = len(d.calls)
					require.Zero(t, failed)
				} else if reason == broken {
					require.Equal(t, 1, failed, "call %d", k)
				}
			}
		}
		require.Greater(t, calls, 8)
	}
}

// playFaulty plays operations that call the driver in every way, and returns how many
// failed for another reason than that there is no memory.
func playFaulty(t *testing.T, d *driver, wait func() error) (failed int) {
	opts := blockpool.Options{Size: 1024, Expand: 2048, Limit: 8192, Wait: wait}
	fails := func(err error) bool {
		if err != nil && !errors.Is(err, kernels.ErrOutOfMemory) {
			failed++
		}
		return err != nil
	}
	pool, err := blockpool.New(d, opts)
	if err != nil {
		require.Empty(t, d.live)
		fails(err)
		pool, err = blockpool.New(d, opts)
		require.NoError(t, err)
	}
	check := func() {
		t.Helper()
		s, reserved := pool.Stats(), uint64(0)
		for _, size := range d.live {
			reserved += size
		}
		require.Equal(t, reserved, s.Reserved)
		require.Equal(t, len(d.live), s.Regions)
	}
	var blocks []blockpool.ID
	take := func(size uint64) {
		id, err := pool.AllocateBlock(size)
		if !fails(err) {
			blocks = append(blocks, id)
		}
		check()
	}
	w := blockpool.NewWorkspace(pool)
	grow := func(size uint64) {
		_, err := w.Require(size)
		if fails(err) && w.Block().ID != 0 {
			b, err := pool.Block(w.Block().ID)
			require.NoError(t, err)
			require.Equal(t, w.Block(), b)
		}
		check()
	}
	drop := func() {
		for _, id := range blocks {
			require.NoError(t, pool.FreeBlock(id))
		}
		blocks = nil
		check()
	}
	for range 2 {
		take(500)
		grow(900)
		take(3000)
		grow(1500)
		drop()
		_, err := pool.Trim()
		fails(err)
		check()
		take(2000)
		grow(4000)
		drop()
		take(4000)
		grow(6000)
		drop()
	}
	require.NoError(t, w.Close())
	for range 2 { // without blocks, regions are united
		take(500)
		take(5000)
		drop()
		take(500)
		drop()
	}
	fails(pool.Close())
	_, err = pool.AllocateBlock(1)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, pool.Close(), kernels.ErrClosed)
	require.Empty(t, d.live)
	return failed
}
