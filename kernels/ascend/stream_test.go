package ascend_test

import (
	"encoding/binary"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
)

func signature(name string, args int) kernels.Signature {
	return kernels.Signature{Name: name, Args: make([]kernels.ArgKind, args)}
}

// A kernel gets its arguments, 8 bytes each, as they were when it was launched.
func TestLaunch(t *testing.T) {
	f := newFake(t)
	d := f.open()
	require.NoError(t, d.LoadBinary(f.user, signature("dump", 8), signature("add", 3)))
	s, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(72)
	require.NoError(t, err)
	dump, err := d.Kernel("dump")
	require.NoError(t, err)
	require.Equal(t, "dump", dump.Name())
	add, err := d.Kernel("add")
	require.NoError(t, err)
	require.NoError(t, s.Launch(dump, kernels.Grid{Blocks: 7, Threads: 99}, kernels.Args{uint64(a), 2, 3, 4, 5, 6, 7, ^uint64(0)}))
	require.NoError(t, s.Launch(add, kernels.Grid{Blocks: 1}, kernels.Args{uint64(a), 3, 1000}))
	require.NoError(t, s.Launch(add, kernels.Grid{Blocks: 1}, kernels.Args{uint64(a), 1, 1000}))
	got := make([]byte, 72)
	require.NoError(t, s.CopyToHost(got, a))
	var words []uint64
	for i := 0; i < len(got); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(got[i:]))
	}
	require.Equal(t, []uint64{2007, uint64(a) + 1000, 1002, 3, 4, 5, 6, 7, ^uint64(0)}, words)

	var e *ascend.Error
	require.ErrorAs(t, s.Launch(add, kernels.Grid{}, kernels.Args{}), &e, "no blocks")
	require.Equal(t, "aclrtLaunchKernelWithHostArgs", e.Call)
	other := f.open()
	foreign, err := other.Kernel(kernels.Reset)
	require.NoError(t, err)
	require.ErrorIs(t, s.Launch(foreign, kernels.Grid{Blocks: 1}, kernels.Args{}), kernels.ErrForeign)
	require.NoError(t, other.Close())
	require.NoError(t, s.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Close())
}

func TestLoadBinary(t *testing.T) {
	f := newFake(t)
	d := f.open()
	before := len(f.log())
	require.ErrorIs(t, d.LoadBinary(nil), kernels.ErrZeroSize)
	require.ErrorContains(t, d.LoadBinary(f.user, signature(kernels.Reset, 3)), "exists")
	require.ErrorContains(t, d.LoadBinary(f.user, signature("add", 3), signature("add", 3)), "exists")
	require.ErrorContains(t, d.LoadBinary(f.user, signature("add", 9)), "at most 8")
	require.ErrorContains(t, d.LoadBinary(f.user, signature("", 1)), "no name")
	require.ErrorContains(t, d.LoadBinary(f.user, signature("a\x00dd", 1)), "no name")
	require.NotContains(t, f.log()[before:], "aclrtBinaryLoadFromData")

	var e *ascend.Error
	require.ErrorAs(t, d.LoadBinary(f.user, signature("add", 3), signature("none", 3)), &e)
	require.Equal(t, "aclrtBinaryGetFunction", e.Call)
	_, err := d.Kernel("add")
	require.ErrorIs(t, err, kernels.ErrNoKernel, "half a binary")
	require.Equal(t, 1, f.count("aclrtBinaryUnLoad"))
	require.NoError(t, d.LoadBinary(f.user, signature("add", 3)))
	_, err = d.Kernel("add")
	require.NoError(t, err)
	_, err = d.Kernel("none")
	require.ErrorIs(t, err, kernels.ErrNoKernel)
	require.NoError(t, d.Close())
}

// An error of the work is told by the next Synchronize of its stream, once, also
// if something else has waited before.
func TestErrorsOfWork(t *testing.T) {
	f := newFake(t)
	d := f.open()
	require.NoError(t, d.LoadBinary(f.user, signature("add", 3)))
	add, err := d.Kernel("add")
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	other, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(8)
	require.NoError(t, err)
	fails := func() {
		f.failWork(507035)
		require.NoError(t, s.Launch(add, kernels.Grid{Blocks: 1}, kernels.Args{uint64(a), 1, 1}))
	}
	told := func(err error) {
		var e *ascend.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, ascend.Error{Call: "aclrtSynchronizeStream", Code: 507035, Name: "RT_VECTOR_CORE_EXCEPTION", Message: "kernel failed"}, *e)
	}
	fails()
	told(s.Synchronize())
	require.NoError(t, s.Synchronize())

	fails()
	require.NoError(t, s.CopyToHost(make([]byte, 8), a), "waits for the work")
	require.NoError(t, other.Synchronize())
	told(s.Synchronize())
	require.NoError(t, s.Synchronize())

	fails()
	b, err := d.Alloc(8)
	require.NoError(t, err)
	require.NoError(t, d.Free(b), "waits for the work")
	m, err := d.AllocHost(8)
	require.NoError(t, err)
	require.NoError(t, m.Free())
	told(s.Synchronize())

	fails()
	told(s.Close())
	require.NoError(t, other.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, d.Close())
}

