package play_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
)

// TestHastyPoolsAreFound gives the memory of one buffer back before the last buffers
// that come while it lives. Where one of them gets the same memory, bytes of the
// first are lost, and the run must find that.
func TestHastyPoolsAreFound(t *testing.T) {
	seq, plan := small(t, 2)
	for name, with := range hosted() {
		opts := with(play.Options{Batches: 1, Seed: 3, Capacity: 64 << 20})
		calm := &play.Hasty{Victim: -1}
		r := run(t, seq, plan, calm.With(opts))
		require.True(t, r.Sound())
		require.Greater(t, len(calm.Last), 100)
		stolen := 0
		for victim, last := range calm.Last {
			if last == victim || victim%3 != 0 {
				continue // nothing comes while it lives, or it would take long
			}
			hasty := &play.Hasty{Victim: victim, At: last}
			r := run(t, seq, plan, hasty.With(opts))
			if !hasty.Stolen {
				continue
			}
			stolen++
			require.False(t, r.Sound(), "%s: allocation %d lies where %d is in use", name, last, victim)
			require.False(t, r.Corrupted[0].Gone)
		}
		t.Logf("%s: of %d allocations %d were stolen", name, len(calm.Last), stolen)
		require.Greater(t, stolen, 4, name)
	}
}

// TestHastyPlansAreFound: a buffer that the plan releases too early is not there.
func TestHastyPlansAreFound(t *testing.T) {
	seq, _ := planned(t, "hasty.yaml", `
seqplan: 1
name: hasty
counts: {n: {at: "total[0]", max: 100}}
steps:
  - {name: a, writes: {total: {type: u32, count: 1}}}
  - {name: b, writes: {hits: {type: u8, count: n}}}
  - {name: c, reads: [hits], writes: {tracks: {type: u8, count: n}}}
`)
	bad, err := planner.Make(seq, planner.Options{SkipVerify: true, MutateLifetimes: func(l []planner.Interval) { l[1].End-- }})
	require.NoError(t, err)
	opts := play.Options{Batches: 2, Capacity: 1 << 20}
	want := run(t, seq, bad, opts)
	require.False(t, want.Sound())
	require.Equal(t, "hits", want.Corrupted[0].Buffer)
	require.True(t, want.Corrupted[0].Gone)
	for name, with := range hosted() {
		require.Equal(t, same(want), same(run(t, seq, bad, with(opts))), name)
	}
}

// inPlace is a sequence in which buffers take over the memory of others.
const inPlace = `
seqplan: 1
name: inplace
params: {n_events: {min: 1, max: 4}}
counts:
  n: {at: "total[0]", max: "n_events * 1000", typical: "n_events * 500"}
steps:
  - {name: a, writes: {total: {type: u32, count: 2}}}
  - {name: b, writes: {first: {type: u32, count: n}, other: {type: u32, count: n, scope: host}}}
  - {name: c, reads: [first, other], writes: {second: {type: u32, count: "n / 2", in_place_of: first}, report: {type: u32, count: "n / 3", in_place_of: other, scope: host}}}
  - {name: d, reads: [second], writes: {third: {type: u8, count: "n / 5", in_place_of: second}, more: {type: u32, count: n}}}
  - {name: e, reads: [more], writes: {last: {type: u32, count: n}}}
`

// grown is a plan in which what should be a part is a multiple.
func grown(t *testing.T, plan *planner.Plan, slots ...uint64) *planner.Plan {
	out, layout := *plan, *plan.Layout
	out.Layout, layout.Program = &layout, slices.Clone(layout.Program)
	program, err := abi.DecodeProgram(layout.Program)
	require.NoError(t, err)
	for _, s := range program.Steps {
		for _, a := range s.Allocs {
			for pc := 0; pc < len(a.Code) && slices.Contains(slots, a.Slot); pc += 1 + abi.Op(a.Code[pc]).Immediates() {
				if abi.Op(a.Code[pc]) == abi.OpDiv {
					a.Code[pc] = uint64(abi.OpMul)
				}
			}
		}
	}
	return &out
}

// TestDynamicsInPlace: a buffer takes over the memory of another, and one that is too
// large does not.
func TestDynamicsInPlace(t *testing.T) {
	seq, plan := planned(t, "inplace.yaml", inPlace)
	opts := play.Options{Batches: 10, Seed: 2, Capacity: 1 << 20}
	slot := func(name string) uint64 {
		return uint64(slices.IndexFunc(plan.Layout.Slots, func(s abi.SlotInfo) bool { return s.Name == name }))
	}
	for _, test := range []struct {
		plan  *planner.Plan
		unfit string
	}{
		{plan: plan},
		{grown(t, plan, slot("second")), "second"},
		{grown(t, plan, slot("third")), "third"},
		{grown(t, plan, slot("report")), "report"},
	} {
		want := run(t, seq, test.plan, opts)
		require.True(t, want.Sound())
		for name, with := range hosted() {
			got := run(t, seq, test.plan, with(opts))
			require.True(t, got.Sound(), "%s: %v", name, got.Corrupted)
			require.Len(t, got.Stats.Unfit, len(want.Stats.Unfit), name)
			if test.unfit == "" {
				require.Equal(t, same(want), same(got), name)
				continue
			}
			require.NotEmpty(t, want.Stats.Unfit, test.unfit)
			for i, u := range want.Stats.Unfit {
				var e, f *dynpool.ExhaustedError
				require.ErrorAs(t, u.Err, &e)
				require.ErrorAs(t, got.Stats.Unfit[i].Err, &f)
				require.Equal(t, test.unfit, f.Buffer)
				require.Equal(t, u.Event, got.Stats.Unfit[i].Event)
				f.HighWater, f.Failed, f.Demand = e.HighWater, e.Failed, e.Demand // the device goes on and counts
				require.Equal(t, e, f)
			}
		}
	}
}

// TestDynamicsOnFailingDevices: whenever it fails, everything is freed.
func TestDynamicsOnFailingDevices(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	for name, with := range hosted() {
		for after := range int64(12) {
			dev := host.New(host.Options{})
			_, err := play.Run(seq, plan, &failing{Device: dev, after: after}, with(play.Options{Batches: 20, Workers: 2}))
			require.ErrorIs(t, err, errFailing, "%s, after %d", name, after)
			require.NotErrorIs(t, err, dynpool.ErrExhausted)
			require.NoError(t, dev.Close(), "%s, after %d: everything must have been freed", name, after)
		}
	}
}

// TestDynamicsOutOfDeviceMemory: a device with too little memory for a pool is as a
// pool with too little room.
func TestDynamicsOutOfDeviceMemory(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	for _, d := range []play.Dynamic{play.Stream, play.Block} {
		dev := host.New(host.Options{Memory: 150 << 10})
		r, err := play.Run(seq, plan, dev, play.Options{Batches: 10, Dynamic: d, Capacity: 1 << 20})
		require.NoError(t, err, d)
		require.True(t, r.Sound())
		require.Positive(t, r.Stats.Splits, d)
		require.EqualValues(t, 80, r.Stats.Events, d)
		require.NoError(t, dev.Close())
	}
}
