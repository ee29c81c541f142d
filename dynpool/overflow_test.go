package dynpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// velo is one worker that plays the track finding in the VELO.
type velo struct {
	t   *testing.T
	dev *countingDevice
	a   *actor
	r   *dynpool.Runner
}

func newVelo(t *testing.T, arena uint64) *velo {
	t.Helper()
	dev := newCountingDevice()
	a := newActor(t, dev, hlt1.Velo())
	r, err := dynpool.OpenRunner(dev, a.layout, 1, dynpool.WithArena(arena))
	require.NoError(t, err)
	return &velo{t, dev, a, r}
}

func (v *velo) play(count uint64, values counted) (dynpool.Status, error) {
	w := v.r.Workers()[0]
	return v.a.play(w.Pool(), w.Stream(), 0, count, values)
}

// close requires that a batch runs after what has happened, and that nothing leaks.
func (v *velo) close() {
	v.t.Helper()
	_, err := v.play(10, typical)
	require.NoError(v.t, err)
	require.NoError(v.t, v.r.Close())
	v.dev.close(v.t)
}

// with returns the typical counts, but for one.
func with(name string, value func(typical, most uint64) uint64) counted {
	return func(n string, _, _, typical, most uint64) uint64 {
		if n == name {
			return value(typical, most)
		}
		return typical
	}
}

// TestCountOverMax: a count that is above its max is named, with the max.
func TestCountOverMax(t *testing.T) {
	v := newVelo(t, 64<<20)
	_, err := v.play(10, with("clusters", func(_, most uint64) uint64 { return most }))
	require.NoError(t, err)
	_, err = v.play(10, with("clusters", func(_, most uint64) uint64 { return most + 1 }))
	only(t, err, dynpool.ErrCount)
	var count *dynpool.CountError
	require.ErrorAs(t, err, &count)
	require.Equal(t, uint64(50001), count.Value)
	require.True(t, count.MaxKnown)
	require.Equal(t, uint64(50000), count.Max)
	require.Equal(t, "prefix_sum_offsets_estimated_input_size.dev_output_buffer[2080]", count.Count)
	require.NotEmpty(t, count.Buffer)
	require.EqualValues(t, 1, v.r.Stats().Failures.Count)
	v.close()
}

// TestGarbageCount: memory of all ones is a count like another.
func TestGarbageCount(t *testing.T) {
	ones := func(_, _ uint64) uint64 { return ^uint64(0) }
	v := newVelo(t, 64<<20)
	for _, name := range []string{"clusters", "tracks_4hit"} {
		_, err := v.play(10, with(name, ones))
		only(t, err, dynpool.ErrCount)
		var count *dynpool.CountError
		require.ErrorAs(t, err, &count)
		require.Equal(t, uint64(1<<32-1), count.Value, "the widest u32")
	}
	v.close()

	// Without a max it is a size that no arena has, or that leaves uint64.
	for width, want := range map[string]error{"u8": nil, "u32": dynpool.ErrExhausted, "u64": dynpool.ErrArithmetic} {
		dev := newCountingDevice()
		a := newActor(t, dev, []byte(`
seqplan: 1
name: no_max
params: {n_events: {min: 1, max: 10}}
counts: {n: {at: "at[n_events]", typical: "9"}}
steps:
  - {name: count, writes: {at: {type: `+width+`, count: "n_events + 1"}}}
  - {name: use, writes: {x: {type: u64, count: "n"}}}
outputs: [x]
`))
		r, err := dynpool.OpenRunner(dev, a.layout, 1, dynpool.WithArena(1<<20))
		require.NoError(t, err)
		w := r.Workers()[0]
		_, err = a.play(w.Pool(), w.Stream(), 0, 1, with("n", ones))
		require.ErrorIs(t, err, want, width)
		_, err = a.play(w.Pool(), w.Stream(), 0, 1, typical)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		dev.close(t)
	}
}

// TestZeroCounts: buffers of no elements are placed, also where there is no memory.
func TestZeroCounts(t *testing.T) {
	none := func(string, uint64, uint64, uint64, uint64) uint64 { return 0 }
	v := newVelo(t, 64<<20)
	_, err := v.play(10, none)
	require.NoError(t, err)
	v.close()

	dev := newCountingDevice()
	a := newActor(t, dev, []byte(`
seqplan: 1
name: zero
params: {n_events: {min: 1, max: 10}}
counts: {n: {at: "at[n_events]", typical: "9", max: "10"}}
steps:
  - {name: count, writes: {at: {type: u32, count: "n_events + 1"}}}
  - {name: use, writes: {x: {type: u64, count: "n"}, y: {type: u8, count: "n", scope: host}}}
outputs: [x, y]
`))
	r, err := dynpool.OpenRunner(dev, a.layout, 1) // no arena
	require.NoError(t, err)
	w := r.Workers()[0]
	status, err := a.play(w.Pool(), w.Stream(), 0, 1, none)
	require.NoError(t, err)
	require.Equal(t, []abi.Slot{{Offset: w.Pool().ArenaStart()}, {Offset: abi.NotPlaced}}, status.Slots)
	_, err = a.play(w.Pool(), w.Stream(), 0, 1, typical)
	only(t, err, dynpool.ErrExhausted)
	require.Equal(t, dynpool.Failures{Exhausted: 1}, r.Stats().Failures)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestUnfitEvent: one event that fits no arena is noted and passed through; all
// others run, whatever batch they came in.
func TestUnfitEvent(t *testing.T) {
	const events, large = 100, 37
	values := func(name string, first, count, typical, most uint64) uint64 {
		if name == "clusters" && first <= large && large < first+count {
			return most
		}
		return typical
	}
	v := newVelo(t, 64<<20)
	need, err := v.play(1, typical)
	require.NoError(t, err)
	most, err := v.play(1, with("clusters", func(_, most uint64) uint64 { return most }))
	require.NoError(t, err)
	require.Greater(t, most.High, need.High)
	v.close()

	v = newVelo(t, most.High-1)
	l := newLedger(events)
	stats, err := v.r.Run(t.Context(), events, 20, func(w *dynpool.Worker, first, count uint64) error {
		_, err := v.a.play(w.Pool(), w.Stream(), first, count, values)
		if err == nil {
			l.add(first, count)
		}
		return err
	})
	require.NoError(t, err)
	require.Len(t, stats.Unfit, 1)
	require.EqualValues(t, large, stats.Unfit[0].Event)
	only(t, stats.Unfit[0].Err, dynpool.ErrExhausted)
	require.Zero(t, l.ran[large])
	require.EqualValues(t, events-1, l.once())
	sum := v.r.Stats()
	require.EqualValues(t, 1, sum.Unfit)
	require.EqualValues(t, events-1, sum.Events)
	require.EqualValues(t, stats.Splits, sum.Splits)
	require.Equal(t, most.High-1, sum.Capacity)
	require.LessOrEqual(t, sum.HighWater, sum.Capacity)
	require.Greater(t, sum.Demand, sum.Capacity)
	require.NoError(t, v.r.Close())
	v.dev.close(t)
}
