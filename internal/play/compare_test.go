package play_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/staticpool"
)

func TestCompare(t *testing.T) {
	seq, plan := small(t, 3)
	dev := host.New(host.Options{})
	opts := play.Options{Batches: 2, Seed: 4}
	c, err := play.Compare(seq, plan, dev, opts, []play.Dynamic{play.Block, play.Arena, play.Stream})
	require.NoError(t, err)
	require.NoError(t, dev.Close())
	require.Len(t, c.Ways, 3)
	for i, d := range []play.Dynamic{play.Block, play.Arena, play.Stream} {
		opts.Dynamic = d
		require.Equal(t, run(t, seq, plan, opts), c.Ways[i].Result)
		require.Positive(t, c.Ways[i].Batch)
	}

	_, err = play.Compare(seq, plan, host.New(host.Options{}), play.Options{Batches: 1, Capacity: 64}, play.Dynamics())
	var small *staticpool.CapacityError
	require.ErrorAs(t, err, &small)
	require.ErrorContains(t, err, "dynamic buffers by arena: ")
	_, err = play.Compare(seq, plan, host.New(host.Options{}), play.Options{Batches: 1, Capacity: 64}, play.Dynamics()[:1])
	require.ErrorAs(t, err, &small)
	require.NotContains(t, err.Error(), "dynamic buffers", "there is only one way")
}

// TestDynamicsRefuse what only the arena has.
func TestDynamicsRefuse(t *testing.T) {
	seq, plan := planned(t, "one.yaml", oneBuffer)
	dev := host.New(host.Options{})
	for _, d := range []play.Dynamic{play.Stream, play.Block, play.Block + 1} {
		for _, opts := range []play.Options{{Batches: 1, Fail: 1}, {Batches: 1, Mode: play.Bump}} {
			opts.Dynamic = d
			_, err := play.Run(seq, plan, dev, opts)
			require.Error(t, err)
			_, err = play.Compare(seq, plan, dev, opts, []play.Dynamic{play.Arena, d})
			require.ErrorContains(t, err, "dynamic buffers")
		}
	}
	require.Equal(t, host.Live{}, dev.Live())
}

func TestDynamicWords(t *testing.T) {
	for _, d := range play.Dynamics() {
		text, err := d.MarshalText()
		require.NoError(t, err)
		var back play.Dynamic
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, d, back)
	}
	require.Equal(t, "unknown", (play.Block + 1).String())
	require.ErrorContains(t, new(play.Dynamic).UnmarshalText([]byte("heap")), "arena, stream or block")
}

func TestComparisonText(t *testing.T) {
	c := &play.Comparison{Ways: []play.Way{
		{&play.Result{Batches: 2, Waits: 6, Reserved: 1000, HighWater: 100, Allocations: 1, Stats: dynpool.SplitStats{Runs: 2}}, 12345678},
		{&play.Result{Batches: 2, Dynamic: play.Stream, Waits: 41, Reserved: 300, HighWater: 90, Allocations: 12, Stats: dynpool.SplitStats{Runs: 3, Events: 19, Unfit: make([]dynpool.Unfit, 1)}}, 1500 * time.Microsecond},
		{&play.Result{Dynamic: play.Block, Mismatches: 1}, 0},
	}}
	var text bytes.Buffer
	require.NoError(t, c.Text(&text))
	require.Equal(t, `The same batches, by what places the dynamic buffers
  dynamic  passes  events  unfit  synchronizations  reserved  used   driver allocations  time       sound
  arena    2       0       0      3                 1000 B    100 B  1                   12.346 ms  yes
  stream   3       19      1      20.5              300 B     90 B   12                  1.500 ms   yes
  block    0       0       0      0                 0 B       0 B    0                   0.000 ms   no
Events are those that were played, unfit those that did not fit even alone. Synchronizations and
time are of one batch with all its passes; the time is a median, and most of it goes into filling
and checking every byte: `+"`seqplan bench`"+` times placing alone. Reserved and used are peaks of one
worker; the arena reserves its capacity when it is opened, used is its high-water mark.
`, text.String())
	data, err := json.Marshal(c)
	require.NoError(t, err)
	var got struct {
		Ways []struct {
			Dynamic     string `json:"dynamic"`
			Batch       int    `json:"batch_ns"`
			Reserved    int    `json:"reserved"`
			Allocations int    `json:"driver_allocations"`
		} `json:"ways"`
	}
	require.NoError(t, json.Unmarshal(data, &got))
	require.Equal(t, "stream", got.Ways[1].Dynamic)
	require.Equal(t, 1_500_000, got.Ways[1].Batch)
	require.Equal(t, 300, got.Ways[1].Reserved)
	require.Equal(t, 12, got.Ways[1].Allocations)
}
