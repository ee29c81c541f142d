package streampool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// work queues something that uses memory.
func work(t testing.TB, s kernels.Stream, a kernels.Addr) {
	t.Helper()
	require.NoError(t, s.Memset(a, 1, 1))
}

// TestReuseInAStream: what tasks before have freed serves the next in the stream.
func TestReuseInAStream(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p := w.pool(0, only()...)
	a := p.malloc(1000, s)
	work(t, s, a)
	p.free(a, s)
	require.Equal(t, a, p.malloc(1000, s))
	require.EqualValues(t, 1, p.Stats().FromStream)
	p.free(a, s)
}

// TestClosestSize: of what is free the closest in size is taken.
func TestClosestSize(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p := w.pool(0, keep)
	var all []kernels.Addr
	held := []uint64{4096, 1024, 2048, 512, 8192}
	for _, size := range held {
		all = append(all, p.malloc(size, s))
		all = append(all, p.malloc(256, s)) // keeps neighbours apart
	}
	for i := 0; i < len(all); i += 2 {
		p.free(all[i], s)
	}
	var got []kernels.Addr
	for _, c := range []struct {
		size uint64
		from int
	}{{1100, 4}, {300, 6}, {1024, 2}, {4000, 0}, {8192, 8}, {700, 4}} { // what is left of 2048 is 768
		a := p.malloc(c.size, s)
		require.GreaterOrEqual(t, a, all[c.from], "%d", c.size)
		require.LessOrEqual(t, uint64(a)+c.size, uint64(all[c.from])+held[c.from/2], "%d", c.size)
		got = append(got, a)
	}
	for _, a := range got {
		p.free(a, s)
	}
	for i := 1; i < len(all); i += 2 {
		p.free(all[i], s)
	}
}

// TestReuseByEvent: a stream that waits for an event uses what was freed before it,
// also where a third stream stands between them, and not what was freed after it.
func TestReuseByEvent(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	first, second, third := w.stream(), w.stream(), w.stream()
	p := w.pool(0, only(kernels.PoolReuseFollowEventDependencies)...)
	a, b := p.malloc(1000, first), p.malloc(1000, first)
	work(t, first, a)
	p.free(a, first)
	e, f := w.event(), w.event()
	require.NoError(t, first.Record(e))
	work(t, first, b)
	p.free(b, first)
	c := p.malloc(1000, third)
	require.NotContains(t, []kernels.Addr{a, b}, c, "nothing orders the streams yet")
	require.NoError(t, second.Wait(e))
	require.NoError(t, second.Record(f))
	require.NoError(t, third.Wait(f))
	require.Equal(t, a, p.malloc(1000, third))
	d := p.malloc(1000, third)
	require.NotEqual(t, b, d, "it was freed behind the event")
	require.EqualValues(t, 1, p.Stats().FromEvent)

	require.NoError(t, p.SetAttr(kernels.PoolReuseFollowEventDependencies, 0))
	require.NoError(t, first.Record(e))
	require.NoError(t, third.Wait(e))
	x := p.malloc(1000, third)
	require.NotEqual(t, b, x, "switched off")
	require.NoError(t, p.SetAttr(kernels.PoolReuseFollowEventDependencies, 1))
	require.Equal(t, b, p.malloc(1000, third))
	for _, a := range []kernels.Addr{a, b, c, d, x} {
		p.free(a, third)
	}
}

// TestReuseOpportunistic: what another stream has freed is used once its work has
// really finished, and not before.
func TestReuseOpportunistic(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	first, second := w.stream(), w.stream()
	p := w.pool(0, only(kernels.PoolReuseAllowOpportunistic)...)
	a := p.malloc(1000, first)
	work(t, first, a)
	p.free(a, first)
	b := p.malloc(1000, second)
	require.NotEqual(t, a, b, "the work has not run")

	w.finish(first)
	require.NoError(t, p.SetAttr(kernels.PoolReuseAllowOpportunistic, 0))
	c := p.malloc(1000, second)
	require.NotEqual(t, a, c, "switched off")
	require.NoError(t, p.SetAttr(kernels.PoolReuseAllowOpportunistic, 1))
	// The rest of the region serves as well and is closer at hand, so take it.
	rest := p.malloc(p.Stats().Reserved-3*1024, second)
	require.Equal(t, a, p.malloc(1000, second))
	require.EqualValues(t, 1, p.Stats().FromOpportunity)
	for _, a := range []kernels.Addr{a, b, c, rest} {
		p.free(a, second)
	}
}

// TestReuseByDependency: where nothing else helps the pool makes the stream wait.
func TestReuseByDependency(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	first, second := w.stream(), w.stream()
	p := w.pool(2048, only(kernels.PoolReuseAllowInternalDependencies)...)
	a, b := p.malloc(1024, first), p.malloc(1024, first)
	out := make([]byte, 1)
	require.NoError(t, first.Memset(a, 7, 1))
	require.NoError(t, first.CopyToHost(out, a))
	p.free(a, first)
	require.Equal(t, a, p.malloc(1024, second))
	require.EqualValues(t, 1, p.Stats().FromDependency)
	require.Zero(t, p.Stats().HostWaits)
	require.Zero(t, out[0], "the host did not wait")
	require.NoError(t, second.Memset(a, 9, 1))
	require.NoError(t, second.Synchronize())
	require.EqualValues(t, 7, out[0], "the second stream waited for the first")
	p.free(a, second)
	p.free(b, second)

	// Off: the host waits instead.
	require.NoError(t, p.SetAttr(kernels.PoolReuseAllowInternalDependencies, 0))
	c := p.malloc(2048, first)
	work(t, first, c)
	p.free(c, first)
	require.Equal(t, c, p.malloc(2048, second))
	require.EqualValues(t, 1, p.Stats().HostWaits)
	p.free(c, second)
}

// TestRunsAreNarrow: of neighbours that other streams have freed no more are taken than
// it needs.
func TestRunsAreNarrow(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	p := w.pool(768, only(kernels.PoolReuseAllowInternalDependencies)...)
	var streams []kernels.Stream
	var all []kernels.Addr
	for range 3 {
		s := w.stream()
		streams = append(streams, s)
		all = append(all, p.malloc(256, s))
	}
	for i, s := range streams {
		work(t, s, all[i])
		p.free(all[i], s)
	}
	last := w.stream()
	a := p.malloc(512, last)
	require.Equal(t, all[0], a)
	require.EqualValues(t, 1, p.Stats().FromRun)
	b := p.malloc(256, streams[2])
	require.Equal(t, all[2], b)
	require.EqualValues(t, 1, p.Stats().FromStream, "it is its own")
	p.free(a, last)
	p.free(b, streams[2])
}
