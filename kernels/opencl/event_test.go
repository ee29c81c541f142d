package opencl

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// gate is a command that ends when the test says so, or fails.
type gate struct {
	event uintptr
	set   dl.Func
}

// open ends the command; a second time it does nothing.
func (g gate) open(status int32) { g.set.Status(g.event, word(status)) }

// newGate lets a stream wait for a gate. It is opened at the end of the test.
func newGate(t *testing.T, s *stream) gate {
	t.Helper()
	lib, err := dl.Open(dl.Names("", LibraryEnv, "libOpenCL.so.1", "libOpenCL.so")...)
	require.NoError(t, err)
	create, err := lib.Func("clCreateUserEvent")
	require.NoError(t, err)
	set, err := lib.Func("clSetUserEventStatus")
	require.NoError(t, err)
	var code int32
	g := gate{create.Call(s.d.context, uintptr(unsafe.Pointer(&code))), set}
	require.Zero(t, code)
	t.Cleanup(func() {
		g.open(eventComplete)
		require.NoError(t, s.d.lib.on(clReleaseEvent, g.event))
	})
	require.NoError(t, s.wait(&event{handle: g.event}))
	return g
}

// references is how many hold on to the marker of an event.
func references(t *testing.T, e kernels.Event) uint64 {
	t.Helper()
	const eventReferenceCount = 0x11D2
	own := e.(*event)
	n, err := own.d.lib.number(clGetEventInfo, eventReferenceCount, own.handle)
	require.NoError(t, err)
	return n
}

func newEvent(t *testing.T, d *Device) kernels.Event {
	t.Helper()
	e, err := d.NewEvent()
	require.NoError(t, err)
	return e
}

func requireDone(t *testing.T, want bool, e kernels.Event) {
	t.Helper()
	done, err := e.Query()
	require.NoError(t, err)
	require.Equal(t, want, done)
}

// An event whose work has not run is not done, and waiting for it stops nobody else.
func TestEventWaits(t *testing.T) {
	d := openDevice(t)
	s, other, a := newStream(t, d), newStream(t, d), alloc(t, d, 8)
	e, got := newEvent(t, d), make([]byte, 8)
	g := newGate(t, s)
	require.NoError(t, s.Memset(a, 9, 8))
	require.NoError(t, s.CopyToHost(got, a))
	require.NoError(t, s.Record(e))
	requireDone(t, false, e)

	const waiters = 4
	before := references(t, e)
	var waiting sync.WaitGroup
	for range waiters {
		waiting.Go(func() {
			if err := e.Synchronize(); err != nil || got[7] != 9 {
				t.Errorf("%v, got %d", err, got[7])
			}
		})
	}
	for references(t, e) < before+waiters {
		runtime.Gosched()
	}
	requireDone(t, false, e)
	second := newEvent(t, d)
	require.NoError(t, other.Memset(alloc(t, d, 8), 1, 8))
	require.NoError(t, other.Record(second))
	require.NoError(t, second.Synchronize())
	requireDone(t, true, second)
	require.NoError(t, second.Close())

	// What is waited for stays, whatever becomes of the event.
	require.NoError(t, other.Record(e))
	require.NoError(t, e.Synchronize())
	requireDone(t, true, e)
	require.NoError(t, e.Close())
	g.open(eventComplete)
	waiting.Wait()
	require.NoError(t, s.Synchronize())
}

// Work that has failed is done, and its stream reports it.
func TestEventOfFailedWork(t *testing.T) {
	d := openDevice(t)
	s := newStream(t, d)
	e, g := newEvent(t, d), newGate(t, s)
	require.NoError(t, s.Record(e))
	g.open(outOfResources)
	require.NoError(t, e.Synchronize())
	requireDone(t, true, e)
	require.NoError(t, e.Close())
	var failure *Error
	require.ErrorAs(t, s.Synchronize(), &failure)
	require.Equal(t, "clEnqueueBarrierWithWaitList", failure.Call)
}

func TestEventAllocations(t *testing.T) {
	d := openDevice(t)
	s := newStream(t, d)
	e := newEvent(t, d)
	require.NoError(t, s.Record(e))
	require.NoError(t, e.Synchronize())
	round := func() {
		_, _ = e.Query()
		_ = e.Synchronize()
	}
	if !raceEnabled { // then a sync.Pool forgets at random
		require.Zero(t, testing.AllocsPerRun(1000, round))
	}
	require.NoError(t, e.Close())
}
