package dynpool_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// plannedLayout plans a small sequence: hits by a count in a static buffer, seeds in
// place of them, tracks by a count in a dynamic buffer, and a report in host memory
// that a host step fills.
func plannedLayout(t *testing.T) *abi.Layout {
	t.Helper()
	seq, diags := sequences.Read("planned.yaml", []byte(`
seqplan: 1
name: planned
params:
  n_events: {min: 1, max: 64}
counts:
  n_hits: {at: "offsets[n_events]", max: "n_events * 100"}
  n_tracks: {at: "seeds[0]", max: "n_events * 50"}
steps:
  - name: count
    writes:
      offsets: {type: u32, count: "n_events + 1"}
  - name: decode
    reads: [offsets]
    writes:
      hits: {type: u64, count: "n_hits"}
  - name: seed
    reads: [hits]
    writes:
      seeds: {type: u32, count: "count_of(hits)", in_place_of: hits}
  - name: track
    reads: [seeds]
    writes:
      tracks: {type: f32, count: "n_tracks * 3"}
  - name: report
    on: host
    writes:
      summary: {type: u8, count: "n_tracks", scope: host}
outputs: [tracks, summary]
`))
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return plan.Layout
}

// worker is a pool with its stream.
type worker struct {
	pool   *dynpool.Pool
	stream kernels.Stream
	store  kernels.Kernel
	slot   map[string]abi.SlotID
	static map[string]abi.StaticBuffer
}

func newWorker(t *testing.T, dev kernels.Device, layout *abi.Layout, arena uint64) *worker {
	t.Helper()
	pool, err := dynpool.Open(dev, layout, dynpool.WithArena(arena))
	require.NoError(t, err)
	stream, err := dev.NewStream()
	require.NoError(t, err)
	store, err := dev.Kernel(kernels.Store)
	require.NoError(t, err)
	w := &worker{pool, stream, store, make(map[string]abi.SlotID), make(map[string]abi.StaticBuffer)}
	for i, s := range layout.Slots {
		w.slot[s.Name] = abi.SlotID(i)
	}
	for _, b := range layout.Buffers {
		w.static[b.Name] = b
	}
	return w
}

func (w *worker) close() error { return errors.Join(w.stream.Close(), w.pool.Close()) }

// play runs one batch, with the counts that its kernels find.
func (w *worker) play(events, hits, tracks uint64) (dynpool.Status, []byte, error) {
	b, err := w.pool.Begin(w.stream, events)
	if err != nil {
		return dynpool.Status{}, nil, err
	}
	write := func(place kernels.Place, at, value uint64) error {
		l := w.pool.Layout()
		args := kernels.Args{uint64(w.pool.Base()), l.SlotsOffset, uint64(place), at, 4, value}
		return w.stream.Launch(w.store, kernels.Grid{Blocks: 1, Threads: 1}, args)
	}
	for i, s := range w.pool.Layout().Steps {
		if err = b.Step(abi.StepID(i)); err != nil {
			break
		}
		switch s.Name {
		case "count":
			err = write(kernels.StaticPlace(w.static["offsets"].Offset), 4*events, hits)
		case "seed":
			err = write(kernels.SlotPlace(uint64(w.slot["seeds"])), 0, tracks)
		}
		if err != nil {
			break
		}
	}
	status, endErr := b.End()
	return status, b.HostSlot(w.slot["summary"]), errors.Join(err, endErr)
}

// TestPlanned runs what the planner made: a wait before the host step, a buffer in
// place, a count in a dynamic buffer; and each failure, with a good batch after it.
func TestPlanned(t *testing.T) {
	dev := host.New(host.Options{})
	w := newWorker(t, dev, plannedLayout(t), 4096)
	good := func() {
		t.Helper()
		status, summary, err := w.play(10, 20, 7)
		require.NoError(t, err)
		slots := status.Slots
		start := w.pool.ArenaStart()
		require.Equal(t, abi.Slot{Offset: start, Size: 160}, slots[w.slot["hits"]])
		require.Equal(t, abi.Slot{Offset: start, Size: 80}, slots[w.slot["seeds"]])
		require.Equal(t, abi.Slot{Offset: start + 256, Size: 84}, slots[w.slot["tracks"]])
		require.Len(t, summary, 7)
	}
	good()
	for _, test := range []struct {
		name                 string
		events, hits, tracks uint64
		want                 error
		buffer               string
	}{
		{"exhausted", 64, 513, 1, dynpool.ErrExhausted, "hits"},
		{"exhausted later", 64, 500, 9, dynpool.ErrExhausted, "tracks"},
		{"count over its max", 10, 1001, 1, dynpool.ErrCount, "hits"},
		{"count in a dynamic buffer over its max", 10, 20, 501, dynpool.ErrCount, "tracks"},
		{"count in a dynamic buffer of no elements", 10, 0, 1, dynpool.ErrProgram, "tracks"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := w.play(test.events, test.hits, test.tracks)
			require.ErrorIs(t, err, test.want)
			require.ErrorContains(t, err, test.buffer)
			good()
		})
	}
	_, _, err := w.play(65, 1, 1)
	var outside *dynpool.RangeError
	require.ErrorAs(t, err, &outside)
	require.Equal(t, dynpool.RangeError{Param: "n_events", Value: 65, Min: 1, Max: 64}, *outside)
	good()
	require.NoError(t, w.close())
	require.NoError(t, dev.Close())
}

// TestTwoPools runs two workers at once, each with its own pools and stream, one of
// which fails in every second batch.
func TestTwoPools(t *testing.T) {
	dev := host.New(host.Options{})
	layout := plannedLayout(t)
	workers := []*worker{newWorker(t, dev, layout, 4096), newWorker(t, dev, layout, 1<<20)}
	require.NotEqual(t, workers[0].pool.Base(), workers[1].pool.Base())
	errs := make([]error, len(workers))
	var wg sync.WaitGroup
	for i, w := range workers {
		wg.Go(func() {
			for n := range uint64(100) {
				hits := 100 + 500*(n%2)
				status, summary, err := w.play(64, hits, n)
				switch {
				case i == 0 && n%2 == 1:
					if !errors.Is(err, dynpool.ErrExhausted) {
						errs[i] = errors.Join(errs[i], err, errors.New("it fits"))
					}
				case err != nil:
					errs[i] = errors.Join(errs[i], err)
				case status.EpochDone != n+1 || uint64(len(summary)) != n || status.Slots[w.slot["tracks"]].Size != 12*n:
					errs[i] = errors.Join(errs[i], errors.New("the batch of the other one"))
				}
			}
		})
	}
	wg.Wait()
	for i, w := range workers {
		require.NoError(t, errs[i])
		require.NoError(t, w.close())
	}
	require.NoError(t, dev.Close())
}
