package play_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/streams"
)

// example returns the example with three streams, for few events.
func example(t *testing.T, reuse sequences.Reuse, events uint64) (*sequences.Sequence, *planner.Plan) {
	t.Helper()
	seq, diags := sequences.Read(streams.TriggerFile, streams.With(reuse))
	require.Empty(t, diags)
	seq, err := planner.WithParam(seq, "n_events", 1, events)
	require.NoError(t, err)
	plan, err := planner.Make(seq, dense)
	require.NoError(t, err)
	return seq, plan
}

// dense packs fast and shares as many bytes as there are.
var dense = planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}}

// runOn plays on a device that runs the streams in a certain order.
func runOn(t *testing.T, order host.Options, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) (*play.Result, error) {
	t.Helper()
	dev := host.New(order)
	r, err := play.Run(seq, plan, dev, opts)
	require.NoError(t, dev.Close(), "everything must have been freed")
	require.Equal(t, host.Live{}, dev.Live())
	return r, err
}

// TestStreamsInterleaved plays the example in many orders, for each policy.
func TestStreamsInterleaved(t *testing.T) {
	for _, policy := range streams.Policies() {
		seq, plan := example(t, policy, 2)
		for seed := range uint64(24) {
			opts := play.Options{Batches: 2, Seed: seed, Dynamic: play.Dynamic(seed % 3)}
			r, err := runOn(t, atRandom(seed), seq, plan, opts)
			require.NoError(t, err)
			require.True(t, r.Sound(), "%s, seed %d: %v", policy, seed, r.Corrupted)
			require.Equal(t, seq.Streams, r.Streams)
			require.EqualValues(t, 4, r.Stats.Events)
			require.Greater(t, r.Checks, uint64(2*40))
			if opts.Dynamic == play.Arena {
				require.EqualValues(t, 2, r.Waits, "one for each batch")
			}
		}
		for first := range seq.Streams {
			for then := range seq.Streams {
				r, err := runOn(t, holdingBack(first, 0, then).Options, seq, plan, play.Options{Batches: 2})
				require.NoError(t, err)
				require.True(t, r.Sound(), "%s, %d before %d: %v", policy, then, first, r.Corrupted)
			}
		}
	}
}

// TestStreamsFindTheSame: the order in which streams run changes nothing that is found.
func TestStreamsFindTheSame(t *testing.T) {
	seq, plan := example(t, sequences.ReuseEvent, 4)
	opts := play.Options{Batches: 3, Seed: 1}
	want := run(t, seq, plan, opts)
	for seed := range uint64(5) {
		got, err := runOn(t, atRandom(seed), seq, plan, opts)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	opts.Workers = 3
	require.Equal(t, want.Checks, run(t, seq, plan, opts).Checks)
}

// multi calls f with random sequences of several streams that can be planned and played.
func multi(t *testing.T, seeds uint64, f func(seed uint64, seq *sequences.Sequence, plan *planner.Plan, opts play.Options)) {
	t.Helper()
	played := 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		config := randseq.Streams(rng)
		if seed%2 == 0 {
			config.Dynamic = 0 // else streams that place buffers must be in order
		}
		text := randseq.YAML(rng, config)
		seq, diags := sequences.Read("random.yaml", text)
		require.NoError(t, diags.Err(), "%s", text)
		if len(seq.Streams) < 2 {
			continue
		}
		if seed%3 > 0 {
			seq.Device.Reuse, seq.Host.Reuse = sequences.ReuseInternal, sequences.ReuseInternal
		}
		plan, err := planner.Make(seq, dense)
		if err != nil {
			continue // refused: the planner's tests look at why
		}
		need, err := plan.DeviceNeed(planner.BasisTypical)
		if err != nil || need > 16<<20 || plan.Pools[1].Size > 16<<20 {
			continue
		}
		opts := play.Options{Batches: 2, Seed: seed, Capacity: uint64(need)}
		dev := host.New(host.Options{})
		_, err = play.Run(seq, plan, dev, opts)
		if err != nil && strings.Contains(err.Error(), "drawing count") || errors.Is(err, dynpool.ErrCount) || errors.Is(err, dynpool.ErrArithmetic) {
			continue // drawn counts may make a size negative
		}
		require.NoError(t, err, "seed %d\n%s", seed, text)
		f(seed, seq, plan, opts)
		played++
	}
	t.Logf("%d of %d played", played, seeds)
	require.Greater(t, played, int(seeds/4))
}

// TestRandomStreamsInterleaved plays whatever can be planned, in many orders.
func TestRandomStreamsInterleaved(t *testing.T) {
	multi(t, 200, func(seed uint64, seq *sequences.Sequence, plan *planner.Plan, opts play.Options) {
		for i := range uint64(4) {
			opts.Dynamic = play.Dynamic(i % 3)
			r, err := runOn(t, atRandom(4*seed+i), seq, plan, opts)
			require.NoError(t, err, "seed %d, %s", seed, opts.Dynamic)
			require.True(t, r.Sound(), "seed %d, %s: %v", seed, opts.Dynamic, r.Corrupted)
		}
	})
}
