package streampool_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// TestAttributes: the eight attributes by their numbers, what they are at first, and
// what they take.
func TestAttributes(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p := w.pool(0)
	for i, c := range []struct {
		first  uint64
		accept []uint64
		refuse []uint64
	}{
		{1, []uint64{0, 1}, []uint64{2, math.MaxUint64}},
		{1, []uint64{0, 1}, []uint64{2, math.MaxUint64}},
		{1, []uint64{0, 1}, []uint64{2, math.MaxUint64}},
		{0, []uint64{0, 1, 4096, math.MaxUint64, 0}, nil},
		{0, nil, []uint64{0, 1}},
		{0, []uint64{0}, []uint64{1, math.MaxUint64}},
		{0, nil, []uint64{0, 1}},
		{0, []uint64{0}, []uint64{1, math.MaxUint64}},
	} {
		a := kernels.PoolAttr(i + 1)
		require.Equal(t, c.first, p.get(a), a)
		for _, v := range c.accept {
			require.NoError(t, p.SetAttr(a, v), a)
			require.Equal(t, v, p.get(a), a)
		}
		before := p.get(a)
		for _, v := range c.refuse {
			err := p.SetAttr(a, v)
			require.ErrorIs(t, err, kernels.ErrPoolAttr, a)
			require.ErrorContains(t, err, a.String())
			require.Equal(t, before, p.get(a), a)
		}
	}
	for _, a := range []kernels.PoolAttr{0, 9, math.MaxUint32} {
		require.ErrorIs(t, p.SetAttr(a, 0), kernels.ErrPoolAttr)
		_, err := p.GetAttr(a)
		require.ErrorIs(t, err, kernels.ErrPoolAttr)
	}
	p.free(p.malloc(1, s), s)
}

// TestAccounts: reserved and used, current and high, and the high-water marks begin
// again from what is current.
func TestAccounts(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 1024})
	s := w.stream()
	p := w.pool(0)
	accounts := func() [4]uint64 {
		return [4]uint64{
			p.get(kernels.PoolReservedCurrent), p.get(kernels.PoolReservedHigh), p.get(kernels.PoolUsedCurrent), p.get(kernels.PoolUsedHigh),
		}
	}
	a, b := p.malloc(1000, s), p.malloc(100, s)
	require.Equal(t, [4]uint64{2048, 2048, 1280, 1280}, accounts())
	p.free(a, s)
	require.Equal(t, [4]uint64{2048, 2048, 256, 1280}, accounts())
	require.NoError(t, p.SetAttr(kernels.PoolUsedHigh, 0))
	require.Equal(t, [4]uint64{2048, 2048, 256, 256}, accounts())
	require.NoError(t, s.Synchronize())
	require.Equal(t, [4]uint64{1024, 2048, 256, 256}, accounts())
	require.NoError(t, p.SetAttr(kernels.PoolReservedHigh, 0))
	require.Equal(t, [4]uint64{1024, 1024, 256, 256}, accounts())
	p.free(b, s)
}

// TestReleaseThreshold: what is free beyond the threshold goes back at the next
// synchronization of a stream, and not before.
func TestReleaseThreshold(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 1024})
	s, other := w.stream(), w.stream()
	p := w.pool(0)
	reserved := func() uint64 { return p.get(kernels.PoolReservedCurrent) }
	fill := func() {
		var all []kernels.Addr
		for range 8 {
			a := p.malloc(1024, s)
			work(t, s, a)
			all = append(all, a)
		}
		for _, a := range all {
			p.free(a, s)
		}
		require.EqualValues(t, 8192, reserved())
	}
	for _, c := range []struct{ threshold, left uint64 }{
		{0, 0}, {1, 1024}, {2000, 2048}, {4096, 4096}, {8192, 8192}, {math.MaxUint64, 8192},
	} {
		require.NoError(t, p.SetAttr(kernels.PoolReleaseThreshold, c.threshold))
		fill()
		require.NoError(t, other.Synchronize())
		require.EqualValues(t, 8192, reserved(), "work of the stream may still use it")
		require.NoError(t, s.Synchronize())
		require.Equal(t, c.left, reserved(), "threshold %d", c.threshold)
	}
}

// TestEventSynchronizeReleases: a wait of the host for an event is one as well.
func TestEventSynchronizeReleases(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 1024})
	s, e := w.stream(), w.event()
	p := w.pool(0)
	a, b := p.malloc(1024, s), p.malloc(1024, s)
	work(t, s, a)
	p.free(a, s)
	require.NoError(t, s.Record(e))
	work(t, s, b)
	p.free(b, s)
	require.NoError(t, e.Synchronize())
	require.EqualValues(t, 1024, p.get(kernels.PoolReservedCurrent), "the work behind the event has not run")
}

