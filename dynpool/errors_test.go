package dynpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/staticpool"
)

var sentinels = []error{dynpool.ErrExhausted, dynpool.ErrCount, dynpool.ErrArithmetic, dynpool.ErrProgram}

// only requires that an error is one of the sentinels.
func only(t *testing.T, err, want error) {
	t.Helper()
	for _, s := range sentinels {
		require.Equal(t, s == want, errors.Is(err, s), "%v is %v", err, s)
	}
}

func TestExhausted(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1024))
	_, _, err := r.batch(1, 128, 276) // exactly full: 512 + 256 + 256
	require.NoError(t, err)

	_, status, err := r.batch(1, 128, 277)
	only(t, err, dynpool.ErrExhausted)
	var full *dynpool.ExhaustedError
	require.ErrorAs(t, err, &full)
	require.Equal(t, &dynpool.ExhaustedError{
		Failure: dynpool.Failure{Buffer: "tracks", Step: "step2", Slot: tracks, Failed: 1},
		Pool:    abi.ScopeDevice, Wanted: 512, Capacity: 1024, Used: 768, HighWater: 1024, Demand: 1280,
	}, full)
	require.EqualError(t, err, "arena exhausted: buffer tracks of step step2 wants 512 bytes of the device pool, 768 of 1024 are in use")
	require.Equal(t, uint64(abi.Exhausted), status.Code, "the status comes with the error")
	require.Equal(t, abi.NotPlaced, status.Slots[tracks].Offset)
	require.NotEqual(t, abi.NotPlaced, status.Slots[hits].Offset)
	require.Equal(t, uint64(128), status.Slots[flags].Size, "released before")

	// The first failure is the one that is named; what follows fails too.
	_, status, err = r.batch(1, 300, 20)
	require.ErrorAs(t, err, &full)
	require.Equal(t, dynpool.Failure{Buffer: "hits", Step: "step1", Slot: hits, Failed: 4}, full.Failure)
	require.Equal(t, uint64(1280), full.Wanted)
	require.Equal(t, abi.Slot{Offset: abi.NotPlaced}, status.Slots[names])

	_, _, err = r.batch(1, 1, 20)
	require.NoError(t, err, "a failure does not outlive its batch")
	r.close()
}

func TestCount(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<20))
	_, _, err := r.batch(1, 1000, 20)
	require.NoError(t, err)
	_, _, err = r.batch(1, 1001, 20)
	only(t, err, dynpool.ErrCount)
	var count *dynpool.CountError
	require.ErrorAs(t, err, &count)
	require.Equal(t, dynpool.CountError{
		Failure: dynpool.Failure{Buffer: "hits", Step: "step1", Slot: hits, Failed: 4}, Value: 1001,
		Count: "counts[0]", Max: 1000, MaxKnown: true,
	}, *count)
	require.EqualError(t, err, "count over its declared max: the size of buffer hits of step step1 needs the count counts[0] that is 1001, its max is 1000")
	r.close()
}

func TestArithmetic(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<20))
	_, _, err := r.batch(1, 1, 19) // 19 - 20
	only(t, err, dynpool.ErrArithmetic)
	var arithmetic *dynpool.ArithmeticError
	require.ErrorAs(t, err, &arithmetic)
	require.Equal(t, dynpool.Failure{Buffer: "tracks", Step: "step2", Slot: tracks, Failed: 1}, arithmetic.Failure)
	require.EqualError(t, err, "size cannot be computed: buffer tracks of step step2")
	r.close()
}

