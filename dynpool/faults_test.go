package dynpool_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
)

// fault is what failed on purpose.
type fault struct {
	first, count uint64
	slot         abi.SlotID
}

// faultsOf plays noWaits with a plan and returns the faults, by event.
func faultsOf(t *testing.T, workers int, events, batch uint64, plan dynpool.FaultPlan) ([]fault, dynpool.RunStats) {
	t.Helper()
	dev := newCountingDevice()
	a := newActor(t, dev, []byte(noWaits))
	r, err := dynpool.OpenRunner(dev, a.layout, workers, dynpool.WithArena(1<<20), dynpool.WithFaults(plan))
	require.NoError(t, err)
	l := newLedger(events)
	var mu sync.Mutex
	var faults []fault
	stats, err := r.Run(t.Context(), events, batch, func(w *dynpool.Worker, first, count uint64) error {
		_, err := a.play(w.Pool(), w.Stream(), first, count, typical)
		var full *dynpool.ExhaustedError
		if err == nil {
			l.add(first, count)
		} else if errors.As(err, &full) && full.Injected {
			mu.Lock()
			defer mu.Unlock()
			faults = append(faults, fault{first, count, full.Slot})
		}
		return err
	})
	require.NoError(t, err)
	require.Equal(t, events, l.once())
	require.Empty(t, stats.Unfit)
	require.EqualValues(t, len(faults), r.Stats().Injected)
	require.NoError(t, r.Close())
	dev.close(t)
	slices.SortFunc(faults, func(a, b fault) int {
		return slices.Compare([]uint64{a.first, ^a.count}, []uint64{b.first, ^b.count})
	})
	return faults, stats
}

// TestFaultsAreTheSame: the same seed makes the same batches fail at the same
// buffers, on any number of workers; another seed others.
func TestFaultsAreTheSame(t *testing.T) {
	plan := dynpool.FaultPlan{Rate: 100, Seed: 1}
	one, _ := faultsOf(t, 1, 3000, 10, plan)
	require.NotEmpty(t, one)
	for _, workers := range []int{1, 2, 4} {
		again, _ := faultsOf(t, workers, 3000, 10, plan)
		require.Equal(t, one, again)
	}
	plan.Seed = 2
	other, _ := faultsOf(t, 1, 3000, 10, plan)
	require.NotEqual(t, one, other)
	var hit [3]int
	for _, f := range append(one, other...) {
		hit[f.slot]++
	}
	layout := newActor(t, newCountingDevice(), []byte(noWaits)).layout
	for i, s := range layout.Slots {
		require.Equal(t, s.Scope == abi.ScopeDevice, hit[i] > 0, "each buffer on the device, and no other")
	}
}

func TestFaultRate(t *testing.T) {
	none, stats := faultsOf(t, 1, 10000, 1, dynpool.FaultPlan{Seed: 1})
	require.Empty(t, none)
	require.Equal(t, 10000, stats.Runs)

	// All fail: every range down to the single events, each of which runs again.
	for _, rate := range []uint32{1000, 1 << 31} {
		all, stats := faultsOf(t, 3, 80, 8, dynpool.FaultPlan{Rate: rate})
		require.Len(t, all, 10*(8+4+2+1))
		require.Equal(t, 10*7, stats.Splits)
		require.Equal(t, 80, stats.Retries)
		require.Equal(t, 10*(7+2*8), stats.Runs)
	}
	tenth, _ := faultsOf(t, 1, 20000, 1, dynpool.FaultPlan{Rate: 100, Seed: 3})
	require.InDelta(t, 2000, len(tenth), 150)
}

