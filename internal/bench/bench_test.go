package bench_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/bench"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/internal/tally"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

func planned(t *testing.T, text string) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read("s.yaml", []byte(text))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

func run(t *testing.T, seq *sequences.Sequence, plan *planner.Plan, opts bench.Options) *bench.Result {
	t.Helper()
	dev := host.New(host.Options{})
	r, err := bench.Run(seq, plan, dev, opts)
	require.NoError(t, err)
	require.NoError(t, dev.Close(), "everything must have been freed")
	return r
}

// dynamicSteps counts the steps that the device program has work for.
func dynamicSteps(plan *planner.Plan) (n uint64) {
	for _, s := range plan.Layout.Steps {
		if s.Dynamic {
			n++
		}
	}
	return n
}

// TestSynchronizations: the planned way waits once, and where the plan says so.
func TestSynchronizations(t *testing.T) {
	for _, test := range []struct {
		text            []byte
		waits, readback uint64 // readback with the wait at the end
	}{
		// The clusters of all events, the tracks of three kinds and the hits on tracks
		// size buffers of three steps.
		{hlt1.Velo(), 1, 4},
		// Two host steps use what the device sizes; readback has waited by then.
		{hlt1.Reco(), 3, 20},
	} {
		seq, plan := planned(t, string(test.text))
		require.EqualValues(t, test.waits, len(plan.Waits)+1)
		for _, work := range []bench.Work{bench.None, bench.Touch} {
			r := run(t, seq, plan, bench.Options{Batches: 2, Events: 10, Work: work})
			require.Equal(t, test.waits, r.Planned.Waits, seq.Name)
			require.Equal(t, test.readback, r.Readback.Waits, seq.Name)
			require.Equal(t, r.Readback.Launches+dynamicSteps(plan)+2, r.Planned.Launches, "with the reset and the end step")
			require.Equal(t, uint64(len(plan.Layout.Slots)*abi.SlotSize), r.Readback.BytesToDevice)
			require.LessOrEqual(t, r.Readback.CopiesToHost, uint64(len(seq.Counts)), "no count is read twice")
			require.Equal(t, 4*r.Readback.CopiesToHost, r.Readback.BytesToHost, "they are of type u32")
		}
	}
}

// TestWork counts the kernels of each kind of work.
func TestWork(t *testing.T) {
	seq, plan := planned(t, string(hlt1.Velo()))
	buffers := uint64(0)
	for _, b := range seq.Buffers {
		if b.Scope == sequences.Device {
			buffers++
		}
	}
	counts := uint64(len(seq.Counts))
	require.Equal(t, counts, run(t, seq, plan, bench.Options{Batches: 1, Events: 2}).Readback.Launches)
	for _, work := range []bench.Work{bench.Touch, bench.Full} {
		require.Equal(t, counts+buffers, run(t, seq, plan, bench.Options{Batches: 1, Events: 2, Work: work}).Readback.Launches)
	}
}

// sharing has two counts that lie in the same bytes, at different times.
const sharing = `
seqplan: 1
name: sharing
params: {n_events: {min: 1, max: 8}}
counts:
  a: {at: "x[0]", max: 10000, typical: "n_events * 10"}
  b: {at: "y[0]", max: 20000, typical: "n_events * 20"}
steps:
  - {name: s0, writes: {x: {type: u32, count: 1}}}
  - {name: s1, writes: {p: {type: u8, count: "a * 256"}}}
  - {name: s2, writes: {y: {type: u32, count: 1}}}
  - {name: s3, writes: {q: {type: u8, count: "b * 256"}, r: {type: u8, count: "b * 7 + 1", scope: host}}}
  - {name: s4, writes: {z: {type: u8, count: "b"}}}
`

