package dynpool_test

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestRunGoexit: events whose function does not return are named, its batch is
// ended, and the runner works on.
func TestRunGoexit(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 2)
	l := newLedger(100)
	stats, err := r.Run(t.Context(), 100, 10, func(w *dynpool.Worker, first, count uint64) error {
		if first >= 35 {
			_, err := w.Pool().Begin(w.Stream())
			require.NoError(t, err)
			runtime.Goexit()
		}
		if count > 5 {
			return dynpool.ErrExhausted
		}
		l.add(first, count)
		return nil
	})
	require.ErrorContains(t, err, "the function did not return")
	failed := batchErrors(err)
	require.NotEmpty(t, failed)
	lost := uint64(0)
	for _, e := range failed {
		lost += e.Count
	}
	require.EqualValues(t, 35, failed[0].First)
	require.EqualValues(t, 5, failed[0].Count, "the half before it ran")
	require.EqualValues(t, 35, l.once())
	require.EqualValues(t, stats.Next, stats.Events+lost, "no event is lost")
	require.EqualValues(t, stats.Runs, r.Stats().Runs)
	require.EqualValues(t, len(failed), r.Stats().Batches)

	_, err = r.Run(t.Context(), 10, 5, func(w *dynpool.Worker, _, _ uint64) error { return playNothing(w) })
	require.NoError(t, err)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestRunPanic: a panic comes out of Run, with its value, when all workers have
// stopped.
func TestRunPanic(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 3)
	var inside, calls atomic.Int64
	require.PanicsWithValue(t, "user", func() {
		_, _ = r.Run(t.Context(), 1000, 1, func(w *dynpool.Worker, _, _ uint64) error {
			inside.Add(1)
			defer inside.Add(-1)
			calls.Add(1)
			_, err := w.Pool().Begin(w.Stream())
			require.NoError(t, err)
			panic("user")
		})
	})
	require.Zero(t, inside.Load())
	require.LessOrEqual(t, calls.Load(), int64(3), "no worker takes another batch")
	require.EqualValues(t, calls.Load(), r.Stats().Batches)
	require.NoError(t, r.Close(), "nothing is under way")
	dev.close(t)
}

// alloc is a sequence of one buffer.
func alloc(code []uint64) *kernelstest.Sequence {
	return &kernelstest.Sequence{
		Params: []abi.Param{{Name: "n", Min: 1, Max: 100}},
		Steps:  []kernelstest.Step{{Allocs: []kernelstest.Buffer{{Name: "own", Code: code}}}},
	}
}

// TestFatalOfOpenBatch: an error of the function stops the run although the batch
// that it leaves open did not fit.
func TestFatalOfOpenBatch(t *testing.T) {
	dev := newCountingDevice()
	r, err := dynpool.OpenRunner(dev, alloc(kernelstest.Param(0)).Layout(), 1, dynpool.WithArena(0))
	require.NoError(t, err)
	stats, err := r.Run(t.Context(), 10, 10, func(w *dynpool.Worker, _, count uint64) error {
		b, err := w.Pool().Begin(w.Stream(), count)
		require.NoError(t, err)
		require.NoError(t, b.Step(0))
		return errBroken
	})
	require.ErrorIs(t, err, errBroken)
	require.NotErrorIs(t, err, dynpool.ErrExhausted)
	require.ErrorContains(t, err, "broken; it has not ended its batch, whose error is arena exhausted")
	require.Equal(t, 1, stats.Runs)
	require.NoError(t, r.Close())
	dev.close(t)
}

// playOne plays one batch of alloc.
func playOne(w *dynpool.Worker, count uint64) error {
	b, err := w.Pool().Begin(w.Stream(), count)
	if err != nil {
		return err
	}
	err = b.Step(0)
	_, endErr := b.End()
	return errors.Join(err, endErr)
}

// TestFaultWithoutRoom: what does not fit anyway is unfit, and no fault.
func TestFaultWithoutRoom(t *testing.T) {
	for _, reuse := range []bool{false, true} {
		dev := newCountingDevice()
		r, err := dynpool.OpenRunner(dev, alloc(kernelstest.Const(10000)).Layout(), 1,
			dynpool.WithArena(256), dynpool.WithReuse(reuse),
			dynpool.WithFaults(dynpool.FaultPlan{Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return 0, true }}))
		require.NoError(t, err)
		stats, err := r.Run(t.Context(), 2, 2, func(w *dynpool.Worker, _, count uint64) error {
			err := playOne(w, count)
			var full *dynpool.ExhaustedError
			require.ErrorAs(t, err, &full)
			require.False(t, full.Injected)
			return err
		})
		require.NoError(t, err)
		require.Len(t, stats.Unfit, 2)
		require.Zero(t, stats.Retries)
		require.Zero(t, r.Stats().Injected)
		require.NoError(t, r.Close())
		dev.close(t)
	}
}

