package dynpool_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
)

// nothing is a sequence without work, for tests of the Runner alone.
func nothing(t testing.TB) *abi.Layout {
	_, layout := readPlanned(t, []byte("seqplan: 1\nname: t\nsteps: [{name: a, writes: {x: {type: u8, count: 3}}}]\n"))
	return layout
}

func newRunner(t testing.TB, dev kernels.Device, workers int) *dynpool.Runner {
	r, err := dynpool.OpenRunner(dev, nothing(t), workers)
	require.NoError(t, err)
	return r
}

// TestRunSharesTheLast: no batch is below the smallest range, or nothing runs.
func TestRunSharesTheLast(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 1)
	for _, test := range []struct {
		events, batch, least uint64
		want                 []uint64
	}{
		{23, 10, 5, []uint64{10, 8, 5}},
		{25, 10, 5, []uint64{10, 10, 5}},
		{26, 10, 1, []uint64{10, 10, 6}},
		{11, 10, 5, []uint64{6, 5}},
		{16, 5, 4, []uint64{4, 4, 4, 4}},
		{22, 7, 5, []uint64{7, 5, 5, 5}},
		{10, 5, 5, []uint64{5, 5}},
		{3, 10, 1, []uint64{3}},
		{0, 10, 5, nil},
		{^uint64(0), 1 << 63, 3, []uint64{1 << 63, 1<<63 - 1}},
	} {
		var got []uint64
		_, err := r.Run(t.Context(), test.events, test.batch, func(_ *dynpool.Worker, _, count uint64) error {
			got = append(got, count)
			return nil
		}, dynpool.SplitMin(test.least))
		require.NoError(t, err)
		require.Equal(t, test.want, got, "%+v", test)
	}
	for _, test := range []struct {
		events, batch, least uint64
		text                 string
	}{
		{11, 10, 6, "11 events cannot be cut into batches of 6 to 10"},
		{3, 10, 5, "3 events cannot be cut"},
		{6, 5, 4, "6 events cannot be cut"},
		{10, 3, 5, "batches of 3 events are below the smallest range of 5"},
		{0, 3, 5, "below the smallest range"},
	} {
		stats, err := r.Run(t.Context(), test.events, test.batch, func(*dynpool.Worker, uint64, uint64) error {
			return errBroken
		}, dynpool.SplitMin(test.least))
		require.ErrorContains(t, err, test.text)
		require.Zero(t, stats)
	}
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestRunStops: the end of the context stops between batches; a batch that is under
// way runs to its end, with its halves.
func TestRunStops(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 3)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	l := newLedger(1000)
	var calls atomic.Int64
	stats, err := r.Run(ctx, 1000, 10, func(_ *dynpool.Worker, first, count uint64) error {
		if calls.Add(1) == 7 {
			cancel(cause)
		}
		if count > 3 {
			return dynpool.ErrExhausted
		}
		l.add(first, count)
		return nil
	})
	require.ErrorIs(t, err, cause)
	require.ErrorContains(t, err, fmt.Sprintf("before event %d", stats.Next))
	require.Empty(t, batchErrors(err))
	require.Less(t, stats.Next, uint64(60))
	require.Equal(t, stats.Next, stats.Events)
	require.EqualValues(t, stats.Next, l.once())
	require.NotContains(t, l.ran[:stats.Next], 0)

	// An end that came too late to matter is none; one before the start runs nothing.
	ctx, cancel = context.WithCancelCause(t.Context())
	_, err = r.Run(ctx, 10, 10, func(*dynpool.Worker, uint64, uint64) error { cancel(cause); return nil })
	require.NoError(t, err)
	stats, err = r.Run(ctx, 10, 10, func(*dynpool.Worker, uint64, uint64) error { return errBroken })
	require.ErrorIs(t, err, cause)
	require.Zero(t, stats)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestRunErrors: an error that no split can help with stops all workers, and each