// TestThresholdCountsWhatIsFree: what is in use does not count as free.
func TestThresholdCountsWhatIsFree(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Region: 1024})
	s := w.stream()
	p := w.pool(0, attr{kernels.PoolReleaseThreshold, 2048})
	reserved := func() uint64 { return p.get(kernels.PoolReservedCurrent) }
	var all []kernels.Addr
	for range 4 {
		all = append(all, p.malloc(1024, s))
	}
	a := p.malloc(5000, s)
	for _, b := range all {
		p.free(b, s)
	}
	require.NoError(t, s.Synchronize())
	require.EqualValues(t, 5120+2048, reserved())
	p.free(a, s)
}

// TestTrimTo: TrimTo looks at its own minimum and not at the threshold.
func TestTrimTo(t *testing.T) {
	for _, c := range []struct{ threshold, keep, left uint64 }{
		{math.MaxUint64, 0, 0}, {4096, 1024, 1024}, {0, 4096, 4096}, {0, 3000, 3072}, {0, math.MaxUint64, 8192}, {1024, 8192, 8192},
	} {
		w := newWorld(t, host.Options{}, streampool.Options{Region: 1024})
		s := w.stream()
		p := w.pool(0, attr{kernels.PoolReleaseThreshold, c.threshold})
		var all []kernels.Addr
		for range 8 {
			a := p.malloc(1024, s)
			work(t, s, a)
			all = append(all, a)
		}
		for _, a := range all {
			p.free(a, s)
		}
		require.NoError(t, p.TrimTo(0))
		require.EqualValues(t, 8192, p.Stats().Reserved, "it does not wait")
		w.finish(s)
		require.NoError(t, p.TrimTo(c.keep))
		require.Equal(t, c.left, p.Stats().Reserved)
	}
}

// TestProps: what a pool cannot be is refused, by the name of the property.
func TestProps(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{Device: 3})
	ok := props(1 << 20)
	ok.Location.ID = 3
	p, err := w.Create(ok)
	require.NoError(t, err)
	require.Equal(t, ok, p.Props())
	require.NoError(t, p.Destroy())
	for text, spoil := range map[string]func(*streampool.Props){
		"allocation type 0":        func(p *streampool.Props) { p.AllocType = 0 },
		"allocation type 2":        func(p *streampool.Props) { p.AllocType = 2 },
		"handle type":              func(p *streampool.Props) { p.HandleType = 1 },
		"location type 0":          func(p *streampool.Props) { p.Location.Type = kernels.PoolHost },
		"location type 2":          func(p *streampool.Props) { p.Location.Type = 2 },
		"location id 0, not 3":     func(p *streampool.Props) { p.Location.ID = 0 },
		"location id -1, not 3":    func(p *streampool.Props) { p.Location.ID = -1 },
		"a maximum of 255 bytes":   func(p *streampool.Props) { p.MaxSize = 255 },
		"allocation type 0, not 1": func(p *streampool.Props) { *p = streampool.Props{} },
	} {
		bad := ok
		spoil(&bad)
		_, err := w.Create(bad)
		require.ErrorIs(t, err, kernels.ErrPoolProps, text)
		require.ErrorContains(t, err, text)
	}
}

// TestDestroy: a pool in use refuses; frees that wait for work are waited for.
func TestDestroy(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p, err := w.Create(props(0))
	require.NoError(t, err)
	a, err := p.MallocAsync(1000, s)
	require.NoError(t, err)
	work(t, s, a)
	err = p.Destroy()
	require.ErrorIs(t, err, kernels.ErrInUse)
	require.ErrorContains(t, err, "1 allocations of 1024 bytes")
	require.ErrorIs(t, w.Detach(), kernels.ErrInUse)
	require.NoError(t, p.FreeAsync(a, s))
	require.NoError(t, p.Destroy())
	require.NoError(t, s.Synchronize(), "the work ran before its memory went")
	require.Zero(t, w.dev.Live().Allocs)

	for _, err := range []error{
		p.Destroy(), p.FreeAsync(a, s), p.TrimTo(0), p.SetAttr(kernels.PoolUsedHigh, 0),
		second(p.MallocAsync(1, s)), second(p.GetAttr(kernels.PoolUsedHigh)),
	} {
		require.ErrorIs(t, err, kernels.ErrClosed)
	}
}

func second[T any](_ T, err error) error { return err }
