//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func newEvent(t testing.TB, d *Device) *event {
	t.Helper()
	e, err := d.NewEvent()
	require.NoError(t, err)
	t.Cleanup(func() {
		if !e.(*event).closed {
			require.NoError(t, e.Close())
		}
	})
	return e.(*event)
}

func requireDone(t *testing.T, want bool, e kernels.Event) {
	t.Helper()
	done, err := e.Query()
	require.NoError(t, err)
	require.Equal(t, want, done)
}

// An event stands for the work before its last record, and for none if there is none.
func TestEvent(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, e, later := newStream(t, d), newEvent(t, d), newEvent(t, d)
	a := alloc(t, d, 8)
	requireDone(t, true, e)
	require.NoError(t, e.Synchronize())

	require.NoError(t, s.Memset(a, 1, 8))
	require.NoError(t, s.Record(e))
	require.NoError(t, s.Memset(a, 2, 8))
	require.NoError(t, s.Record(later))
	requireDone(t, false, e)
	calls := f.count("fake_calls")
	require.NoError(t, e.Synchronize())
	require.Equal(t, []string{"cuEventSynchronize event1"}, f.since(calls), "nothing else waits")
	requireDone(t, true, e)
	requireDone(t, false, later)
	require.NoError(t, s.Record(e))
	requireDone(t, false, e)
	require.NoError(t, s.Synchronize())
	requireDone(t, true, e)
	requireDone(t, true, later)

	require.NoError(t, e.Close())
	_, err := e.Query()
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, e.Synchronize(), kernels.ErrClosed)
	require.ErrorIs(t, e.Close(), kernels.ErrClosed)
}

// Pinned memory that was freed under work is given back when its event was waited for.
func TestEventEndsWork(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, e := newStream(t, d), newEvent(t, d)
	a := alloc(t, d, 8)
	m, err := d.AllocHost(8)
	require.NoError(t, err)
	require.NoError(t, s.CopyToDevice(a, m.Bytes()))
	require.NoError(t, m.Free())
	require.NoError(t, s.Record(e))
	require.NotContains(t, f.since(0), "cuMemFreeHost pinned1")
	require.NoError(t, e.Synchronize())
	require.Contains(t, f.since(0), "cuMemFreeHost pinned1")
}

// The driver has the word on an event of a capture, until it is recorded again.
func TestEventOfCapture(t *testing.T) {
	d := newFake(t).open(t)
	s, e := newStream(t, d), newEvent(t, d)
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Record(e))
	refused := func() {
		_, err := e.Query()
		for call, err := range map[string]error{"cuEventQuery": err, "cuEventSynchronize": e.Synchronize()} {
			require.EqualError(t, err, call+": CUDA_ERROR_CAPTURED_EVENT (907)")
		}
	}
	refused()
	require.NoError(t, endCapture(t, s).Close())
	refused()
	require.NoError(t, s.Record(e))
	require.NoError(t, e.Synchronize())
	requireDone(t, true, e)
}

// An error that the context has is no sign that the work is done.
func TestEventAfterFault(t *testing.T) {
	f := newFake(t)
	d, err := Open(0, f.opts())
	require.NoError(t, err)
	stream, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, stream.Launch(loadKernel(t, d, sign("test_fault", 0)), one, kernels.Args{}))
	require.NoError(t, stream.Record(e))
	var failed *Error
	require.ErrorAs(t, e.Synchronize(), &failed)
	require.Equal(t, "CUDA_ERROR_ILLEGAL_ADDRESS", failed.Name)
	done, err := e.Query()
	require.ErrorAs(t, err, &failed)
	require.False(t, done)
	require.Error(t, e.Close())
	require.Error(t, stream.Close())
	require.Error(t, d.Close())
	f.clean(t)
}

// Nobody waits for those who wait for an event, not even who closes it: the last one
// that leaves gives it back.
func TestEventWaitHoldsNothing(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	s, other, e := newStream(t, d), newStream(t, d), newEvent(t, d)
	a := alloc(t, d, 8)
	require.NoError(t, s.Record(e))
	f.call("fake_hold", 1)
	t.Cleanup(func() { f.call("fake_hold", 0) })
	left := make(chan error, 2)
	for range 2 {
		go func() { left <- e.Synchronize() }()
	}
	for f.count("fake_holding") < 2 {
		runtime.Gosched()
	}
	requireDone(t, true, e)
	require.NoError(t, other.Memset(a, 1, 8))
	require.NoError(t, other.Wait(e))
	require.NoError(t, other.Record(e))
	require.NoError(t, other.Synchronize())
	require.NoError(t, d.Free(alloc(t, d, 8)))
	require.NoError(t, newPool(t, d).Destroy())
	require.NoError(t, e.Close())
	require.ErrorIs(t, e.Close(), kernels.ErrClosed)
	require.ErrorIs(t, e.Synchronize(), kernels.ErrClosed)
	require.ErrorIs(t, s.Wait(e), kernels.ErrForeign)
	require.Zero(t, d.Live().Events)
	require.NotContains(t, f.since(0), "cuEventDestroy_v2 event1")
	f.call("fake_hold", 0)
	for range 2 {
		require.NoError(t, <-left)
	}
	require.Contains(t, f.since(0), "cuEventDestroy_v2 event1")
}
