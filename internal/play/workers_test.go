package play_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
)

// TestWorkersDoTheSame: the result does not depend on how many workers there are, nor
// on which of them got a batch, also where batches fail and where buffers persist.
func TestWorkersDoTheSame(t *testing.T) {
	seq, plan := planned(t, "busy.yaml", `
seqplan: 1
name: busy
params: {n_events: {min: 1, max: 20}}
counts: {n: {at: "total[0]", max: "n_events * 1000", typical: "n_events * 100"}}
steps:
  - name: count
    writes:
      total: {type: u32, count: 1}
      state: {type: u64, count: 100, keep: true}
      memory: {type: u8, count: "n_events * 3", keep: true, scope: host}
  - name: use
    writes: {hits: {type: u8, count: "n * 256"}, copy: {type: u8, count: n, scope: host}}
  - name: more
    writes: {tracks: {type: u8, count: "n * 64"}}
`)
	typical, err := plan.DeviceNeed(planner.BasisTypical)
	require.NoError(t, err)
	opts := play.Options{Batches: 40, Seed: 5, Capacity: uint64(typical), Overload: 1200, Fail: 200}
	want := run(t, seq, plan, opts)
	require.True(t, want.Sound(), "%v", want.Corrupted)
	require.Positive(t, want.Injected)
	require.Greater(t, want.Stats.Splits, int(want.Injected), "some batches are too large as well")
	require.Equal(t, 1, want.Workers)
	for _, n := range []int{2, 3, 7, 50} {
		opts.Workers = n
		got := run(t, seq, plan, opts)
		require.Equal(t, n, got.Workers)
		require.EqualValues(t, n, got.Allocations, "a pool each")
		got.Workers, got.Allocations = want.Workers, want.Allocations
		require.Equal(t, want, got, "%d workers", n)
	}
}

// TestCorruptionsAreInOrder: several workers report what one reports.
func TestCorruptionsAreInOrder(t *testing.T) {
	seq, _ := planned(t, "taken.yaml", `
seqplan: 1
name: taken
steps:
  - {name: a, writes: {first: {type: u64, count: 100}}}
  - {name: b}
  - {name: c, reads: [first], writes: {second: {type: u64, count: 100}}}
`)
	bad, err := planner.Make(seq, planner.Options{SkipVerify: true, MutateLifetimes: func(l []planner.Interval) { l[0].End-- }})
	require.NoError(t, err)
	want := run(t, seq, bad, play.Options{Batches: 150})
	require.EqualValues(t, 150, want.Mismatches)
	require.Len(t, want.Corrupted, play.MaxCorruptions)
	for i, c := range want.Corrupted {
		require.Equal(t, "first", c.Buffer)
		require.Equal(t, i, c.Batch)
	}
	for _, n := range []int{2, 5} {
		got := run(t, seq, bad, play.Options{Batches: 150, Workers: n})
		got.Workers, got.Allocations = 1, 1
		require.Equal(t, want, got, "also the patterns")
	}
}

func TestInjectedFailures(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	for _, fail := range []uint32{50, 500, 1000} {
		r := run(t, seq, plan, play.Options{Batches: 200, Fail: fail, Workers: 2})
		require.True(t, r.Sound())
		require.EqualValues(t, 200*8, r.Stats.Events)
		require.Empty(t, r.Stats.Unfit, "a single event runs again")
		require.Positive(t, r.Injected)
		var text bytes.Buffer
		require.NoError(t, r.Text(&text))
		require.Contains(t, text.String(), "failed on purpose")
		require.Contains(t, text.String(), ", for each worker")
	}
}

func TestModes(t *testing.T) {
	seq, plan := small(t, 20)
	require.True(t, plan.Layout.Reuse)
	opts := play.Options{Batches: 2}
	auto := run(t, seq, plan, opts)
	opts.Mode = play.Reuse
	require.Equal(t, auto, run(t, seq, plan, opts))
	opts.Mode = play.Bump
	bump := run(t, seq, plan, opts)
	require.True(t, bump.Sound())
	require.Equal(t, play.Bump, bump.Mode)
	require.Greater(t, bump.HighWater, 2*auto.HighWater)

	for _, mode := range []play.Mode{play.Planned, play.Bump, play.Reuse} {
		text, err := mode.MarshalText()
		require.NoError(t, err)
		var back play.Mode
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, mode, back)
	}
	require.Error(t, new(play.Mode).UnmarshalText([]byte("best")))
}

// eager is a device that does all work as soon as it is enqueued, while the host back
// end does it when the host waits: a device may do it at any time between.
type eager struct{ *host.Device }

func (d eager) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return eagerStream{s}, err
}

type eagerStream struct{ kernels.Stream }

func (s eagerStream) done(err error) error {
	if err != nil {
		return err
	}
	return s.Stream.Synchronize()
}

func (s eagerStream) CopyToDevice(dst kernels.Addr, src []byte) error {
	return s.done(s.Stream.CopyToDevice(dst, src))
}

func (s eagerStream) CopyToHost(dst []byte, src kernels.Addr) error {
	return s.done(s.Stream.CopyToHost(dst, src))
}

func (s eagerStream) Memset(dst kernels.Addr, value byte, size uint64) error {
	return s.done(s.Stream.Memset(dst, value, size))
}

func (s eagerStream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	return s.done(s.Stream.Launch(k, grid, args))
}

// TestEagerDevices: it is all one when the device works.
func TestEagerDevices(t *testing.T) {
	seq, plan := small(t, 20)
	opts := play.Options{Batches: 3, Seed: 2, Fail: 300}
	want := run(t, seq, plan, opts)
	dev := host.New(host.Options{})
	got, err := play.Run(seq, plan, eager{dev}, opts)
	require.NoError(t, err)
	require.NoError(t, dev.Close())
	require.Equal(t, want, got)
	require.True(t, got.Sound())
}

// TestFailuresSayTheBatch: the error of a device stops the run, and says where.
func TestFailuresSayTheBatch(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	for _, workers := range []int{1, 3} {
		dev := host.New(host.Options{})
		failing := &failing{Device: dev, after: 7}
		_, err := play.Run(seq, plan, failing, play.Options{Batches: 20, Workers: workers})
		require.ErrorIs(t, err, errFailing)
		require.ErrorContains(t, err, "batch ")
		require.NotErrorIs(t, err, dynpool.ErrExhausted)
		require.NoError(t, dev.Close(), "everything must have been freed")
	}
}
