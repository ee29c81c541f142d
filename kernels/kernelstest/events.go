package kernelstest

import (
	"bytes"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func (d *device) requireDone(e kernels.Event, why string) {
	done, err := e.Query()
	require.NoError(d.t, err)
	require.True(d.t, done, why)
}

func only(value byte, in []byte) bool { return bytes.Count(in, []byte{value}) == len(in) }

// An event is done once its work has run, whoever has waited for that, and its effects
// can then be seen.
func testEventDone(t *testing.T, d *device) {
	const size = 1 << 20
	a, b, out := d.alloc(size), d.alloc(size), d.pinned(size)
	first, second := d.newStream(), d.newStream()
	e := d.newEvent()
	d.requireDone(e, "never recorded")
	require.NoError(t, e.Synchronize())

	require.NoError(t, first.Record(e))
	require.NoError(t, e.Synchronize())
	d.requireDone(e, "recorded behind no work")

	for i := range byte(20) { // an event can be recorded again
		require.NoError(t, first.Memset(a, i, size))
		require.NoError(t, first.CopyDevice(b, a, size))
		require.NoError(t, first.Record(e))
		require.NoError(t, e.Synchronize())
		d.requireDone(e, "after its Synchronize")
		require.NoError(t, second.CopyToHost(out, b), "in a stream that waits for nothing")
		require.NoError(t, second.Synchronize())
		require.True(t, only(i, out))
	}

	require.NoError(t, first.Memset(a, 50, size))
	require.NoError(t, first.Record(e))
	require.NoError(t, first.Memset(a, 51, size))
	require.NoError(t, first.Synchronize())
	d.requireDone(e, "its stream was waited for")

	// A stream that waits for an event passes on what that stands for.
	later := d.newEvent()
	require.NoError(t, first.Memset(a, 52, size))
	require.NoError(t, first.Record(e))
	require.NoError(t, second.Wait(e))
	require.NoError(t, second.CopyToHost(out, a))
	require.NoError(t, second.Record(later))
	require.NoError(t, later.Synchronize())
	d.requireDone(later, "after its Synchronize")
	d.requireDone(e, "a later event is done")
	require.True(t, only(52, out))

	// The stream of an event may be gone.
	gone, err := d.NewStream()
	require.NoError(t, err)
	require.NoError(t, gone.Memset(a, 53, size))
	require.NoError(t, gone.Record(e))
	require.NoError(t, gone.Close())
	d.requireDone(e, "its stream was closed")
	require.NoError(t, e.Synchronize())
	require.Equal(t, byte(53), d.read(a, 1)[0])
}

// Query says that an event is done only if its work can be seen. It may well say so
// late, or on some devices not until somebody waits.
func testEventQuery(t *testing.T, d *device) {
	const size = 1 << 20
	a, out, s, e := d.alloc(size), d.pinned(size), d.newStream(), d.newEvent()
	for i := range byte(20) {
		require.NoError(t, s.Memset(a, i, size))
		require.NoError(t, s.CopyToHost(out, a))
		require.NoError(t, s.Record(e))
		require.NoError(t, s.Memset(a, 0xFF, size))
		done := false
		for range 1000 {
			var err error
			if done, err = e.Query(); done || err != nil {
				require.NoError(t, err)
				break
			}
			runtime.Gosched()
		}
		if !done {
			require.NoError(t, e.Synchronize())
		}
		require.True(t, only(i, out), "done=%v, round %d", done, i)
		d.requireDone(e, "it stays done")
	}
	require.NoError(t, s.Synchronize())
}

// A closed event has nothing to tell, also if it was recorded.
func testClosedEvent(t *testing.T, d *device) {
	a, s := d.alloc(64), d.newStream()
	for _, recorded := range []bool{false, true} {
		e, err := d.NewEvent()
		require.NoError(t, err)
		if recorded {
			require.NoError(t, s.Memset(a, 7, 64))
			require.NoError(t, s.Record(e))
		}
		require.NoError(t, e.Close())
		done, err := e.Query()
		require.ErrorIs(t, err, kernels.ErrClosed)
		require.False(t, done)
		require.ErrorIs(t, e.Synchronize(), kernels.ErrClosed)
	}
	require.NoError(t, s.Synchronize())
}

// Others wait for an event and query it while the owner of the stream goes on and
// records it again. Run with -race.
func testEventConcurrency(t *testing.T, d *device) {
	const rounds, waiters = 100, 3
	a, out := d.alloc(1), d.pinned(rounds)
	s, other, e := d.newStream(), d.newStream(), d.newEvent()
	var recorded atomic.Int64 // rounds
	var over atomic.Bool
	var waiting sync.WaitGroup
	end := func() {
		over.Store(true)
		waiting.Wait()
	}
	defer end()
	for w := range waiters {
		waiting.Go(func() {
			for last := false; !last; {
				last = over.Load()
				round := recorded.Load()
				done, err := e.Query()
				if err == nil && !done && w > 0 {
					done, err = true, e.Synchronize()
				}
				if err != nil || done && round > 0 && out[round-1] != byte(round) {
					t.Errorf("round %d: %v, the work cannot be seen", round, err)
					return
				}
				runtime.Gosched()
			}
		})
	}
	for i := range int64(rounds) {
		require.NoError(t, s.Memset(a, byte(i+1), 1))
		require.NoError(t, s.CopyToHost(out[i:i+1], a))
		require.NoError(t, s.Record(e))
		recorded.Store(i + 1)
		require.NoError(t, other.Wait(e))
	}
	end()
	require.NoError(t, other.Synchronize())
	d.requireDone(e, "a stream that waits for it was waited for")
	require.NoError(t, s.Synchronize())
}
