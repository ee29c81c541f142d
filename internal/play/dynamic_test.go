package play_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/staticpool"
)

// hosted are the ways in which the host places the dynamic buffers.
func hosted() map[string]func(play.Options) play.Options {
	by := func(d play.Dynamic) func(play.Options) play.Options {
		return func(o play.Options) play.Options {
			o.Dynamic = d
			return o
		}
	}
	return map[string]func(play.Options) play.Options{
		"first fit": play.WithFirstFit, "stream": by(play.Stream), "block": by(play.Block),
	}
}

// waits is how often a batch waits whose dynamic buffers the host places: before each
// step that needs counts which none before has needed, where the plan says so, and at
// the end.
func waits(seq *sequences.Sequence, plan *planner.Plan) uint64 {
	n, known := uint64(1), make(map[string]bool)
	for s := range seq.Steps {
		wait := plan.Layout.Steps[s].Wait
		for i := range plan.Buffers {
			b := &plan.Buffers[i]
			if b.Class != planner.Dynamic || seq.Buffers[i].Step != sequences.StepID(s) {
				continue
			}
			for _, name := range b.DrivenBy {
				wait = wait || !known[name]
				known[name] = true
			}
		}
		if wait {
			n++
		}
	}
	return n
}

// same removes from a result what depends on who places the dynamic buffers.
func same(r *play.Result) play.Result {
	out := *r
	out.Dynamic, out.Mode = 0, 0
	out.Waits, out.HighWater, out.Reserved, out.Allocations = 0, 0, 0, 0
	return out
}

// requireWaits checks how often the device was waited for. A block pool also waits when
// it exchanges regions.
func requireWaits(t *testing.T, want uint64, r *play.Result, what string) {
	t.Helper()
	require.GreaterOrEqual(t, r.Waits, want, what)
	if r.Dynamic != play.Block {
		require.Equal(t, want, r.Waits, what)
	}
	require.LessOrEqual(t, r.Waits, want+r.Allocations, what)
}

func TestDynamicsDoTheSame(t *testing.T) {
	seq, plan := small(t, 8)
	opts := play.Options{Batches: 3, Seed: 7}
	want := run(t, seq, plan, opts)
	require.EqualValues(t, 3*(1+len(plan.Waits)), want.Waits)
	require.Equal(t, want.Arena, want.Reserved)
	require.EqualValues(t, 20, waits(seq, plan))
	for name, with := range hosted() {
		got := run(t, seq, plan, with(opts))
		require.True(t, got.Sound(), "%s: %v", name, got.Corrupted)
		require.Equal(t, same(want), same(got), name)
		requireWaits(t, 3*20, got, name)
		require.Positive(t, got.HighWater, name)
		require.LessOrEqual(t, got.HighWater, got.Reserved, name)
		require.LessOrEqual(t, got.Reserved, got.Arena, name)
		require.Greater(t, got.Allocations, uint64(1), name)
		require.Less(t, got.Allocations, uint64(10), "what a pool has, stays for the next batch")
		require.Equal(t, got, run(t, seq, plan, with(opts)), "the same seed: the same run")
		t.Logf("%s: %d B reserved, %d B used, %d allocations; the arena: %d B used", name, got.Reserved, got.HighWater, got.Allocations, want.HighWater)
	}
}

// TestDynamicsSplit: a pool without room splits the batch as the arena does.
func TestDynamicsSplit(t *testing.T) {
	seq, plan := small(t, 16)
	typical, err := plan.DeviceNeed(planner.BasisTypical)
	require.NoError(t, err)
	for name, with := range hosted() {
		r := run(t, seq, plan, with(play.Options{Batches: 2, Overload: 3 * play.Thousand, Capacity: uint64(typical)}))
		require.True(t, r.Sound(), "%s: %v", name, r.Corrupted)
		require.Positive(t, r.Stats.Splits, name)
		require.EqualValues(t, 32, r.Stats.Events, name)
		require.LessOrEqual(t, r.HighWater, r.Arena, name)
	}
}