// that fails is named.
func TestRunErrors(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 2)
	var both sync.WaitGroup
	both.Add(2)
	stats, err := r.Run(t.Context(), 100, 10, func(_ *dynpool.Worker, _, count uint64) error {
		if count == 10 {
			both.Done()
			both.Wait()
			return dynpool.ErrExhausted
		}
		return errBroken
	})
	require.ErrorIs(t, err, errBroken)
	failed := batchErrors(err)
	require.Len(t, failed, 2)
	require.Equal(t, [2]uint64{0, 10}, [2]uint64{failed[0].First, failed[0].Count})
	require.Equal(t, [2]uint64{10, 10}, [2]uint64{failed[1].First, failed[1].Count})
	require.NotEqual(t, failed[0].Worker, failed[1].Worker)
	require.ErrorContains(t, failed[1], fmt.Sprintf("10 events from 10 on, worker %d: broken", failed[1].Worker))
	require.EqualValues(t, 20, stats.Next)
	require.Equal(t, 4, stats.Runs)

	play := func(*dynpool.Worker, uint64, uint64) error { return nil }
	_, err = r.Run(t.Context(), 1, 0, play)
	require.ErrorContains(t, err, "batches of 0 events")
	_, err = r.Run(t.Context(), 1, 1, nil)
	require.ErrorContains(t, err, "a function")
	var none context.Context
	_, err = r.Run(none, 1, 1, play)
	require.ErrorContains(t, err, "a context")

	_, err = r.Run(t.Context(), 1, 1, func(*dynpool.Worker, uint64, uint64) error {
		require.ErrorIs(t, r.Close(), dynpool.ErrBusy)
		_, err := r.Run(t.Context(), 1, 1, play)
		return err
	})
	require.ErrorIs(t, err, dynpool.ErrBusy)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	_, err = r.Run(t.Context(), 1, 1, play)
	require.ErrorIs(t, err, kernels.ErrClosed)
	dev.close(t)
}

// TestOpenBatch: a batch that the function leaves open is ended, so that nothing
// stays queued, and with success it is an error.
func TestOpenBatch(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 1)
	for _, end := range []error{nil, errBroken} {
		_, err := r.Run(t.Context(), 1, 1, func(w *dynpool.Worker, _, _ uint64) error {
			_, err := w.Pool().Begin(w.Stream())
			require.NoError(t, err)
			return end
		})
		if end == nil {
			require.ErrorContains(t, err, "has not ended its batch")
			require.ErrorIs(t, err, dynpool.ErrBusy)
		} else {
			require.ErrorIs(t, err, errBroken)
			require.NotErrorIs(t, err, dynpool.ErrBusy)
		}
	}
	require.EqualValues(t, 2, r.Stats().Batches)
	require.NoError(t, r.Close())

	// Also if it did not fit: the function never says so.
	a := newActor(t, dev, []byte(noWaits))
	r, err := dynpool.OpenRunner(dev, a.layout, 1)
	require.NoError(t, err)
	stats, err := r.Run(t.Context(), 4, 4, func(w *dynpool.Worker, _, count uint64) error {
		b, err := w.Pool().Begin(w.Stream(), count)
		require.NoError(t, err)
		require.NoError(t, b.Step(0))
		require.NoError(t, a.leaveAll(w, count))
		return b.Step(1)
	})
	require.ErrorContains(t, err, "whose error is arena exhausted")
	require.Empty(t, stats.Unfit)
	require.NoError(t, r.Close())
	dev.close(t)
}

// TestOpenRunner: the need is that of one worker times their number, and nothing
// stays where one cannot be opened.
func TestOpenRunner(t *testing.T) {
	layout := plannedLayout(t)
	one, err := dynpool.OpenRunner(host.New(host.Options{}), layout, 1, dynpool.WithArena(4096))
	require.NoError(t, err)
	need := one.Stats().DeviceBytes
	require.Equal(t, layout.Device.Size+4096, need)
	for workers, fits := range map[int]bool{1: true, 2: true, 3: true, 4: false} {
		dev := host.New(host.Options{Memory: 3 * need})
		r, err := dynpool.OpenRunner(dev, layout, workers, dynpool.WithArena(4096))
		if !fits {
			require.ErrorIs(t, err, kernels.ErrOutOfMemory)
			require.ErrorContains(t, err, "worker 3 of 4")
			require.Nil(t, r)
			require.Equal(t, host.Live{}, dev.Live())
			continue
		}
		require.NoError(t, err)
		require.Len(t, r.Workers(), workers)
		for i, w := range r.Workers() {
			require.Equal(t, i, w.Index())
		}
		r.Workers()[0] = nil
		require.NotNil(t, r.Workers()[0], "the list is a copy")
		require.Equal(t, uint64(workers)*need, r.Stats().DeviceBytes)
		require.Equal(t, uint64(workers), r.Stats().Pools)
		require.NoError(t, r.Close())
		require.NoError(t, dev.Close())
	}
	for _, n := range []int{0, -1} {
		_, err := dynpool.OpenRunner(host.New(host.Options{}), layout, n)
		require.Error(t, err)
	}
	dev := noStreams{newCountingDevice()}
	_, err = dynpool.OpenRunner(dev, layout, 2)
	require.ErrorIs(t, err, errBroken)
	dev.close(t)
	require.NoError(t, one.Close())
}

// noStreams gives one stream, for Open, and then none.
type noStreams struct{ *countingDevice }

func (d noStreams) NewStream() (kernels.Stream, error) {
	if d.waits.Load() > 0 {
		return nil, errBroken
	}
	return d.countingDevice.NewStream()
}
