package play_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
	"github.com/seqplan/seqplan/staticpool"
)

func planned(t *testing.T, name, text string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read(name, []byte(text))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

// small returns the reco example for few events.
func small(t *testing.T, events uint64) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read(hlt1.RecoFile, hlt1.Reco())
	require.Empty(t, diags)
	seq, err := planner.WithParam(seq, "n_events", 1, events)
	require.NoError(t, err)
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

func TestRecoIsSound(t *testing.T) {
	seq, plan := small(t, 20)
	r := run(t, seq, plan, play.Options{Batches: 3, Seed: 7})
	require.True(t, r.Sound(), "%v", r.Corrupted)
	require.Equal(t, 3, r.Batches)
	require.EqualValues(t, 60, r.Stats.Events)
	require.Zero(t, r.Stats.Splits)
	require.Greater(t, r.Checks, uint64(3*449))
	require.Positive(t, r.HighWater)
	require.Positive(t, r.HostHigh)
}

func TestOverloadSplitsAndLosesNothing(t *testing.T) {
	seq, plan := small(t, 50)
	typical, err := plan.DeviceNeed(planner.BasisTypical)
	require.NoError(t, err)
	r := run(t, seq, plan, play.Options{Batches: 4, Overload: 3 * play.Thousand, Capacity: uint64(typical)})
	require.True(t, r.Sound(), "%v", r.Corrupted)
	require.Positive(t, r.Stats.Splits)
	require.EqualValues(t, 200, r.Stats.Events)
	require.Zero(t, r.Lost)
	require.Zero(t, r.Twice)
	require.LessOrEqual(t, r.HighWater, r.Arena)
}

func TestSameSeedSameRun(t *testing.T) {
	seq, plan := small(t, 10)
	one := run(t, seq, plan, play.Options{Batches: 2, Seed: 3})
	require.Equal(t, one, run(t, seq, plan, play.Options{Batches: 2, Seed: 3}))
	require.NotEqual(t, one.HighWater, run(t, seq, plan, play.Options{Batches: 2, Seed: 4}).HighWater)
}

const oneBuffer = `
seqplan: 1
name: one
params: {n_events: {min: 1, max: 8}}
counts: {n: {at: "total[0]", max: 1000, typical: "n_events * 100"}}
steps:
  - name: count
    writes: {total: {type: u32, count: 1}}
  - name: use
    writes: {hits: {type: u8, count: "n * 256"}}
`

func TestEventsThatFitNowhereAreReported(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	static, err := plan.DeviceNeed(planner.BasisStatic)
	require.NoError(t, err)
	// One event needs about 100 * 256 bytes, up to 30 % more or less.
	r := run(t, seq, plan, play.Options{Batches: 5, Capacity: uint64(static) + 100*256})
	require.NotEmpty(t, r.Stats.Unfit)
	require.Positive(t, r.Stats.Events)
	require.EqualValues(t, 5*8, r.Stats.Events+uint64(len(r.Stats.Unfit)))
	require.True(t, r.Sound())
	for _, u := range r.Stats.Unfit {
		var e *dynpool.ExhaustedError
		require.ErrorAs(t, u.Err, &e)
		require.Equal(t, "hits", e.Buffer)
	}
	var text bytes.Buffer
	require.NoError(t, r.Text(&text))
	require.Contains(t, text.String(), "buffer hits of step use wants")
}

func TestStaticRegionThatDoesNotFit(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	dev := host.New(host.Options{})
	_, err := play.Run(seq, plan, dev, play.Options{Batches: 1, Capacity: 100})
	var e *staticpool.CapacityError
	require.ErrorAs(t, err, &e)
	require.EqualValues(t, 100, e.Capacity)
	require.EqualValues(t, plan.Pools[0].Size, e.Need)
	require.Equal(t, host.Live{}, dev.Live())
}

func TestMoreEventsThanPlannedAreRefused(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	_, err := play.Run(seq, plan, host.New(host.Options{}), play.Options{Batches: 1, Events: 9})
	require.ErrorContains(t, err, "at most 8")
}

func TestCountsAreNeverAboveTheirMax(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	r := run(t, seq, plan, play.Options{Batches: 3, Overload: 1000 * play.Thousand})
	require.True(t, r.Sound())
	require.EqualValues(t, 1000*256, r.HighWater)
}

// broken is a device whose allocator puts every buffer where the arena starts.
type broken struct {
	*host.Device
	step kernels.Kernel
}

func (b *broken) Kernel(name string) (kernels.Kernel, error) {
	if name == kernels.Step {
		return b.step, nil
	}
	return b.Device.Kernel(name)
}

func TestBrokenAllocatorIsFound(t *testing.T) {
	seq, plan := small(t, 4)
	dev := &broken{Device: host.New(host.Options{})}
	require.NoError(t, dev.Register("broken", func(mem host.Memory, _ kernels.Grid, a kernels.Args) error {
		pool, err := mem.Rest(kernels.Addr(a[0]))
		if err != nil {
			return err
		}
		if err := arena.Step(pool, a[1], a[2], a[3]); err != nil {
			return err
		}
		for i := range plan.Layout.Slots {
			b := pool[plan.Layout.SlotsOffset+uint64(i)*abi.SlotSize:]
			if s := abi.ReadSlot(b); s.Offset != abi.NotPlaced {
				abi.Slot{Offset: abi.ReadHostLine(pool[a[1]:]).ArenaStart, Size: s.Size}.Put(b)
			}
		}
		return nil
	}))
	var err error
	dev.step, err = dev.Device.Kernel("broken")
	require.NoError(t, err)
	r, err := play.Run(seq, plan, dev, play.Options{Batches: 1})
	if err == nil { // a count may be overwritten, which stops the batch as well
		require.False(t, r.Sound())
		require.NotEmpty(t, r.Corrupted)
	}
}

const keep = `
seqplan: 1
name: keep
steps:
  - name: a
    writes:
      state: {type: u64, count: 100, keep: true}
  - name: b
    writes:
      other: {type: u64, count: 100}
`

func TestKeptBuffersSurviveTheBatch(t *testing.T) {
	seq, plan := planned(t, "keep.yaml", keep)
	dev := host.New(host.Options{})
	r, err := play.Run(seq, plan, dev, play.Options{Batches: 3})
	require.NoError(t, err)
	require.True(t, r.Sound())

	// Plan as if it could be reused after its step: the next batch must notice.
	bad, err := planner.Make(seq, planner.Options{SkipVerify: true, MutateLifetimes: func(l []planner.Interval) { l[0].End = 1 }})
	require.NoError(t, err)
	r, err = play.Run(seq, bad, dev, play.Options{Batches: 2})
	require.NoError(t, err)
	require.False(t, r.Sound())
	require.Equal(t, "state", r.Corrupted[0].Buffer)
}

// TestRandomSequencesAreSound plays whatever can be planned.
func TestRandomSequencesAreSound(t *testing.T) {
	played := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		text := randseq.YAML(rng, randseq.Small(rng))
		seq, diags := sequences.Read("random.yaml", []byte(text))
		require.NoError(t, diags.Err(), text)
		plan, err := planner.Make(seq, planner.Options{})
		if err != nil {
			continue // refused: the planner's tests look at why
		}
		need, err := plan.DeviceNeed(planner.BasisTypical)
		if err != nil || need > 64<<20 || plan.Pools[1].Size > 64<<20 {
			continue
		}
		dev := host.New(host.Options{})
		r, err := play.Run(seq, plan, dev, play.Options{Batches: 2, Seed: seed, Capacity: uint64(need)})
		if err != nil && strings.Contains(err.Error(), "drawing count") {
			continue
		}
		if err != nil && (errors.Is(err, dynpool.ErrCount) || errors.Is(err, dynpool.ErrArithmetic)) {
			continue // drawn counts may make a size negative
		}
		require.NoError(t, err, "seed %d\n%s", seed, text)
		require.True(t, r.Sound(), "seed %d: %v\n%s", seed, r.Corrupted, text)
		played++
	}
	t.Logf("%d played", played)
	require.Greater(t, played, 100)
}

