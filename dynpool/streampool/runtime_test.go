package streampool_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestConformance: a device that is followed is a device like any other.
func TestConformance(t *testing.T) {
	kernelstest.Run(t, func() kernels.Device {
		r, err := streampool.New(host.New(host.Options{}), streampool.Options{})
		require.NoError(t, err)
		return r
	})
}

func TestNew(t *testing.T) {
	_, err := streampool.New(nil, streampool.Options{})
	require.ErrorContains(t, err, "no device")
	_, err = streampool.New(host.New(host.Options{}), streampool.Options{Native: 7})
	require.ErrorContains(t, err, "unknown choice 7")
	_, err = streampool.New(host.New(host.Options{}), streampool.Options{Region: math.MaxUint64})
	require.ErrorContains(t, err, "least region")
	r, err := streampool.New(host.New(host.Options{}), streampool.Options{Native: streampool.NativeOnly})
	require.NoError(t, err)
	_, err = r.Create(props(0))
	require.ErrorIs(t, err, kernels.ErrNotSupported)
	require.ErrorContains(t, err, "host has no pools of a driver")
}

// TestForeignStreams: what the Runtime does not follow is refused.
func TestForeignStreams(t *testing.T) {
	w, other := newWorld(t, host.Options{}, streampool.Options{}), newWorld(t, host.Options{}, streampool.Options{})
	s, foreign := w.stream(), other.stream()
	raw, err := w.dev.NewStream()
	require.NoError(t, err)
	rawEvent, err := w.dev.NewEvent()
	require.NoError(t, err)
	p := w.pool(0)
	a := p.malloc(1, s)
	for _, bad := range []kernels.Stream{foreign, raw, nil} {
		_, err := p.MallocAsync(1, bad)
		require.ErrorIs(t, err, kernels.ErrForeign)
		require.ErrorIs(t, p.FreeAsync(a, bad), kernels.ErrForeign)
	}
	for _, bad := range []kernels.Event{other.event(), rawEvent, nil} {
		require.ErrorIs(t, s.Record(bad), kernels.ErrForeign)
		require.ErrorIs(t, s.Wait(bad), kernels.ErrForeign)
	}
	closed, err := w.NewStream()
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	_, err = p.MallocAsync(1, closed)
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, p.FreeAsync(a, closed), kernels.ErrClosed)
	p.free(a, s)
	require.NoError(t, errors.Join(raw.Close(), rawEvent.Close()))
}

// TestClosedStreams: the memory that a stream has freed is free when it is closed, and
// a new stream in its place starts with nothing to wait for.
func TestClosedStreams(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	p := w.pool(2048, only()...)
	last := w.stream()
	for range 10 {
		s, err := w.NewStream()
		require.NoError(t, err)
		a := p.malloc(2048, s)
		work(t, s, a)
		p.free(a, s)
		require.NoError(t, s.Close())
		require.Zero(t, p.Stats().Pending)
		b := p.malloc(2048, last)
		require.Equal(t, a, b)
		work(t, last, b)
		p.free(b, last)
	}
	require.Zero(t, p.Stats().FromDependency)
}

// TestFailingWork: a stream whose work has failed closes, and so does its memory.
func TestFailingWork(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	require.NoError(t, w.dev.Register("fail", func(host.Memory, kernels.Grid, kernels.Args) error { return errInjected }))
	k, err := w.Kernel("fail")
	require.NoError(t, err)
	p := w.pool(0)
	s := w.stream()
	bad, err := w.NewStream()
	require.NoError(t, err)
	for _, end := range []func() error{bad.Synchronize, bad.Close} {
		a := p.malloc(100, bad)
		require.NoError(t, bad.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{}))
		p.free(a, bad)
		require.ErrorIs(t, end(), errInjected)
	}
	require.ErrorIs(t, bad.Close(), kernels.ErrClosed)
	require.NoError(t, s.Synchronize())
	require.Zero(t, p.Stats().Reserved)
}

// TestEventRecordedAgain: an event stands for its last record alone.
func TestEventRecordedAgain(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	first, other, s, e := w.stream(), w.stream(), w.stream(), w.event()
	p := w.pool(0, only(kernels.PoolReuseFollowEventDependencies)...)
	a := p.malloc(1000, first)
	work(t, first, a)
	p.free(a, first)
	require.NoError(t, first.Record(e))
	require.NoError(t, other.Record(e))
	require.NoError(t, s.Wait(e))
	b := p.malloc(1000, s)
	require.NotEqual(t, a, b)
	require.NoError(t, e.Synchronize(), "of the other stream")
	c := p.malloc(1000, s)
	require.NotEqual(t, a, c)
	require.NoError(t, first.Record(e))
	done, err := e.Query()
	require.NoError(t, err)
	require.False(t, done)
	require.NoError(t, e.Synchronize())
	require.Equal(t, a, p.malloc(1000, s), "now the host knows")
	for _, a := range []kernels.Addr{a, b, c} {
		p.free(a, s)
	}
}

// TestMarkersStayFew: a stream that is never waited for does not use up events.
func TestMarkersStayFew(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s, other := w.stream(), w.stream()
	p := w.pool(0, keep)
	var all []kernels.Addr
	for range 1000 {
		a := p.malloc(256, s)
		all = append(all, a)
	}
	for _, a := range all {
		work(t, s, a)
		p.free(a, s)
	}
	require.LessOrEqual(t, w.dev.Live().Events, 64)
	big := p.malloc(p.Stats().Reserved-256*1000, other) // leaves nothing but what s has freed
	require.NoError(t, p.SetAttr(kernels.PoolReuseAllowOpportunistic, 0))
	limited := w.pool(256000, keep)
	all = all[:0]
	for range 1000 {
		all = append(all, limited.malloc(256, s))
	}
	for _, a := range all {
		work(t, s, a)
		limited.free(a, s)
	}
	for i := range all {
		all[i] = limited.malloc(256, other)
	}
	require.EqualValues(t, 1000, limited.Stats().FromDependency+limited.Stats().FromEvent)
	for _, a := range all {
		limited.free(a, other)
	}
	p.free(big, other)
}

// TestClosedRuntime: after Close nothing works any more, and nothing new can be made.
func TestClosedRuntime(t *testing.T) {
	r, err := streampool.New(host.New(host.Options{}), streampool.Options{})
	require.NoError(t, err)
	s, err := r.NewStream()
	require.NoError(t, err)
	p, err := r.Create(props(0))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.ErrorIs(t, r.Close(), kernels.ErrInUse, "the pool")
	require.ErrorIs(t, p.TrimTo(0), kernels.ErrClosed)
	require.ErrorIs(t, p.Destroy(), kernels.ErrClosed)
	_, err = r.Create(props(0))
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, err = r.NewStream()
	require.ErrorIs(t, err, kernels.ErrClosed)
}
