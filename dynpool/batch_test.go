package dynpool_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

func TestBatch(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	b, status, err := r.batch(7, 100, 50)
	require.NoError(t, err)
	start := r.pool.ArenaStart()
	want := []abi.Slot{
		hits:   {Offset: start, Size: 400},
		flags:  {Offset: abi.NotPlaced, Size: 100}, // it was at 512 and is released
		names:  {Offset: abi.NotPlaced, Size: 70},
		tracks: {Offset: start + 768, Size: 30},
	}
	require.Equal(t, want, status.Slots)
	require.Equal(t, abi.DeviceLine{
		Next: 1024, High: 1024, Wanted: 1024, FirstFailed: abi.NoSlot, EpochDone: 1,
	}, status.DeviceLine)
	require.Len(t, b.HostSlot(names), 70)
	require.Nil(t, b.HostSlot(hits), "a device buffer")
	require.Nil(t, b.HostSlot(-1))
	require.Nil(t, b.HostSlot(4))
	for id, slot := range want {
		require.Equal(t, slot, abi.ReadSlot(r.read(r.pool.SlotAddr(abi.SlotID(id)), abi.SlotSize)))
	}

	// Line 0 is what the batch was told.
	line := abi.ReadHostLine(r.read(r.pool.Base(), abi.LineSize))
	require.Equal(t, abi.HostLine{
		Magic: abi.Magic, ArenaStart: start, ArenaCapacity: 4096, ArenaAlign: 256, Epoch: 1,
		NumSlots: 4, PlanHash: r.pool.Layout().PlanHash,
	}, line)

	// The next batch does not know of the first, but for the high-water mark.
	_, status, err = r.batch(1, 1, 20)
	require.NoError(t, err)
	require.Equal(t, abi.DeviceLine{
		Next: 512, High: 1024, Wanted: 512, FirstFailed: abi.NoSlot, EpochDone: 2,
	}, status.DeviceLine)
	require.Equal(t, abi.Slot{Offset: start + 512}, status.Slots[tracks], "no tracks: a slot all the same")
	r.close()
}

// A batch waits once, and a step without work enqueues nothing.
func TestOneWait(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	counting := &countingStream{Stream: r.stream}
	r.stream = counting
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.Equal(t, countingStream{Stream: counting.Stream, copies: 2, launches: 1}, *counting)
	require.NoError(t, b.Step(0))
	require.Equal(t, 1, counting.launches)
	r.leave(1, 20)
	require.NoError(t, b.Step(1))
	require.Equal(t, 2, counting.launches)
	require.NoError(t, b.Step(2))
	_, err = b.End()
	require.NoError(t, err)
	require.Equal(t, countingStream{Stream: counting.Stream, copies: 5, launches: 4, waits: 1}, *counting)
	r.close()
}

type countingStream struct {
	kernels.Stream
	copies, launches, waits int
}

func (s *countingStream) CopyToDevice(a kernels.Addr, b []byte) error {
	s.copies++
	return s.Stream.CopyToDevice(a, b)
}

func (s *countingStream) CopyToHost(b []byte, a kernels.Addr) error {
	s.copies++
	return s.Stream.CopyToHost(b, a)
}

func (s *countingStream) Launch(k kernels.Kernel, g kernels.Grid, a kernels.Args) error {
	s.launches++
	return s.Stream.Launch(k, g, a)
}

func (s *countingStream) Synchronize() error {
	s.waits++
	return s.Stream.Synchronize()
}

func TestBeginErrors(t *testing.T) {
	r := newRig(t, small())
	for _, params := range [][]uint64{nil, {1}, {1, 2, 3}} {
		_, err := r.pool.Begin(r.stream, params...)
		require.ErrorIs(t, err, dynpool.ErrParams)
	}
	for _, test := range []struct {
		params []uint64
		want   dynpool.RangeError
	}{
		{[]uint64{0, 2}, dynpool.RangeError{Param: "n_events", Value: 0, Min: 1, Max: 100}},
		{[]uint64{101, 2}, dynpool.RangeError{Param: "n_events", Value: 101, Min: 1, Max: 100}},
		{[]uint64{100, 1}, dynpool.RangeError{Param: "n_modules", Value: 1, Min: 2, Max: 3}},
		{[]uint64{1, ^uint64(0)}, dynpool.RangeError{Param: "n_modules", Value: ^uint64(0), Min: 2, Max: 3}},
	} {
		_, err := r.pool.Begin(r.stream, test.params...)
		var outside *dynpool.RangeError
		require.ErrorAs(t, err, &outside)
		require.Equal(t, test.want, *outside)
	}
	for _, params := range [][]uint64{{1, 2}, {100, 3}} {
		b, err := r.pool.Begin(r.stream, params...)
		require.NoError(t, err)
		_, err = r.pool.Begin(r.stream, params...)
		require.ErrorIs(t, err, dynpool.ErrBusy)
		require.ErrorIs(t, r.pool.Close(), dynpool.ErrBusy)
		_, err = b.End()
		require.NoError(t, err)
	}
	r.close()
	_, err := r.pool.Begin(r.stream, 1, 2)
	require.ErrorIs(t, err, kernels.ErrClosed)
}