// TestChoose: the function has the last word, but not on slots that are none.
func TestChoose(t *testing.T) {
	var points []dynpool.FaultPoint
	faults, stats := faultsOf(t, 1, 6, 3, dynpool.FaultPlan{Rate: 1000, Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) {
		points = append(points, p)
		switch {
		case p.First == 3:
			return []abi.SlotID{-1, 99}[p.First%2], true
		case p.Count == 1:
			return 1, p.Try < 5
		}
		return 0, true
	}})
	require.Equal(t, 2, stats.Splits)
	require.Equal(t, 3*5, stats.Retries)
	want := []dynpool.FaultPoint{{Count: 3, Batch: 1}, {Count: 2, Batch: 1}}
	for _, first := range []uint64{0, 1, 2} {
		for try := range 6 {
			want = append(want, dynpool.FaultPoint{First: first, Count: 1, Batch: 1, Try: try})
		}
	}
	require.Equal(t, append(want, dynpool.FaultPoint{First: 3, Count: 3, Batch: 1}), points)
	require.Equal(t, fault{0, 3, 0}, faults[0])
	require.Equal(t, fault{0, 1, 1}, faults[2])
}

// TestChooseHost: a buffer in host memory does not fail.
func TestChooseHost(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return names, true },
	}))
	_, _, err := r.batch(1, 10, 30)
	require.NoError(t, err)
	line := abi.ReadHostLine(r.read(r.pool.Base(), abi.LineSize))
	require.Zero(t, line.Flags)
	r.close()
}

// TestEndlessFaults: events that a plan lets never run stop the run. They do not
// pass for unfit.
func TestEndlessFaults(t *testing.T) {
	dev := newCountingDevice()
	a := newActor(t, dev, []byte(noWaits))
	r, err := dynpool.OpenRunner(dev, a.layout, 1, dynpool.WithArena(1<<20), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) { return 0, p.First+p.Count > 5 },
	}))
	require.NoError(t, err)
	stats, err := r.Run(t.Context(), 10, 10, func(w *dynpool.Worker, first, count uint64) error {
		_, err := a.play(w.Pool(), w.Stream(), first, count, typical)
		return err
	})
	require.ErrorIs(t, err, dynpool.ErrFaults)
	require.NotErrorIs(t, err, dynpool.ErrExhausted)
	require.EqualValues(t, 5, stats.Events)
	require.Empty(t, stats.Unfit)
	failed := batchErrors(err)
	require.Len(t, failed, 1)
	require.Equal(t, [2]uint64{5, 5}, [2]uint64{failed[0].First, failed[0].Count})
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestFaultError: the error says that there was room. A failure before it is no
// fault, and neither is the batch that ends before it.
func TestFaultError(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return tracks, true },
	}))
	_, _, err := r.batch(1, 10, 30)
	only(t, err, dynpool.ErrExhausted)
	var full *dynpool.ExhaustedError
	require.ErrorAs(t, err, &full)
	require.Equal(t, &dynpool.ExhaustedError{
		Failure:  dynpool.Failure{Buffer: "tracks", Step: "step2", Slot: tracks, Failed: 1},
		Injected: true, Wanted: 256, Capacity: 1 << 16, Used: 512, HighWater: 512, Demand: 768,
	}, full)
	require.ErrorContains(t, err, "65536 are in use: made to fail by a fault plan")

	_, _, err = r.batch(1, 1<<20, 30)
	only(t, err, dynpool.ErrCount)
	_, _, err = r.batch(1, 1000, 19)
	only(t, err, dynpool.ErrArithmetic)
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	_, err = b.End()
	require.NoError(t, err)
	require.EqualValues(t, 1, r.pool.Stats().Injected)
	r.close()

	// An injected failure does not explain the one of another buffer.
	r = newRig(t, small(), dynpool.WithArena(256), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return tracks, true },
	}))
	_, _, err = r.batch(1, 1000, 30)
	require.ErrorAs(t, err, &full)
	require.Equal(t, "hits", full.Buffer)
	require.False(t, full.Injected)
	require.Zero(t, r.pool.Stats().Injected)
	r.close()
}

