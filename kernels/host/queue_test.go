package host

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// TestQueueStaysSmall: a stream that is always ahead, because others wait only for
// its events, does not keep what has run.
func TestQueueStaysSmall(t *testing.T) {
	d := New(Options{})
	ahead, waiter := open(t, d), open(t, d)
	a, err := d.Alloc(8)
	require.NoError(t, err)
	e, err := d.NewEvent()
	require.NoError(t, err)
	bytes := make([]byte, 8)
	for range 1000 {
		require.NoError(t, ahead.CopyToHost(bytes, a))
		checkForgotten(t, ahead)
		require.NoError(t, ahead.Record(e))
		require.NoError(t, waiter.Wait(e))
		checkForgotten(t, ahead)
		require.NoError(t, ahead.CopyToHost(bytes, a)) // is still queued when the next round begins
		require.NoError(t, ahead.CopyToHost(bytes, a))
		require.NoError(t, waiter.Synchronize())
		require.NotEqual(t, ahead.queued, ahead.done)
		require.LessOrEqual(t, cap(ahead.ops), 16)
		require.LessOrEqual(t, d.pending, 2)
		checkForgotten(t, ahead)
	}
	require.NoError(t, ahead.Synchronize())
	require.Zero(t, d.pending)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for range 8 {
			_ = ahead.CopyToHost(bytes, a)
			_ = ahead.Record(e)
		}
		_ = waiter.Wait(e)
		_ = waiter.Synchronize()
	}))
}

// checkForgotten: the queue keeps no host memory of what has run.
func checkForgotten(t *testing.T, s *stream) {
	t.Helper()
	for i, o := range s.ops[:cap(s.ops)] {
		if i < s.head || i >= len(s.ops) {
			require.Nil(t, o.host, "operation %d; %d to %d are queued", i, s.head, len(s.ops))
		}
	}
}

func open(t *testing.T, d *Device) *stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	return s.(*stream)
}

// TestFreedMemoryOfAnotherStream: pinned memory that was freed stays while any
// stream has work, not only the one that is waited for.
func TestFreedMemoryOfAnotherStream(t *testing.T) {
	d := New(Options{})
	first, second := open(t, d), open(t, d)
	a, err := d.Alloc(4)
	require.NoError(t, err)
	m, err := d.AllocHost(4)
	require.NoError(t, err)
	copy(m.Bytes(), "abcd")
	require.NoError(t, first.Memset(a, 0, 4))
	require.NoError(t, second.CopyToDevice(a, m.Bytes()))
	require.NoError(t, m.Free())
	require.Nil(t, m.Bytes())
	require.ErrorIs(t, m.Free(), kernels.ErrClosed)

	require.NoError(t, first.Synchronize())
	require.Len(t, d.freed, 1)
	require.NoError(t, second.Synchronize())
	require.Empty(t, d.freed)
	got := make([]byte, 4)
	require.NoError(t, first.CopyToHost(got, a))
	require.NoError(t, first.Synchronize())
	require.Equal(t, "abcd", string(got))
}

// TestNothingIsGivenBackUnderWork: what gives memory back waits for work that runs.
func TestNothingIsGivenBackUnderWork(t *testing.T) {
	d := New(Options{})
	a, err := d.Alloc(4)
	require.NoError(t, err)
	m, err := d.AllocHost(4)
	require.NoError(t, err)
	for name, free := range map[string]func() error{
		"host memory": m.Free, "device memory": func() error { return d.Free(a) }, "device": nil,
	} {
		work := &d.work
		if name == "device" {
			other := New(Options{})
			free, work = other.Close, &other.work
		}
		work.Lock() // as Synchronize does
		done := make(chan error, 1)
		go func() { done <- free() }()
		for range 1000 {
			runtime.Gosched()
		}
		require.Empty(t, done, name)
		work.Unlock()
		require.NoError(t, <-done, name)
	}
}
