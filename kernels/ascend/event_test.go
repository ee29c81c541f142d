package ascend_test

import (
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// hold holds up calls of the driver, and waits until there are so many.
func (f *fake) hold(which uintptr) { f.call("fake_hold", which) }

func (f *fake) awaitHolding(n int32) {
	for int32(f.call("fake_holding")) != n {
		runtime.Gosched()
	}
}

const (
	holdQuery       = 1
	holdSynchronize = 2
	holdMalloc      = 4
	holdFree        = 8
	holdStream      = 16
)

func queried(t *testing.T, e kernels.Event, want bool) {
	t.Helper()
	done, err := e.Query()
	require.NoError(t, err)
	require.Equal(t, want, done)
}

// An event stands for the work before its last record, and for nothing behind it.
func TestEventQuery(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(64)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)

	queried(t, e, true)
	require.NoError(t, e.Synchronize(), "never recorded")
	require.Zero(t, f.count("aclrtQueryEventStatus")+f.count("aclrtSynchronizeEvent"))

	require.NoError(t, s.Memset(a, 1, 64))
	require.NoError(t, s.Record(e))
	require.NoError(t, s.Memset(a, 2, 64))
	queried(t, e, false)
	require.NoError(t, e.Synchronize())
	queried(t, e, true)
	later, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, s.Record(later))
	queried(t, later, false)
	queried(t, e, true)

	// Recorded again, it stands for the later point. The driver is asked until it has
	// said so once.
	require.NoError(t, s.Record(e))
	queried(t, e, false)
	require.NoError(t, later.Synchronize())
	queried(t, e, false)
	f.call("fake_run")
	before := f.count("aclrtQueryEventStatus")
	queried(t, e, true)
	queried(t, e, true)
	require.NoError(t, e.Synchronize())
	require.Equal(t, before+1, f.count("aclrtQueryEventStatus"))

	// Who has waited for the stream knows without the driver, which no longer knows
	// the stream when it is closed.
	require.NoError(t, s.Record(e))
	require.NoError(t, s.Record(later))
	queried(t, e, false)
	require.NoError(t, s.Synchronize())
	before = len(f.log())
	queried(t, later, true)
	require.NoError(t, s.Record(e))
	require.NoError(t, s.Close())
	queried(t, e, true)
	require.NoError(t, e.Synchronize())
	require.NotContains(t, f.log()[before:], "aclrtQueryEventStatus")
	require.NotContains(t, f.log()[before:], "aclrtSynchronizeEvent")

	require.NoError(t, e.Close())
	_, err = e.Query()
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, e.Synchronize(), kernels.ErrClosed)
	require.NoError(t, later.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Close())
}

// An error of the work is told by its stream, also if only who waited for the event
// has heard of it.
func TestEventOfFailedWork(t *testing.T) {
	f := newFake(t)
	d := f.open()
	require.NoError(t, d.LoadBinary(f.user, signature("add", 3)))
	add, err := d.Kernel("add")
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	fails := func() {
		f.failWork(507035)
		require.NoError(t, s.Launch(add, kernels.Grid{Blocks: 1}, kernels.Args{}))
		require.NoError(t, s.Record(e))
	}
	fails()
	require.NoError(t, e.Synchronize())
	queried(t, e, true)
	require.ErrorContains(t, s.Synchronize(), "RT_VECTOR_CORE_EXCEPTION (507035)")
	require.NoError(t, s.Synchronize())

	fails()
	f.call("fake_run")
	queried(t, e, false)
	require.ErrorContains(t, s.Synchronize(), "507035")
	queried(t, e, true)

	fails()
	require.NoError(t, e.Synchronize())
	require.ErrorContains(t, s.Close(), "507035")
	require.NoError(t, e.Close())
	require.NoError(t, d.Close())
}

// While somebody waits for an event, nobody else has to: not for the event, the stream,
// or the device. Only who closes the event does.
func TestEventWaitHoldsNobodyUp(t *testing.T) {
	f := newFake(t)
	d := f.open()
	first, err := d.NewStream()
	require.NoError(t, err)
	second, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(64)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, first.Memset(a, 1, 64))
	require.NoError(t, first.Record(e))
	f.hold(holdSynchronize)
	var wg sync.WaitGroup
	errs := make(chan error, 3)
	wg.Go(func() { errs <- e.Synchronize() })
	wg.Go(func() { errs <- e.Synchronize() })
	f.awaitHolding(2)
	queried(t, e, false)
	require.NoError(t, second.Wait(e))
	require.NoError(t, first.Memset(a, 2, 64))
	require.NoError(t, second.Record(e))
	require.NoError(t, second.Synchronize())
	require.NoError(t, first.Synchronize())
	queried(t, e, true)
	b, err := d.Alloc(64)
	require.NoError(t, err)
	require.NoError(t, d.Free(b))
	wg.Go(func() { errs <- e.Close() })
	for { // until that has closed it, which destroys it later
		if _, err := e.Query(); err != nil {
			require.ErrorIs(t, err, kernels.ErrClosed)
			break
		}
		runtime.Gosched()
	}
	require.ErrorIs(t, second.Record(e), kernels.ErrForeign)
	require.Zero(t, f.count("aclrtDestroyEvent"))
	f.hold(0)
	wg.Wait()
	for range 3 {
		require.NoError(t, <-errs)
	}
	require.Equal(t, 1, f.count("aclrtDestroyEvent"))
	require.NoError(t, first.Close())
	require.NoError(t, second.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Close())
}

// Who has waited knows of what was recorded then, not of what was recorded meanwhile.
func TestEventRecordedWhileAwaited(t *testing.T) {
	f := newFake(t)
	d := f.open()
	first, err := d.NewStream()
	require.NoError(t, err)
	second, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, first.Record(e))
	f.hold(holdSynchronize)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := e.Synchronize(); err != nil {
			t.Error(err)
		}
	})
	f.awaitHolding(1)
	require.NoError(t, second.Record(e))
	f.hold(0)
	wg.Wait()
	queried(t, e, false)
	require.NoError(t, e.Synchronize())
	queried(t, e, true)
	require.NoError(t, errors.Join(e.Close(), first.Close(), second.Close(), d.Close()))
}

// A stream may end while its event is asked for.
func TestEventQueryAtTheEndOfItsStream(t *testing.T) {
	f := newFake(t)
	d := f.open()
	s, err := d.NewStream()
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.NoError(t, s.Record(e))
	f.hold(holdQuery)
	var wg sync.WaitGroup
	wg.Go(func() {
		if done, err := e.Query(); !done || err != nil {
			t.Error(done, err)
		}
	})
	f.awaitHolding(1)
	require.NoError(t, s.Close())
	f.hold(0)
	wg.Wait()
	require.NoError(t, e.Close())
	require.NoError(t, d.Close())
}

// Closing the device waits for those who wait for an event, and destroys it once.
func TestEventWaitAtTheEndOfTheDevice(t *testing.T) {
	f := newFake(t)
	for range 10 {
		f.reset()
		d := f.open()
		s, err := d.NewStream()
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 5 {
			e, err := d.NewEvent()
			require.NoError(t, err)
			require.NoError(t, s.Record(e))
			for range 2 {
				wg.Go(func() {
					if err := e.Synchronize(); err != nil && !errors.Is(err, kernels.ErrClosed) {
						t.Error(err)
					}
				})
			}
			wg.Go(func() { _ = e.Close() })
		}
		err = d.Close()
		require.ErrorContains(t, err, "closed too early")
		require.NotContains(t, err.Error(), "ACL_ERROR")
		wg.Wait()
		f.clean()
	}
}
