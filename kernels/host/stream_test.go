package host_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

var one = kernels.Grid{Blocks: 1, Threads: 1}

// Nothing runs before somebody waits for it.
func TestDeferred(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	ran := 0
	require.NoError(t, d.Register("count", func(host.Memory, kernels.Grid, kernels.Args) error { ran++; return nil }))
	k, err := d.Kernel("count")
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, s.Launch(k, one, kernels.Args{}))
	}
	require.Zero(t, ran)
	require.NoError(t, s.Synchronize())
	require.Equal(t, 3, ran)
	require.NoError(t, s.Synchronize())
	require.Equal(t, 3, ran)
}

// A wait for an event runs the other stream up to the event, and no further.
func TestEventRunsAPart(t *testing.T) {
	d := host.New(host.Options{})
	first, second := newStream(t, d), newStream(t, d)
	e, err := d.NewEvent()
	require.NoError(t, err)
	a := alloc(t, d, 1)
	got := make([]byte, 1)
	require.NoError(t, first.Memset(a, 1, 1))
	require.NoError(t, first.Record(e))
	require.NoError(t, first.Memset(a, 2, 1))
	require.NoError(t, second.Wait(e))
	require.NoError(t, second.CopyToHost(got, a))
	require.NoError(t, second.Synchronize())
	require.Equal(t, byte(1), got[0])
	require.NoError(t, first.CopyToHost(got, a))
	require.NoError(t, first.Synchronize())
	require.Equal(t, byte(2), got[0])
}

// The first error stops a stream, is told once, and does not touch other streams.
func TestErrorsAreSticky(t *testing.T) {
	for _, interleave := range []func(int, bool) int{nil, always(0), atRandom(1)} {
		testErrorsAreSticky(t, host.Options{Interleave: interleave})
	}
}

func testErrorsAreSticky(t *testing.T, opts host.Options) {
	d := host.New(opts)
	s, other := newStream(t, d), newStream(t, d)
	first := errors.New("first")
	require.NoError(t, d.Register("fail", func(_ host.Memory, _ kernels.Grid, args kernels.Args) error {
		if args[0] == 1 {
			return first
		}
		return errors.New("second")
	}))
	k, err := d.Kernel("fail")
	require.NoError(t, err)
	a := alloc(t, d, 1)
	e, err := d.NewEvent()
	require.NoError(t, err)

	require.NoError(t, s.Memset(a, 1, 1))
	require.NoError(t, s.Launch(k, one, kernels.Args{1}))
	require.NoError(t, s.Memset(a, 2, 1))
	require.NoError(t, s.Launch(k, one, kernels.Args{2}))
	require.NoError(t, s.Record(e))
	got := make([]byte, 1)
	require.NoError(t, other.Wait(e))
	require.NoError(t, other.CopyToHost(got, a))
	require.NoError(t, other.Synchronize(), "the error is that of the other stream")
	require.Equal(t, byte(1), got[0], "work after the error ran")

	err = s.Synchronize()
	require.ErrorIs(t, err, first)
	require.EqualError(t, err, "kernel fail: first")
	require.NoError(t, s.Synchronize(), "the stream can be used again")
	require.NoError(t, s.Launch(k, one, kernels.Args{2}))
	require.ErrorContains(t, s.Close(), "second")
}

func TestRegister(t *testing.T) {
	d := host.New(host.Options{})
	nothing := func(host.Memory, kernels.Grid, kernels.Args) error { return nil }
	require.NoError(t, d.Register("mine", nothing))
	require.ErrorContains(t, d.Register("mine", nothing), "exists")
	require.ErrorContains(t, d.Register(kernels.Step, nothing), "exists")
	require.ErrorContains(t, d.Register("none", nil), "nil")
	_, err := d.Kernel("none")
	require.ErrorIs(t, err, kernels.ErrNoKernel)

	other := host.New(host.Options{})
	k, err := d.Kernel("mine")
	require.NoError(t, err)
	require.ErrorIs(t, newStream(t, other).Launch(k, one, kernels.Args{}), kernels.ErrForeign)
	e, err := d.NewEvent()
	require.NoError(t, err)
	require.ErrorIs(t, newStream(t, other).Record(e), kernels.ErrForeign)
	require.ErrorIs(t, newStream(t, other).Wait(e), kernels.ErrForeign)
}

// A kernel gets what it was launched with.
func TestLaunch(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	a := alloc(t, d, 16)
	args := kernels.Args{uint64(a), 2, 3, 4, 5, 6, 7, 8}
	require.NoError(t, d.Register("k", func(mem host.Memory, grid kernels.Grid, got kernels.Args) error {
		require.Equal(t, args, got)
		require.Equal(t, kernels.Grid{Blocks: 7, Threads: 9}, grid)
		rest, err := mem.Rest(a + 4)
		require.NoError(t, err)
		require.Len(t, rest, 12)
		_, err = mem.Rest(a - 1)
		require.ErrorIs(t, err, kernels.ErrBadAddress)
		return nil
	}))
	k, err := d.Kernel("k")
	require.NoError(t, err)
	require.NoError(t, s.Launch(k, kernels.Grid{Blocks: 7, Threads: 9}, args))
	require.NoError(t, s.Synchronize())
}

// Streams of one device work from several goroutines; run with -race.
func TestConcurrentStreams(t *testing.T) {
	testConcurrentStreams(t, host.Options{})
	testConcurrentStreams(t, host.Options{Interleave: atRandom(1)})
}

func testConcurrentStreams(t *testing.T, opts host.Options) {
	d := host.New(opts)
	shared := alloc(t, d, 8)
	fill, err := d.Kernel(kernels.Fill)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for w := range uint64(8) {
		wg.Go(func() {
			s, err := d.NewStream()
			if err != nil {
				t.Error(err)
				return
			}
			for i := range uint64(20) {
				a, err := d.Alloc(100 + i)
				want, got := make([]byte, 100), make([]byte, 100)
				kernels.FillPattern(want, 0, w<<32+i)
				err = errors.Join(err,
					s.Launch(fill, one, kernels.Args{uint64(a), 0, 0, 0, 100, w<<32 + i}),
					s.Memset(shared, byte(w), 8),
					s.CopyToHost(got, a), s.Synchronize(), d.Free(a))
				if err != nil || string(got) != string(want) {
					t.Errorf("worker %d: %v", w, err)
					return
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.Equal(t, host.Live{Allocs: 1}, d.Live())
}

// A queue that is never empty does not grow: events run a part of it each time.
func TestQueueIsReused(t *testing.T) {
	d := host.New(host.Options{})
	busy, other := newStream(t, d), newStream(t, d)
	a := alloc(t, d, 8)
	e, err := d.NewEvent()
	require.NoError(t, err)
	round := func() {
		err := errors.Join(busy.Record(e), busy.Memset(a, 1, 8), other.Wait(e), other.Synchronize(), e.Synchronize())
		done, queryErr := e.Query()
		if err != nil || queryErr != nil || !done {
			t.Fatal(err, queryErr, done)
		}
	}
	for range 100 {
		round()
	}
	require.Zero(t, testing.AllocsPerRun(5000, round))
}
