package streampool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

const kib = 1024

// fill takes pieces of some sizes, with work on them, and frees them.
func fill(p *pool, s kernels.Stream, sizes ...uint64) {
	var all []kernels.Addr
	for _, size := range sizes {
		a := p.malloc(size, s)
		work(p.t, s, a)
		all = append(all, a)
	}
	for _, a := range all {
		p.free(a, s)
	}
}

// TestUnite: a pool that keeps its memory makes one region of all, once nothing is used
// by anybody, so that what comes next finds one piece.
func TestUnite(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: kib})
	s := w.stream()
	p := w.pool(0, keep)
	fill(p, s, 4*kib, 6*kib, 10*kib)
	require.Equal(t, 3, p.Stats().Regions)
	a := p.malloc(kib, s)
	require.Equal(t, 3, p.Stats().Regions, "work may still use them")
	require.NoError(t, s.Synchronize())
	b := p.malloc(kib, s)
	require.Equal(t, 3, p.Stats().Regions, "one is in use")
	p.free(a, s)
	p.free(b, s)
	require.NoError(t, s.Synchronize())
	fill(p, s, 20*kib)
	require.Equal(t, streampool.Stats{
		Reserved: 20 * kib, ReservedHigh: 20 * kib, UsedHigh: 20 * kib, Pending: 20 * kib, Regions: 1,
		Grown: 4, GivenBack: 3, FromStream: p.Stats().FromStream, FromFinished: p.Stats().FromFinished,
	}, p.Stats())
	require.NoError(t, s.Synchronize())
	fill(p, s, 4*kib, 6*kib, 10*kib)
	require.EqualValues(t, 4, p.Stats().Grown, "it fits")

	low := w.pool(0, attr{kernels.PoolReleaseThreshold, 12 * kib})
	fill(low, s, 4*kib, 6*kib, 10*kib)
	require.NoError(t, s.Synchronize())
	require.EqualValues(t, 20*kib-6*kib, low.Stats().Reserved, "the threshold keeps two of them")
	fill(low, s, kib)
	require.Equal(t, 2, low.Stats().Regions, "what it may not keep is not united")
}

// TestUniteRefused: where the device has no room for the one region, the pool goes on
// with less.
func TestUniteRefused(t *testing.T) {
	dev := &faulty{Device: host.New(host.Options{}), failWith: kernels.ErrOutOfMemory}
	r, err := streampool.New(dev, streampool.Options{Region: kib})
	require.NoError(t, err)
	s, err := r.NewStream()
	require.NoError(t, err)
	raw, err := r.Create(props(0))
	require.NoError(t, err)
	require.NoError(t, raw.SetAttr(keep.attr, keep.value))
	p := &pool{raw, t}
	fill(p, s, 4*kib, 6*kib)
	require.NoError(t, s.Synchronize())
	dev.failAt = dev.calls + 3 // two regions go back
	fill(p, s, 3*kib)
	require.Equal(t, []string{"Free", "Free", "Alloc", "Alloc"}, dev.log[dev.failAt-3:dev.failAt+1])
	require.EqualValues(t, 3*kib, p.Stats().Reserved)
	require.NoError(t, p.Destroy())
	require.NoError(t, s.Close())
	require.NoError(t, r.Close())
}

// TestGrowthExchanges: a pool that keeps its memory gives back what is too small when
// it grows, and takes as much in one piece; one that does not, takes only what it needs.
func TestGrowthExchanges(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: kib})
	s := w.stream()
	p := w.pool(0, keep)
	used := p.malloc(kib, s)
	fill(p, s, 4*kib, 6*kib)
	require.NoError(t, s.Synchronize())
	a := p.malloc(7*kib, s)
	require.EqualValues(t, kib+10*kib, p.Stats().Reserved)
	require.Equal(t, 2, p.Stats().Regions)
	p.free(a, s)

	q := w.pool(0, attr{kernels.PoolReleaseThreshold, 10 * kib}) // of what is free
	usedToo := q.malloc(kib, s)
	fill(q, s, 4*kib, 6*kib)
	require.NoError(t, s.Synchronize())
	require.EqualValues(t, kib+10*kib, q.Stats().Reserved)
	a = q.malloc(7*kib, s)
	require.EqualValues(t, kib+10*kib+7*kib, q.Stats().Reserved)
	q.free(a, s)
	q.free(usedToo, s)
	p.free(used, s)
}

// TestSmallFromTheEnd: what is small beside the pool is cut from the end of a piece, and
// leaves the start to what is large.
func TestSmallFromTheEnd(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 64 * kib})
	s := w.stream()
	p := w.pool(0, keep)
	large := p.malloc(4*kib, s)
	small := p.malloc(4*kib-256, s)
	require.Equal(t, large+60*kib+256, small)
	more := p.malloc(56*kib, s)
	require.Equal(t, large+4*kib, more, "the two do not mix")
	for _, a := range []kernels.Addr{large, small, more} {
		p.free(a, s)
	}
}

// TestAlone: where there is one stream, what it frees is one piece with all that is free
// beside it; a second stream makes the difference between earlier and later matter.
func TestAlone(t *testing.T) {
	for _, streams := range []int{1, 2} {
		w := newWorld(t, host.Options{}, streampool.Options{Region: 4 * kib})
		s := w.stream()
		for range streams - 1 {
			w.stream()
		}
		p := w.pool(0, keep)
		var all []kernels.Addr
		for range 4 {
			all = append(all, p.malloc(kib, s))
		}
		for _, a := range all {
			work(t, s, a)
			p.free(a, s)
		}
		p.free(p.malloc(4*kib, s), s)
		require.EqualValues(t, streams-1, p.Stats().FromRun, "with %d streams they are pieces", streams)
		require.Equal(t, 1, p.Stats().Regions)
	}
}

// TestAloneAgain: what has finished is not joined with what has not, also where the last
// of several streams is left.
func TestAloneAgain(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 4 * kib})
	s, e := w.stream(), w.event()
	other, err := w.NewStream()
	require.NoError(t, err)
	p := w.pool(0, keep)
	var all []kernels.Addr
	for range 4 {
		all = append(all, p.malloc(kib, s))
	}
	work(t, s, all[0])
	p.free(all[0], s)
	require.NoError(t, s.Record(e))
	work(t, s, all[1])
	p.free(all[1], s)
	require.NoError(t, other.Close())
	for _, a := range all[2:] {
		work(t, s, a)
		p.free(a, s)
	}
	require.NoError(t, e.Synchronize())
	require.NoError(t, p.TrimTo(0))
	require.EqualValues(t, 3*kib, p.Stats().Pending)
	require.EqualValues(t, 4*kib, p.Stats().Reserved)
	require.NoError(t, s.Synchronize(), "its work has its memory")
}
