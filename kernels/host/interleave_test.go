package host_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// atRandom lets a random stream run, or ends the call, which some seeds do more often
// than others.
func atRandom(seed uint64) func(ready int, waiting bool) int {
	r := rand.New(rand.NewPCG(seed, 0))
	idle := r.IntN(5)
	return func(ready int, _ bool) int {
		if r.IntN(5) < idle {
			return -1
		}
		return r.IntN(ready)
	}
}

func always(i int) func(int, bool) int { return func(int, bool) int { return i } }

func TestConformanceInterleaved(t *testing.T) {
	seed := uint64(0)
	kernelstest.Run(t, func() kernels.Device {
		seed++
		return host.New(host.Options{Interleave: atRandom(seed)})
	})
}

func drawProgram(t *rapid.T) program {
	p := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) call {
		return call{
			action: action(rapid.IntRange(0, int(syncStream)).Draw(t, "action")),
			stream: rapid.IntRange(0, 3).Draw(t, "stream"),
			event:  rapid.IntRange(0, 3).Draw(t, "event"),
		}
	}), 0, 40).Draw(t, "program")
	for s := range 4 {
		p = append(p, call{action: syncStream, stream: s})
	}
	return p
}

// Whatever the function says, what happens is legal, and happens again.
func TestInterleave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := program(drawProgram(t))
		check := func(play func() history) history {
			h := play()
			require.True(t, p.complete(h), "%v", h)
			require.True(t, p.legal(h), "%v", h)
			require.Equal(t, h, play(), "a second run differs")
			return h
		}
		for range 10 {
			seed := rapid.Uint64().Draw(t, "seed")
			check(func() history { return p.play(t, atRandom(seed)) })
		}
		plain := check(func() history { return p.play(t, nil) })
		for _, i := range []int{-1, math.MinInt, 4, math.MaxInt} {
			require.Equal(t, plain, check(func() history { return p.play(t, always(i)) }), "no stream %d", i)
		}
		check(func() history { return p.play(t, always(0)) })
		check(func() history {
			return p.play(t, func(ready int, _ bool) int { return ready - 1 })
		})
	})
}

// What the function is asked, and what comes of its answers.
func TestInterleaveAsks(t *testing.T) {
	type ask struct {
		ready   int
		waiting bool
	}
	var asks []ask
	var answers []int
	d := host.New(host.Options{Interleave: func(ready int, waiting bool) int {
		asks = append(asks, ask{ready, waiting})
		i := answers[0]
		answers = answers[1:]
		return i
	}})
	ran := ""
	require.NoError(t, d.Register("run", func(_ host.Memory, _ kernels.Grid, args kernels.Args) error {
		ran += string(rune(args[0]))
		return nil
	}))
	k, err := d.Kernel("run")
	require.NoError(t, err)
	closed, first, second := newStream(t, d), newStream(t, d), newStream(t, d)
	e, err := d.NewEvent()
	require.NoError(t, err)
	check := func(f func() error, give []int, want []ask, wantRan string) {
		t.Helper()
		asks, answers, ran = nil, give, ""
		require.NoError(t, f())
		require.Empty(t, answers)
		require.Equal(t, want, asks)
		require.Equal(t, wantRan, ran)
	}
	launch := func(s kernels.Stream, name rune) func() error {
		return func() error { return s.Launch(k, one, kernels.Args{uint64(name)}) }
	}
	query := func(want bool) func() error {
		return func() error {
			done, err := e.Query()
			require.Equal(t, want, done)
			return err
		}
	}
	check(launch(closed, 'x'), []int{-1}, []ask{{1, false}}, "")
	check(closed.Close, []int{0}, []ask{{1, true}}, "x")

	check(launch(second, 'a'), []int{1}, []ask{{1, false}}, "")
	check(launch(first, 'b'), []int{2}, []ask{{2, false}}, "")
	check(func() error { return first.Record(e) }, []int{0, 1, -1}, []ask{{2, false}, {2, false}, {1, false}}, "ba")
	check(func() error { return second.Wait(e) }, []int{-1}, []ask{{1, false}}, "")
	check(launch(second, 'c'), []int{-1}, []ask{{1, false}}, "")
	check(launch(first, 'd'), []int{-1}, []ask{{1, false}}, "")
	check(query(false), []int{-1}, []ask{{1, false}}, "")
	check(query(true), []int{0, -1}, []ask{{1, false}, {2, false}}, "")
	check(launch(first, 'e'), []int{-1}, []ask{{2, false}}, "")
	check(e.Synchronize, []int{0, 1, -1}, []ask{{2, false}, {2, false}, {2, false}}, "d")
	check(second.Synchronize, []int{0, -1}, []ask{{2, true}, {1, true}}, "ec")
	check(first.Synchronize, nil, nil, "")
	check(query(true), nil, nil, "")

	// A wait goes the way it would go without the function where that gives up.
	check(launch(first, 'f'), []int{-1}, []ask{{1, false}}, "")
	check(func() error { return first.Record(e) }, []int{-1}, []ask{{1, false}}, "")
	check(launch(first, 'g'), []int{-1}, []ask{{1, false}}, "")
	check(func() error { return second.Wait(e) }, []int{-1}, []ask{{1, false}}, "")
	check(launch(second, 'h'), []int{-1}, []ask{{1, false}}, "")
	check(second.Synchronize, []int{-1, 5, -1, -1, -1}, []ask{{1, true}, {1, true}, {2, true}, {2, true}, {1, false}}, "fh")
	check(e.Close, nil, nil, "")
	check(first.Close, []int{0}, []ask{{1, true}}, "g")
}

// Work that has not run when its memory is freed fails, work that has run does not.
func TestInterleaveAndFree(t *testing.T) {
	for answer, want := range map[int]error{-1: kernels.ErrBadAddress, 0: nil} {
		d := host.New(host.Options{Interleave: always(answer)})
		s := newStream(t, d)
		a, b := alloc(t, d, 8), alloc(t, d, 8)
		require.NoError(t, s.Memset(a, 1, 8))
		m, err := d.AllocHost(8)
		require.NoError(t, err)
		copy(m.Bytes(), "pinned")
		require.NoError(t, s.CopyToDevice(b, m.Bytes()))
		require.NoError(t, d.Free(a))
		require.NoError(t, m.Free(), "a copy that is queued keeps the memory")
		require.ErrorIs(t, s.Synchronize(), want)
		require.NoError(t, d.Free(b))
		require.NoError(t, s.Close())
		require.NoError(t, d.Close())
	}
}