func TestBatchSizeThatStartsAboveOne(t *testing.T) {
	seq, plan := planned(t, "one.yaml", strings.Replace(oneBuffer, "{min: 1, max: 8}", "{min: 3, max: 8}", 1))
	static, err := plan.DeviceNeed(planner.BasisStatic)
	require.NoError(t, err)
	r := run(t, seq, plan, play.Options{Batches: 2, Capacity: uint64(static) + 256})
	require.True(t, r.Sound())
	require.Len(t, r.Stats.Unfit, 16)
}

func TestHugeBatchesAreRefused(t *testing.T) {
	seq, plan := planned(t, "huge.yaml", `
seqplan: 1
name: huge
params: {n_events: {min: 1, max: 0x7fffffffffffffff}}
steps: [{name: a, writes: {x: {type: u8, count: "min(n_events, 10)"}}}]
`)
	_, err := play.Run(seq, plan, host.New(host.Options{}), play.Options{Batches: 1})
	require.ErrorContains(t, err, "choose a smaller one")
	require.True(t, run(t, seq, plan, play.Options{Batches: 1, Events: 100}).Sound())
}

// Sequences whose plans are right and which the player once called unsound.
func TestSoundSequences(t *testing.T) {
	files, err := filepath.Glob("testdata/sound/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		seq, plan := planned(t, file, string(text))
		r := run(t, seq, plan, play.Options{Batches: 2, Seed: 1})
		require.True(t, r.Sound(), "%s: %v", file, r.Corrupted)
	}
}
