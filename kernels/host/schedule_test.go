package host_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// inOrder lets work run only where the host waits for it, and then of the streams that
// are ready the first one in a list.
func inOrder(order ...int) func([]int, bool) int {
	return func(ready []int, waiting bool) int {
		if waiting {
			for _, s := range order {
				if i := slices.Index(ready, s); i >= 0 {
					return i
				}
			}
		}
		return -1
	}
}

// A schedule that does not look at the numbers is an Interleave, and one that does is
// legal too.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		seed := rapid.Uint64().Draw(t, "seed")
		same := atRandom(seed)
		require.Equal(t, p.play(t, atRandom(seed)), p.playOn(t, host.Options{
			Schedule:   func(ready []int, waiting bool) int { return same(len(ready), waiting) },
			Interleave: func(int, bool) int { panic("nobody asks") },
		}))
		order := rapid.Permutation([]int{0, 1, 2, 3}).Draw(t, "order")
		h := p.playOn(t, host.Options{Schedule: inOrder(order...)})
		require.True(t, p.complete(h), "%v", h)
		require.True(t, p.legal(h), "%v", h)
	})
}

// The first stream runs as far as it can, then the next one, and others run one operation
// at a time until it can go on.
func TestScheduleByNumber(t *testing.T) {
	play := func(order ...int) string {
		ran := ""
		d := host.New(host.Options{Schedule: inOrder(order...)})
		require.NoError(t, d.Register("run", func(_ host.Memory, _ kernels.Grid, args kernels.Args) error {
			ran += string(rune(args[0]))
			return nil
		}))
		k, err := d.Kernel("run")
		require.NoError(t, err)
		require.NoError(t, newStream(t, d).Close()) // it keeps the number 0
		a, b, c := newStream(t, d), newStream(t, d), newStream(t, d)
		e, err := d.NewEvent()
		require.NoError(t, err)
		launch := func(s kernels.Stream, names string) {
			for _, name := range names {
				require.NoError(t, s.Launch(k, one, kernels.Args{uint64(name)}))
			}
		}
		launch(a, "ab")
		require.NoError(t, a.Record(e))
		launch(a, "c")
		launch(b, "l")
		require.NoError(t, b.Wait(e))
		launch(b, "mn")
		launch(c, "xy")
		for _, s := range []kernels.Stream{c, b, a} {
			require.NoError(t, s.Synchronize())
			require.NoError(t, s.Close())
		}
		require.NoError(t, e.Close())
		require.NoError(t, d.Close())
		return ran
	}
	require.Equal(t, "abclmnxy", play(1, 2, 3))
	require.Equal(t, "labmncxy", play(2, 1, 3))
	require.Equal(t, "lxyabmnc", play(2, 3, 1))
	require.Equal(t, "xylabmnc", play(3, 2, 1), "c is no reason to go on with a")
	require.Equal(t, "xylabmnc", play(), "as it would be without the function")
}