func TestEvents(t *testing.T) {
	f := newFake(t)
	d := f.open()
	first, err := d.NewStream()
	require.NoError(t, err)
	second, err := d.NewStream()
	require.NoError(t, err)
	a, err := d.Alloc(64)
	require.NoError(t, err)
	m, err := d.AllocHost(64)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	f.failAt(len(f.log())+2, 207007)
	require.ErrorContains(t, second.Record(e), "RT_NO_EVENT_RESOURCE")
	require.NoError(t, second.Wait(e), "never recorded")
	require.Zero(t, f.count("aclrtStreamWaitEvent"))
	require.NoError(t, first.Memset(a, 1, 64))
	require.NoError(t, first.Record(e))
	require.NoError(t, first.Memset(a, 2, 64))
	require.NoError(t, second.Wait(e))
	require.NoError(t, second.CopyToHost(m.Bytes(), a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, byte(1), m.Bytes()[63], "no wait, or for too much")

	// The stream of an event may end before those who wait for it.
	require.NoError(t, first.Record(e))
	require.NoError(t, second.Wait(e))
	require.NoError(t, first.Close())
	require.NoError(t, e.Close())
	require.NoError(t, second.CopyToHost(m.Bytes(), a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, byte(2), m.Bytes()[63])
	require.ErrorIs(t, e.Close(), kernels.ErrClosed)
	require.ErrorIs(t, second.Record(e), kernels.ErrForeign)
	require.ErrorIs(t, second.Wait(e), kernels.ErrForeign)

	other := f.open()
	foreign, err := other.NewEvent()
	require.NoError(t, err)
	require.ErrorIs(t, second.Record(foreign), kernels.ErrForeign)
	require.ErrorIs(t, second.Wait(nil), kernels.ErrForeign)
	require.NoError(t, foreign.Close())
	require.NoError(t, other.Close())
	require.NoError(t, second.Close())
	require.NoError(t, d.Free(a))
	require.NoError(t, m.Free())
	require.NoError(t, d.Close())
}

// onNewThread calls f on a thread that nothing else has run on and nothing else
// will: it ends with the goroutine, which never unlocks it.
func onNewThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- f()
	}()
	return <-done
}

// The goroutines of two devices share one thread, or would if calls did not hold
// theirs: between making a context current and using it there is time for others.
func TestThreadsAreHeld(t *testing.T) {
	f := newFake(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	devices := []*ascend.Device{f.open(), f.open()}
	f.call("fake_set_pause", 100_000)
	var wg sync.WaitGroup
	for i := range 8 {
		d := devices[i%2]
		wg.Go(func() {
			for range 10 {
				a, err := d.Alloc(64)
				if err == nil {
					err = d.Free(a)
				}
				s, err2 := d.NewStream()
				if err2 == nil {
					err2 = s.Close()
				}
				if err != nil || err2 != nil {
					t.Error(err, err2)
				}
			}
		})
	}
	wg.Wait()
	for _, d := range devices {
		require.NoError(t, d.Close())
	}
}

// Whoever closes a stream or an event or frees memory first, the device or its owner,
// does it once, and not under work.
func TestConcurrentClose(t *testing.T) {
	f := newFake(t)
	for range 20 {
		d, err := ascend.Open(0, f.options)
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 20 {
			s, err := d.NewStream()
			require.NoError(t, err)
			e, err := d.NewEvent()
			require.NoError(t, err)
			a, err := d.Alloc(64)
			require.NoError(t, err)
			m, err := d.AllocHost(64)
			require.NoError(t, err)
			work, err := d.NewStream()
			require.NoError(t, err)
			require.NoError(t, work.CopyToDevice(a, m.Bytes()))
			wg.Go(func() { _ = d.Free(a) })
			wg.Go(func() { _ = m.Free() })
			wg.Go(func() { _ = errors.Join(s.Record(e), s.Close()) })
			wg.Go(func() { _ = e.Close() })
		}
		if err := d.Close(); err != nil {
			require.ErrorContains(t, err, "closed too early")
			require.NotContains(t, err.Error(), "ACL_ERROR")
		}
		wg.Wait()
		f.clean()
	}
}

// Each call comes from a thread of its own; the fake refuses those without a
// context.
func TestThreads(t *testing.T) {
	f := newFake(t)
	d := f.open()
	var (
		a kernels.Addr
		m kernels.HostMemory
		s kernels.Stream
		e kernels.Event
		k kernels.Kernel
	)
	for i, step := range []func() error{
		func() error { return d.LoadBinary(f.user, signature("add", 3)) },
		func() (err error) { k, err = d.Kernel("add"); return },
		func() (err error) { a, err = d.Alloc(64); return },
		func() (err error) { m, err = d.AllocHost(64); return },
		func() (err error) { s, err = d.NewStream(); return },
		func() (err error) { e, err = d.NewEvent(); return },
		func() error { return s.CopyToDevice(a, m.Bytes()) },
		func() error { return s.CopyDevice(a, a, 64) },
		func() error { return s.Memset(a, 0, 64) },
		func() error { return s.Launch(k, kernels.Grid{Blocks: 1}, kernels.Args{uint64(a), 8, 5}) },
		func() error { return s.Record(e) },
		func() error { return s.Wait(e) },
		func() error { return s.CopyToHost(m.Bytes(), a) },
		func() error { return s.CopyToHost(make([]byte, 64), a) },
		func() error { return s.Synchronize() },
		func() error { return s.Memset(a, 0, 64) },
		func() error { return d.Free(a) },
		func() error { return m.Free() },
		func() error { return e.Close() },
		func() error { return s.Close() },
		func() error { return d.Close() },
	} {
		require.NoError(t, onNewThread(step), "step %d", i)
	}
}