func TestStepOrder(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.ErrorIs(t, b.Step(1), dynpool.ErrOrder)
	require.ErrorIs(t, b.Step(-1), dynpool.ErrOrder)
	require.NoError(t, b.Step(0))
	require.ErrorIs(t, b.Step(0), dynpool.ErrOrder, "a step a second time")
	require.ErrorIs(t, b.Step(2), dynpool.ErrOrder)
	r.leave(10, 30)
	require.NoError(t, b.Step(1))
	require.NoError(t, b.Step(2))
	require.ErrorIs(t, b.Step(3), dynpool.ErrOrder, "there are three")
	_, err = b.End()
	require.NoError(t, err)
	_, err = b.End()
	require.ErrorIs(t, err, dynpool.ErrEnded)
	require.ErrorIs(t, b.Step(0), dynpool.ErrEnded)

	// A batch may end early. What it did not reach is not placed.
	b, err = r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	status, err := b.End()
	require.NoError(t, err)
	require.Equal(t, uint64(2), status.EpochDone)
	for _, slot := range status.Slots {
		require.Equal(t, abi.Slot{Offset: abi.NotPlaced}, slot)
	}
	require.Nil(t, b.HostSlot(names))
	r.close()
}

// An error of the stream comes out at the end, and the next batch is fine.
func TestStreamError(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, r.stream.Memset(0, 0, 1))
	status, err := b.End()
	require.ErrorIs(t, err, kernels.ErrBadAddress)
	require.Equal(t, dynpool.Status{}, status)
	_, _, err = r.batch(1, 10, 30)
	require.NoError(t, err)
	r.close()
}

// A stream that cannot be used fails the call, and leaves no batch under way.
func TestClosedStream(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	closed, err := r.dev.NewStream()
	require.NoError(t, err)
	require.NoError(t, closed.Close())
	_, err = r.pool.Begin(closed, 1, 2)
	require.ErrorIs(t, err, kernels.ErrClosed)
	other, err := r.dev.NewStream()
	require.NoError(t, err)
	b, err := r.pool.Begin(other, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	require.NoError(t, other.Close())
	require.ErrorIs(t, b.Step(1), kernels.ErrClosed)
	_, err = b.End()
	require.ErrorIs(t, err, kernels.ErrClosed)
	_, _, err = r.batch(1, 10, 30)
	require.NoError(t, err)
	r.close()
}

// Slots past 4 GiB.
func TestLargeArena(t *testing.T) {
	s := &kernelstest.Sequence{Steps: []kernelstest.Step{{Allocs: []kernelstest.Buffer{
		{Code: kernelstest.Const(3 << 30)}, {Code: kernelstest.Const(3 << 30)}, {Code: kernelstest.Const(1)},
	}}}}
	l := s.Layout()
	dev := host.New(host.Options{})
	pool, err := dynpool.Open(dev, l, dynpool.WithArena(6<<30+256))
	if errors.Is(err, kernels.ErrOutOfMemory) {
		t.Skip(err)
	}
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	b, err := pool.Begin(stream)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	status, err := b.End()
	require.NoError(t, err)
	require.Equal(t, l.Device.Size+6<<30, status.Slots[2].Offset)
	require.Equal(t, uint64(6<<30+256), status.High)
	require.NoError(t, pool.Close())
}

// No allocations once the first batches have run, with ten buffers in a step.
func TestNoAllocations(t *testing.T) {
	r, round := tenBuffers(t)
	for range 3 {
		round()
	}
	require.Zero(t, testing.AllocsPerRun(100, round))
	r.close()
}

// tenBuffers returns a batch whose one step places ten buffers, two of them on the
// host.
func tenBuffers(t testing.TB) (*rig, func()) {
	s := &kernelstest.Sequence{Params: []abi.Param{{Name: "n", Max: 1000}}}
	var step kernelstest.Step
	for i := range uint64(10) {
		step.Allocs = append(step.Allocs, kernelstest.Buffer{
			Name: fmt.Sprintf("b%d", i), Host: i%5 == 4,
			Code: slices.Concat(kernelstest.Param(0), kernelstest.Const(i+1), kernelstest.Code(abi.OpMul)),
		})
	}
	s.Steps = []kernelstest.Step{step, {Wait: true}, {}}
	r := newRig(t, s, dynpool.WithArena(1<<20))
	return r, func() {
		b, err := r.pool.Begin(r.stream, 1000)
		for i := range s.Steps {
			err = errors.Join(err, b.Step(abi.StepID(i)))
		}
		status, endErr := b.End()
		if err = errors.Join(err, endErr); err != nil || status.Slots[3].Size != 4000 || len(b.HostSlot(9)) != 10000 {
			t.Fatal(status, err)
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	_, round := tenBuffers(b)
	b.ReportAllocs()
	for b.Loop() {
		round()
	}
}