// TestFaultsOfAPool: a pool alone counts its batches, and the batch after a fault is
// spared, so that Split ends at any rate.
func TestFaultsOfAPool(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{Rate: 1000}))
	l := newLedger(16)
	stats, err := dynpool.Split(16, func(first, count uint64) error {
		_, _, err := r.batch(count, 10, 30)
		if err == nil {
			l.add(first, count)
		}
		return err
	})
	require.NoError(t, err)
	require.EqualValues(t, 16, l.once())
	require.Empty(t, stats.Unfit)
	require.EqualValues(t, r.pool.Stats().Injected, stats.Splits+stats.Retries)
	r.close()

	// Each batch is decided for itself.
	r = newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{Rate: 300}))
	for range 1000 {
		_, _, _ = r.batch(1, 10, 30)
	}
	require.InDelta(t, 1000*0.3/1.3, r.pool.Stats().Injected, 60, "each third or so, but not the one after it")
	r.close()

	var points []dynpool.FaultPoint
	r = newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) {
			points = append(points, p)
			return hits, p.Batch == 2
		},
	}))
	for range 4 {
		_, _, _ = r.batch(1, 10, 30)
	}
	require.Equal(t, []dynpool.FaultPoint{{Batch: 1}, {Batch: 2}, {Batch: 3, Try: 1}, {Batch: 4}}, points)
	r.close()
}

// TestFaultsWithoutSlots: where nothing can fail nothing does.
func TestFaultsWithoutSlots(t *testing.T) {
	dev := newCountingDevice()
	r, err := dynpool.OpenRunner(dev, nothing(t), 1, dynpool.WithFaults(dynpool.FaultPlan{Rate: 1000}))
	require.NoError(t, err)
	_, err = r.Run(t.Context(), 4, 2, func(w *dynpool.Worker, _, _ uint64) error {
		b, err := w.Pool().Begin(w.Stream())
		require.NoError(t, err)
		_, err = b.End()
		return err
	})
	require.NoError(t, err)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestFaultOfNoBatch: what a batch that could not begin was to fail at does not
// explain a failure of the next.
func TestFaultOfNoBatch(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(256), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) { return hits, p.Batch == 1 },
	}))
	_, err := r.pool.Begin(&failingStream{Stream: r.stream, fail: 1}, 1, 2)
	require.ErrorIs(t, err, errBroken)
	_, _, err = r.batch(1, 1000, 30)
	var full *dynpool.ExhaustedError
	require.ErrorAs(t, err, &full)
	require.Equal(t, "hits", full.Buffer)
	require.False(t, full.Injected)
	r.close()
}

// TestFaultsOfTwoBatches: a function may play several batches; all of a first try
// may fail, none of a second.
func TestFaultsOfTwoBatches(t *testing.T) {
	dev := newCountingDevice()
	a := newActor(t, dev, []byte(noWaits))
	var points []dynpool.FaultPoint
	r, err := dynpool.OpenRunner(dev, a.layout, 1, dynpool.WithArena(1<<20), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) {
			points = append(points, p)
			return 0, p.Try == 0
		},
	}))
	require.NoError(t, err)
	play := func(w *dynpool.Worker, first, count uint64) error {
		_, err1 := a.play(w.Pool(), w.Stream(), first, count, typical)
		_, err2 := a.play(w.Pool(), w.Stream(), first, count, typical)
		return errors.Join(err1, err2)
	}
	_, err = r.Run(t.Context(), 1, 1, play)
	require.NoError(t, err)
	require.Equal(t, []dynpool.FaultPoint{
		{Count: 1, Batch: 1}, {Count: 1, Batch: 2}, {Count: 1, Batch: 1, Try: 1}, {Count: 1, Batch: 2, Try: 1},
	}, points)

	// What the caller does not want to be split is not tried again.
	stats, err := r.Run(t.Context(), 1, 1, play, dynpool.SplitOn(func(error) bool { return false }))
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.Equal(t, 1, stats.Runs)
	require.NoError(t, r.Close())
	dev.close(t)
}