// TestDynamicsWithWorkers: nothing is found that depends on the number of workers.
func TestDynamicsWithWorkers(t *testing.T) {
	seq, plan := small(t, 4)
	typical, err := plan.DeviceNeed(planner.BasisTypical)
	require.NoError(t, err)
	for name, with := range hosted() {
		opts := with(play.Options{Batches: 6, Seed: 5, Overload: 1200, Capacity: 2 * uint64(typical)})
		want := run(t, seq, plan, opts)
		require.True(t, want.Sound(), "%s: %v", name, want.Corrupted)
		for _, opts.Workers = range []int{2, 7} {
			got := run(t, seq, plan, opts)
			require.Equal(t, opts.Workers, got.Workers)
			got.Workers = 1
			require.Equal(t, same(want), same(got), "%s, %d workers", name, opts.Workers)
			require.Equal(t, want.Waits, got.Waits, "%s, %d workers", name, opts.Workers)
		}
	}
}

// TestDynamicsUnfit: events that do not fit are reported with the buffer and the reason.
func TestDynamicsUnfit(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	static, err := plan.DeviceNeed(planner.BasisStatic)
	require.NoError(t, err)
	for name, with := range hosted() {
		for _, arena := range []uint64{0, 1, 255, 100*256 + 512} {
			r := run(t, seq, plan, with(play.Options{Batches: 5, Capacity: uint64(static) + arena}))
			require.True(t, r.Sound())
			require.EqualValues(t, 5*8, r.Stats.Events+uint64(len(r.Stats.Unfit)))
			require.NotEmpty(t, r.Stats.Unfit)
			require.Equal(t, arena > 256, r.Stats.Events > 0, "%s, %d", name, arena)
			for _, u := range r.Stats.Unfit {
				var e *dynpool.ExhaustedError
				require.ErrorAs(t, u.Err, &e)
				require.Equal(t, "hits", e.Buffer)
				require.Equal(t, "use", e.Step)
				require.Equal(t, arena, e.Capacity)
				require.Zero(t, e.Used)
				require.Equal(t, e.Wanted, e.Demand)
				if arena > 256 {
					require.ErrorIs(t, u.Err, kernels.ErrOutOfMemory, "what the pool says")
				}
			}
		}
	}
}

func TestDynamicsStaticRegionThatDoesNotFit(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	for name, with := range hosted() {
		dev := host.New(host.Options{})
		_, err := play.Run(seq, plan, dev, with(play.Options{Batches: 1, Capacity: 100}))
		var e *staticpool.CapacityError
		require.ErrorAs(t, err, &e, name)
		require.EqualValues(t, 100, e.Capacity)
		require.EqualValues(t, plan.Pools[0].Size, e.Need)
		require.Equal(t, host.Live{}, dev.Live())
	}
}

// lying is a device that stores other counts than it is told.
type lying struct {
	*host.Device
	store kernels.Kernel
}

func (d *lying) Kernel(name string) (kernels.Kernel, error) {
	if name == kernels.Store {
		return d.store, nil
	}
	return d.Device.Kernel(name)
}

// lie makes a device store one number in place of another.
func lie(t *testing.T, from, to uint64) *lying {
	d := &lying{Device: host.New(host.Options{})}
	require.NoError(t, d.Register("lie", func(mem host.Memory, _ kernels.Grid, a kernels.Args) error {
		offset, size := a[2], ^uint64(0)
		if slot, ok := kernels.Place(a[2]).Slot(); ok {
			b, err := mem.Bytes(kernels.Addr(a[0]+a[1]+slot*abi.SlotSize), abi.SlotSize)
			if err != nil {
				return err
			}
			s := abi.ReadSlot(b)
			offset, size = s.Offset, s.Size
		}
		if offset == abi.NotPlaced || a[3]+a[4] > size {
			return nil
		}
		b, err := mem.Bytes(kernels.Addr(a[0]+offset+a[3]), a[4])
		value := a[5]
		if value == from {
			value = to
		}
		for i := range b {
			b[i] = byte(value >> (8 * i))
		}
		return err
	}))
	var err error
	d.store, err = d.Device.Kernel("lie")
	require.NoError(t, err)
	return d
}