func TestCountsThatShareBytes(t *testing.T) {
	seq, plan := planned(t, sharing)
	require.Equal(t, plan.Buffers[seq.Counts[0].At].Offset, plan.Buffers[seq.Counts[1].At].Offset)
	r := run(t, seq, plan, bench.Options{Batches: 1, Work: bench.Full})
	require.EqualValues(t, 2, r.Readback.CopiesToHost)
	require.EqualValues(t, 3, r.Readback.Waits, "before s1, before s3, at the end")
	require.EqualValues(t, 1, r.Planned.Waits)
}

// TestCountInDynamicBuffer: the host knows where it has placed the buffer.
func TestCountInDynamicBuffer(t *testing.T) {
	seq, plan := planned(t, `
seqplan: 1
name: nested
params: {n_events: {min: 1, max: 8}}
counts:
  a: {at: "x[0]", max: 100, typical: "n_events * 10"}
  b: {at: "p[n_events]", max: 200, typical: "n_events * 20"}
steps:
  - {name: s0, writes: {x: {type: u32, count: 1}}}
  - {name: s1, writes: {o: {type: u8, count: a}, p: {type: u16, count: "a + 9"}}}
  - {name: s2, reads: [p], writes: {q: {type: u8, count: "b * 256"}}}
`)
	r := run(t, seq, plan, bench.Options{Batches: 1, Work: bench.Full})
	require.EqualValues(t, 2, r.Readback.CopiesToHost)
	require.EqualValues(t, 4+2, r.Readback.BytesToHost)
	require.EqualValues(t, 3, r.Readback.Waits)
}

// TestRandomSequences compares the places of the two ways on whatever can be planned.
func TestRandomSequences(t *testing.T) {
	played, dynamic := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 7))
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
		r, err := bench.Run(seq, plan, dev, bench.Options{Batches: 1, Seed: seed, Work: bench.Full, Capacity: 2*uint64(need) + 1<<20})
		require.NotErrorIs(t, err, bench.ErrDiffers, "seed %d\n%s", seed, text)
		require.NoError(t, dev.Close())
		if err != nil && (strings.Contains(err.Error(), "drawing count") || errors.Is(err, dynpool.ErrCount) ||
			errors.Is(err, dynpool.ErrArithmetic) || errors.Is(err, dynpool.ErrExhausted)) {
			continue
		}
		require.NoError(t, err, "seed %d\n%s", seed, text)
		require.EqualValues(t, 1+len(plan.Waits), r.Planned.Waits)
		played++
		if len(plan.Layout.Slots) > 0 {
			dynamic++
		}
	}
	t.Logf("%d played, %d of them with dynamic buffers", played, dynamic)
	require.Greater(t, dynamic, 100)
}

// broken is a device that spoils one thing.
type broken struct {
	kernels.Device
	step       kernels.Kernel // in place of the step kernel, if it is not nil
	dropUpload uint64         // copies to the device of so many bytes get lost
}

func (d *broken) Kernel(name string) (kernels.Kernel, error) {
	if name == kernels.Step && d.step != nil {
		return d.step, nil
	}
	return d.Device.Kernel(name)
}

func (d *broken) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return &brokenStream{s, d}, err
}

type brokenStream struct {
	kernels.Stream
	d *broken
}

func (s *brokenStream) CopyToDevice(dst kernels.Addr, src []byte) error {
	if uint64(len(src)) == s.d.dropUpload {
		return nil
	}
	return s.Stream.CopyToDevice(dst, src)
}