// TestInjected: a fault is one exactly if the batch without it places the buffer, in
// both modes, in place and in gaps of the arena.
func TestInjected(t *testing.T) {
	var seen [2]int
	rapid.Check(t, func(t *rapid.T) {
		size := func() []uint64 { return kernelstest.Const(256 * rapid.Uint64Range(0, 4).Draw(t, "size")) }
		var s kernelstest.Sequence
		for range 4 {
			s.Steps = append(s.Steps, kernelstest.Step{Allocs: []kernelstest.Buffer{{Code: size()}, {Code: size()}}})
		}
		s.Steps[2].Releases = rapid.SampledFrom([][]uint64{nil, {0}, {1}, {0, 2}}).Draw(t, "releases")
		if rapid.Bool().Draw(t, "in place") {
			s.Steps[3].Allocs[1].InPlace, s.Steps[3].Allocs[1].InPlaceOf = true, 3
		}
		target := abi.SlotID(rapid.IntRange(0, 7).Draw(t, "target"))
		options := []dynpool.Option{
			dynpool.WithArena(256 * rapid.Uint64Range(0, 16).Draw(t, "arena")), dynpool.WithReuse(rapid.Bool().Draw(t, "reuse")),
		}
		play := func(opts ...dynpool.Option) *dynpool.ExhaustedError {
			dev := newCountingDevice()
			pool, err := dynpool.Open(dev, s.Layout(), append(opts, options...)...)
			require.NoError(t, err)
			stream, err := dev.NewStream()
			require.NoError(t, err)
			b, err := pool.Begin(stream)
			require.NoError(t, err)
			for i := range s.Steps {
				require.NoError(t, b.Step(abi.StepID(i)))
			}
			_, err = b.End()
			require.NoError(t, errors.Join(stream.Close(), pool.Close(), dev.Close()))
			var full *dynpool.ExhaustedError
			if err != nil {
				require.ErrorAs(t, err, &full)
			}
			return full
		}
		without := play()
		with := play(dynpool.WithFaults(dynpool.FaultPlan{Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return target, true }}))
		require.NotNil(t, with)
		if without != nil && without.Slot <= target {
			require.False(t, with.Injected)
			require.Equal(t, without.Slot, with.Slot)
			seen[0]++
			return
		}
		require.True(t, with.Injected)
		require.Equal(t, target, with.Slot)
		seen[1]++
	})
	require.NotContains(t, seen, 0)
}

// TestFaultsAfterRun: a pool that is used alone after a Run is one used alone.
func TestFaultsAfterRun(t *testing.T) {
	dev := newCountingDevice()
	var points []dynpool.FaultPoint
	r, err := dynpool.OpenRunner(dev, alloc(kernelstest.Const(10)).Layout(), 1, dynpool.WithArena(256),
		dynpool.WithFaults(dynpool.FaultPlan{Choose: func(p dynpool.FaultPoint) (abi.SlotID, bool) {
			points = append(points, p)
			return 0, p == dynpool.FaultPoint{Batch: 1}
		}}))
	require.NoError(t, err)
	_, err = r.Run(t.Context(), 20, 10, func(w *dynpool.Worker, _, count uint64) error { return playOne(w, count) })
	require.NoError(t, err)
	points = nil
	require.ErrorIs(t, playOne(r.Workers()[0], 1), dynpool.ErrExhausted)
	require.NoError(t, playOne(r.Workers()[0], 1))
	require.Equal(t, []dynpool.FaultPoint{{Batch: 1}, {Batch: 2, Try: 1}}, points)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestCloseBusy: a runner with a batch under way closes nothing, and all of it later.
func TestCloseBusy(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 2)
	w := r.Workers()[1]
	b, err := w.Pool().Begin(w.Stream())
	require.NoError(t, err)
	require.ErrorIs(t, r.Close(), dynpool.ErrBusy)
	_, err = b.End()
	require.NoError(t, err)
	require.NoError(t, playNothing(r.Workers()[0]), "the others are open too")
	require.NoError(t, r.Close())
	dev.close(t)
}

func playNothing(w *dynpool.Worker) error {
	b, err := w.Pool().Begin(w.Stream())
	if err == nil {
		_, err = b.End()
	}
	return err
}

// TestChoosePanics: the batch has not begun.
func TestChoosePanics(t *testing.T) {
	broken := true
	r := newRig(t, small(), dynpool.WithArena(1<<16), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) {
			if broken {
				panic("choose")
			}
			return 0, false
		},
	}))
	require.PanicsWithValue(t, "choose", func() { _, _ = r.pool.Begin(r.stream, 1, 2) })
	broken = false
	_, _, err := r.batch(1, 10, 30)
	require.NoError(t, err)
	r.close()
}