// TestDynamicsReportTheSameErrors of counts and sizes as the arena.
func TestDynamicsReportTheSameErrors(t *testing.T) {
	seq, plan := planned(t, "nested.yaml", `
seqplan: 1
name: nested
params: {n_events: {min: 1, max: 8}}
counts:
  a: {at: "x[n_events]", max: "n_events * 10"}
  b: {at: "p[n_events + 1]", max: 200}
steps:
  - {name: s0, writes: {x: {type: u64, count: "n_events + 1"}}}
  - {name: s1, writes: {o: {type: u8, count: a}, p: {type: u16, count: "a"}}}
  - {name: s2, reads: [p], writes: {q: {type: u8, count: "b / (b - 7)"}}}
`)
	for _, test := range []struct {
		from, to uint64
		want     error
		says     string
	}{
		{80, 81, dynpool.ErrCount, "the size of buffer o of step s1 needs the count x[8] that is 81, its max is 80"},
		{80, 1 << 40, dynpool.ErrCount, "x[8] that is 1099511627776"},
		{80, 9, dynpool.ErrProgram, "buffer q of step s2"}, // p ends before b
		{80, 0, dynpool.ErrProgram, "buffer q of step s2"},
		{200, 201, dynpool.ErrCount, "the size of buffer q of step s2 needs the count p[9] that is 201, its max is 200"},
		{200, 7, dynpool.ErrArithmetic, "buffer q of step s2"},
		{200, 6, dynpool.ErrArithmetic, "buffer q of step s2"},
	} {
		opts := play.Options{Batches: 1, Capacity: 1 << 20}
		dev := lie(t, test.from, test.to)
		_, want := play.Run(seq, plan, dev, opts)
		require.ErrorIs(t, want, test.want)
		require.ErrorContains(t, want, test.says)
		require.NoError(t, dev.Close())
		for name, with := range hosted() {
			dev := lie(t, test.from, test.to)
			_, err := play.Run(seq, plan, dev, with(opts))
			require.ErrorIs(t, err, test.want, name)
			require.EqualError(t, err, want.Error(), name)
			require.NoError(t, dev.Close(), "everything must have been freed")
		}
	}
}

// TestDynamicsOfRandomSequences: each way plays whatever the arena plays, with the same
// checks, and fails where it fails.
func TestDynamicsOfRandomSequences(t *testing.T) {
	played, failed := 0, 0
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 11))
		text := randseq.YAML(rng, randseq.Small(rng))
		seq, diags := sequences.Read("random.yaml", []byte(text))
		require.NoError(t, diags.Err(), text)
		plan, err := planner.Make(seq, planner.Options{})
		if err != nil || len(plan.Layout.Slots) == 0 {
			continue // refused: the planner's tests look at why
		}
		need, err := plan.DeviceNeed(planner.BasisTypical)
		if err != nil || need > 16<<20 || plan.Pools[1].Size > 16<<20 {
			continue
		}
		opts := play.Options{Batches: 2, Seed: seed, Capacity: 4*uint64(need) + 1<<20}
		dev := host.New(host.Options{})
		want, wantErr := play.Run(seq, plan, dev, opts)
		require.NoError(t, dev.Close())
		for name, with := range hosted() {
			dev := host.New(host.Options{})
			got, err := play.Run(seq, plan, dev, with(opts))
			require.NoError(t, dev.Close(), "seed %d, %s: everything must have been freed", seed, name)
			if wantErr != nil {
				require.EqualError(t, err, wantErr.Error(), "seed %d, %s\n%s", seed, name, text)
				continue
			}
			require.NoError(t, err, "seed %d, %s\n%s", seed, name, text)
			require.Equal(t, same(want), same(got), "seed %d, %s\n%s", seed, name, text)
			requireWaits(t, 2*waits(seq, plan), got, fmt.Sprintf("seed %d, %s\n%s", seed, name, text))
		}
		if wantErr != nil {
			failed++
		} else {
			played++
		}
	}
	t.Logf("%d played, %d failed", played, failed)
	require.Greater(t, played, 30)
}