// A load outside its buffer, and a program that was overwritten.
func TestProgram(t *testing.T) {
	s := small()
	s.Steps[2].Allocs[0].Code[1] = 2 // counts[2]
	r := newRig(t, s, dynpool.WithArena(1<<20))
	_, _, err := r.batch(1, 1, 20)
	only(t, err, dynpool.ErrProgram)
	var program *dynpool.ProgramError
	require.ErrorAs(t, err, &program)
	require.Equal(t, dynpool.ProgramError{
		Failure: dynpool.Failure{Buffer: "tracks", Step: "step2", Slot: tracks, Failed: 1}, Code: abi.BadProgram,
	}, *program)

	l := r.pool.Layout()
	require.NoError(t, r.stream.Memset(r.pool.Base()+kernels.Addr(l.ProgramOffset), 0xFF, 8))
	_, _, err = r.batch(1, 1, 20)
	only(t, err, dynpool.ErrProgram)
	require.ErrorAs(t, err, &program)
	require.Equal(t, abi.SlotID(-1), program.Slot)
	require.Empty(t, program.Buffer)
	r.close()
}

// A batch whose end step did not run is not taken for a good one.
func TestEndNotReached(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(1<<20))
	lost := &losingStream{Stream: r.stream, drop: 2}
	b, err := r.pool.Begin(lost, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	_, err = b.End() // the second launch, the end step, gets lost
	only(t, err, dynpool.ErrProgram)
	require.ErrorContains(t, err, "batch 1 did not reach its end")
	r.close()
}

// losingStream loses one launch.
type losingStream struct {
	kernels.Stream
	drop int
}

func (s *losingStream) Launch(k kernels.Kernel, g kernels.Grid, a kernels.Args) error {
	if s.drop--; s.drop == 0 {
		return nil
	}
	return s.Stream.Launch(k, g, a)
}

func TestOpenErrors(t *testing.T) {
	l := small().Layout()
	_, err := dynpool.Open(host.New(host.Options{}), l, dynpool.WithCapacity(l.Device.Size-1))
	var small *staticpool.CapacityError
	require.ErrorAs(t, err, &small)
	_, err = dynpool.Open(host.New(host.Options{}), nil)
	require.ErrorIs(t, err, staticpool.ErrLayout)
	_, err = dynpool.Open(host.New(host.Options{Memory: 100}), l)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)

	// Nothing stays behind where a later call fails.
	for _, name := range []string{kernels.Reset, kernels.Step, "landing"} {
		dev := &lacking{Device: host.New(host.Options{}), name: name}
		pool, err := dynpool.Open(dev, l)
		require.ErrorIs(t, err, kernels.ErrNotSupported)
		require.Nil(t, pool)
		require.Equal(t, host.Live{}, dev.Live())
	}
}

// lacking is a device without some kernel, or that has no host memory left once
// all kernels were found.
type lacking struct {
	*host.Device
	name  string
	found int
}

func (d *lacking) Kernel(name string) (kernels.Kernel, error) {
	d.found++
	if name == d.name {
		return nil, kernels.ErrNotSupported
	}
	return d.Device.Kernel(name)
}

func (d *lacking) AllocHost(size uint64) (kernels.HostMemory, error) {
	if d.found == 2 && d.name == "landing" {
		return nil, kernels.ErrNotSupported
	}
	return d.Device.AllocHost(size)
}

// A pool without arena serves buffers of size 0 alone.
func TestNoArena(t *testing.T) {
	s := &kernelstest.Sequence{
		Params: []abi.Param{{Name: "n", Max: 9}},
		Steps:  []kernelstest.Step{{Allocs: []kernelstest.Buffer{{Code: kernelstest.Param(0)}}}},
	}
	r := newRig(t, s)
	for n, want := range []error{nil, dynpool.ErrExhausted} {
		b, err := r.pool.Begin(r.stream, uint64(n))
		require.NoError(t, err)
		require.NoError(t, b.Step(0))
		status, err := b.End()
		require.ErrorIs(t, err, want)
		if want != nil {
			require.ErrorContains(t, err, "opened without an arena")
		}
		if want == nil {
			require.Equal(t, abi.Slot{Offset: r.pool.ArenaStart()}, status.Slots[0])
		}
	}
	r.close()
}
