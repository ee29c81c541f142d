package dynpool_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// ledger counts how often each event ran with success.
type ledger struct {
	mu  sync.Mutex
	ran []int
}

func newLedger(events uint64) *ledger { return &ledger{ran: make([]int, events)} }

func (l *ledger) add(first, count uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range count {
		l.ran[first+i]++
	}
}

// once returns how many events ran once.
func (l *ledger) once() (n uint64) {
	for _, times := range l.ran {
		if times == 1 {
			n++
		}
	}
	return n
}

// noWaits has a host buffer of a dynamic size and a count in a dynamic buffer.
const noWaits = `
seqplan: 1
name: two_counts
params: {n_events: {min: 1, max: 10}}
counts:
  n_hits: {at: "offsets[n_events]", typical: "n_events * 300", max: "n_events * 1000"}
  n_tracks: {at: "hits[0]", typical: "n_events * 20", max: "n_events * 50"}
steps:
  - name: count
    writes: {offsets: {type: u32, count: "n_events + 1"}}
  - name: decode
    reads: [offsets]
    writes: {hits: {type: u64, count: "n_hits"}}
  - name: track
    reads: [hits]
    writes:
      tracks: {type: f32, count: "n_tracks * 3"}
      summary: {type: u8, count: "n_tracks", scope: host}
outputs: [tracks, summary]
`

// TestThousandBatches: of 1,000 batches 5 % are made to fail, and each event runs
// with success exactly once, on one worker and on several, with the same numbers.
// Where no step waits, each batch waits once.
func TestThousandBatches(t *testing.T) {
	const batches, size, events = 1000, 10, 1000 * 10
	for _, test := range []struct {
		name  string
		text  []byte
		waits bool
	}{{"velo", hlt1.Velo(), false}, {"two counts", []byte(noWaits), false}, {"reco", hlt1.Reco(), true}} {
		t.Run(test.name, func(t *testing.T) {
			seq, layout := readPlanned(t, test.text)
			var want dynpool.Stats
			for _, workers := range []int{1, 3} {
				dev := newCountingDevice()
				a := actorOf(t, dev, seq, layout)
				r, err := dynpool.OpenRunner(dev, a.layout, workers, dynpool.WithArena(64<<20),
					dynpool.WithFaults(dynpool.FaultPlan{Rate: 50, Seed: 7}))
				require.NoError(t, err)
				opened := dev.waits.Load()
				l := newLedger(events)
				stats, err := r.Run(t.Context(), events, size, func(w *dynpool.Worker, first, count uint64) error {
					_, err := a.play(w.Pool(), w.Stream(), first, count, typical)
					if err == nil {
						l.add(first, count)
					}
					return err
				})
				require.NoError(t, err)
				require.EqualValues(t, events, l.once())
				require.Empty(t, stats.Unfit)
				require.EqualValues(t, events, stats.Events)
				require.EqualValues(t, events, stats.Next)
				sum := r.Stats()
				require.EqualValues(t, stats.Runs, sum.Batches)
				require.Equal(t, sum.Syncs, dev.waits.Load()-opened, "all waits are counted")
				if !test.waits {
					require.Equal(t, sum.Batches, sum.Syncs, "one wait for each batch")
				}
				require.InDelta(t, batches/20, stats.Splits, 25, "5 % of the batches, and few of their halves")
				require.EqualValues(t, sum.Injected, stats.Splits+stats.Retries)
				require.Equal(t, dynpool.Failures{Exhausted: sum.Injected}, sum.Failures)
				sum.Pools, sum.DeviceBytes, sum.HostBytes = 0, 0, 0
				if workers == 1 {
					want = sum
				}
				require.Equal(t, want, sum, "whatever the number of workers")
				require.NoError(t, r.Close())
				dev.close(t)
			}
		})
	}
}

// TestRunAccounts: whatever fails and how, each event ran once, is unfit, is in a
// BatchError or was not handed out.
func TestRunAccounts(t *testing.T) {
	dev := newCountingDevice()
	runners := []*dynpool.Runner{newRunner(t, dev, 1), newRunner(t, dev, 2), newRunner(t, dev, 5)}
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.Uint64Range(0, 200).Draw(t, "events")
		batch := rapid.Uint64Range(1, 40).Draw(t, "batch")
		least := rapid.Uint64Range(1, 5).Draw(t, "least")
		broken := rapid.SliceOfN(rapid.Uint64Range(0, 400), 0, 3).Draw(t, "broken")
		large := rapid.Uint64Range(2, 50).Draw(t, "large")
		r := rapid.SampledFrom(runners).Draw(t, "runner")
		l := newLedger(events)
		smallest := min(events, batch)
		stats, err := r.Run(context.Background(), events, batch, func(_ *dynpool.Worker, first, count uint64) error {
			if count < min(least, smallest) && batch >= 2*least {
				return errors.New("below the smallest range")
			}
			switch {
			case count > large:
				return dynpool.ErrExhausted
			case slices.ContainsFunc(broken, func(b uint64) bool { return first <= b && b < first+count }):
				return errBroken
			case first%large == 0:
				return dynpool.ErrExhausted
			}
			l.add(first, count)
			return nil
		}, dynpool.SplitMin(least))
		for _, u := range stats.Unfit {
			l.add(u.Event, 1)
		}
		require.True(t, slices.IsSortedFunc(stats.Unfit, func(a, b dynpool.Unfit) int { return int(a.Event) - int(b.Event) }))
		last := uint64(0)
		for _, e := range batchErrors(err) {
			require.ErrorIs(t, e, errBroken)
			require.GreaterOrEqual(t, e.First, last)
			require.Positive(t, e.Count)
			last = e.First + e.Count
			l.add(e.First, e.Count)
		}
		l.add(stats.Next, events-stats.Next)
		require.Equal(t, events, l.once())
		if err == nil {
			require.Equal(t, events, stats.Next)
			require.Equal(t, events, stats.Events+uint64(len(stats.Unfit)))
		}
	})
	for _, r := range runners {
		require.NoError(t, r.Close())
	}
	dev.close(t)
}

func batchErrors(err error) (out []*dynpool.BatchError) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	for _, e := range joined.Unwrap() {
		if b, ok := e.(*dynpool.BatchError); ok {
			out = append(out, b)
		}
	}
	return out
}

// TestUnfitBeforeError: a batch that fails in its middle has handled what came
// before, unfit events too; and the events of all workers come sorted.
func TestUnfitBeforeError(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 2)
	second := make(chan struct{})
	stats, err := r.Run(t.Context(), 16, 8, func(_ *dynpool.Worker, first, count uint64) error {
		has := func(event uint64) bool { return first <= event && event < first+count }
		switch {
		case has(0) && count == 8:
			<-second // so that the later batch is done first
			return dynpool.ErrExhausted
		case has(0), has(8):
			return dynpool.ErrExhausted
		case has(15):
			defer close(second)
		case has(5):
			return errBroken
		}
		return nil
	})
	require.ErrorIs(t, err, errBroken)
	failed := batchErrors(err)
	require.Len(t, failed, 1)
	require.Equal(t, [2]uint64{4, 4}, [2]uint64{failed[0].First, failed[0].Count})
	require.EqualValues(t, 3+7, stats.Events)
	require.Len(t, stats.Unfit, 2)
	require.EqualValues(t, 0, stats.Unfit[0].Event)
	require.EqualValues(t, 8, stats.Unfit[1].Event)
	require.NoError(t, r.Close())
	dev.close(t)
}