// TestDifferencesAreFound: a device that places one buffer elsewhere, and slots that
// do not arrive.
func TestDifferencesAreFound(t *testing.T) {
	seq, plan := planned(t, sharing)
	l := plan.Layout
	dev := host.New(host.Options{})
	require.NoError(t, dev.Register("wrong", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
		pool, err := mem.Rest(kernels.Addr(args[0]))
		if err != nil {
			return err
		}
		err = arena.Step(pool, args[1], args[2], args[3])
		if args[3] == 3 {
			pool[l.SlotsOffset+abi.SlotSize+1]++ // the offset of q
		}
		return err
	}))
	wrong, err := dev.Kernel("wrong")
	require.NoError(t, err)
	_, err = bench.Run(seq, plan, &broken{Device: dev, step: wrong}, bench.Options{Batches: 1})
	require.ErrorIs(t, err, bench.ErrDiffers)
	require.ErrorContains(t, err, "batch 0: the two ways differ: buffer q: the device has placed it as")

	_, err = bench.Run(seq, plan, &broken{Device: dev, dropUpload: 2 * abi.SlotSize}, bench.Options{Batches: 1})
	require.ErrorIs(t, err, bench.ErrDiffers)
	require.ErrorContains(t, err, "the host has uploaded")
	require.NoError(t, dev.Close(), "everything must have been freed")
}

func TestRefused(t *testing.T) {
	seq, plan := planned(t, sharing)
	dev := host.New(host.Options{})
	for _, test := range []struct {
		opts bench.Options
		want string
	}{
		{bench.Options{}, "want at least one batch"},
		{bench.Options{Batches: 1 << 30}, "at most 268435456 events"},
		{bench.Options{Batches: 1, Events: 9}, "at most 8"},
		{bench.Options{Batches: 1, Capacity: 16}, "does not fit"},
	} {
		_, err := bench.Run(seq, plan, dev, test.opts)
		require.ErrorContains(t, err, test.want)
	}
	static, err := plan.DeviceNeed(planner.BasisStatic)
	require.NoError(t, err)
	_, err = bench.Run(seq, plan, dev, bench.Options{Batches: 1, Capacity: uint64(static) + 30000})
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.ErrorContains(t, err, "batch 0: buffer q: arena exhausted", "readback comes first, and sees it itself")
	require.NoError(t, dev.Close(), "everything must have been freed")
}

func TestOutput(t *testing.T) {
	r := &bench.Result{
		Device: "host: Go", Sequence: "s", Steps: 3, Slots: 2, Events: 100, Batches: 7, Work: bench.Touch,
		Readback: bench.Way{Median: 3 * time.Millisecond, Low: 2500 * time.Microsecond, High: 3500 * time.Microsecond, Tally: tally.Tally{Waits: 4, Launches: 5, CopiesToHost: 3, BytesToHost: 12, CopiesToDevice: 2, BytesToDevice: 32}},
		Planned:  bench.Way{Median: 2 * time.Millisecond, Low: 1900 * time.Microsecond, High: 2100400 * time.Nanosecond, Tally: tally.Tally{Waits: 1, Launches: 8, CopiesToHost: 2, BytesToHost: 96, CopiesToDevice: 2, BytesToDevice: 72}},
	}
	var text bytes.Buffer
	require.NoError(t, r.Text(&text))
	require.Equal(t, `device    host: Go
sequence  s: 3 steps, 2 dynamic buffers, 100 events in a batch
work      touch: the kernels store the counts, and a byte in each device buffer
batches   7 of each way, in turns, after 3 that are not timed; arena mode bump in both
slots     equal in both ways after each batch

One batch               readback           planned
  time, median          3.000 ms           2.000 ms  ratio 1.50
  time, middle half     2.500 to 3.500 ms  1.900 to 2.100 ms
  synchronizations      4                  1
  launches              5                  8
  copies to the host    3                  2
  bytes of them         12                 96
  copies to the device  2                  2
  bytes of them         32                 72
`, text.String())
	text.Reset()
	require.NoError(t, r.JSON(&text))
	var got struct {
		Work     string
		Ratio    float64
		Readback struct {
			Median uint64 `json:"median_ns"`
			Waits  uint64 `json:"synchronizations"`
		}
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &got))
	require.Equal(t, "touch", got.Work)
	require.Equal(t, 1.5, got.Ratio)
	require.EqualValues(t, 3_000_000, got.Readback.Median)
	require.EqualValues(t, 4, got.Readback.Waits)
}
