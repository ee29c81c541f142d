package dynpool_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// actor plays batches of any planned sequence: after each step it leaves the counts
// that the kernels of the step would.
type actor struct {
	seq    *sequences.Sequence
	layout *abi.Layout
	store  kernels.Kernel
	place  []kernels.Place // by CountID: the buffer that it lies in
	after  [][]sequences.CountID
}

// counted returns the value of a count in a batch of some events.
type counted func(name string, first, events, typical, most uint64) uint64

func typical(_ string, _, _, typical, _ uint64) uint64 { return typical }

// readPlanned plans a sequence file.
func readPlanned(t testing.TB, text []byte) (*sequences.Sequence, *abi.Layout) {
	t.Helper()
	seq, diags := sequences.Read("test.yaml", text)
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan.Layout
}

func newActor(t testing.TB, dev kernels.Device, text []byte) *actor {
	t.Helper()
	seq, layout := readPlanned(t, text)
	return actorOf(t, dev, seq, layout)
}

func actorOf(t testing.TB, dev kernels.Device, seq *sequences.Sequence, layout *abi.Layout) *actor {
	t.Helper()
	a := &actor{seq: seq, layout: layout, after: make([][]sequences.CountID, len(seq.Steps))}
	var err error
	a.store, err = dev.Kernel(kernels.Store)
	require.NoError(t, err)
	for i := range seq.Counts {
		b := &seq.Buffers[seq.Counts[i].At]
		require.NotEqual(t, sequences.StepID(sequences.None), b.Step)
		a.after[b.Step] = append(a.after[b.Step], seq.Counts[i].ID)
		a.place = append(a.place, a.find(t, b.Name))
	}
	return a
}

func (a *actor) find(t testing.TB, buffer string) kernels.Place {
	for i := range a.layout.Slots {
		if a.layout.Slots[i].Name == buffer {
			return kernels.SlotPlace(uint64(i))
		}
	}
	for i := range a.layout.Buffers {
		if b := &a.layout.Buffers[i]; b.Name == buffer && b.Scope == abi.ScopeDevice {
			return kernels.StaticPlace(b.Offset)
		}
	}
	require.FailNow(t, "no buffer "+buffer)
	return 0
}

// play plays the events [first, first+count).
func (a *actor) play(pool *dynpool.Pool, stream kernels.Stream, first, count uint64, values counted) (dynpool.Status, error) {
	params := make([]uint64, len(a.seq.Params))
	var launch []uint64
	for i, p := range a.seq.Params {
		params[i] = p.Max
		if p.ID == a.seq.Batch {
			params[i] = count
		}
		if !p.Fixed() {
			launch = append(launch, params[i])
		}
	}
	at, err := planner.At(a.seq, params)
	if err != nil {
		return dynpool.Status{}, err
	}
	b, err := pool.Begin(stream, launch...)
	if err != nil {
		return dynpool.Status{}, err
	}
	for i := range a.seq.Steps {
		if err = b.Step(abi.StepID(i)); err != nil {
			break
		}
		for _, c := range a.after[i] {
			err = errors.Join(err, a.leave(pool, stream, at, c, first, count, values))
		}
	}
	status, endErr := b.End()
	return status, errors.Join(err, endErr)
}

// leave enqueues to write one count.
func (a *actor) leave(pool *dynpool.Pool, stream kernels.Stream, at *planner.Point, id sequences.CountID, first, count uint64, values counted) error {
	c := &a.seq.Counts[id]
	index, err := at.Eval(c.Index)
	if err != nil {
		return err
	}
	var typical, most uint64
	if c.Typical != nil {
		if typical, err = at.Eval(c.Typical); err != nil {
			return err
		}
	}
	if c.Max != nil {
		if most, err = at.Eval(c.Max); err != nil {
			return err
		}
	}
	width := uint64(a.seq.Types[a.seq.Buffers[c.At].Type].Size)
	value := values(c.Name, first, count, typical, most)
	return stream.Launch(a.store, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{
		uint64(pool.Base()), a.layout.SlotsOffset, uint64(a.place[id]), index * width, width, value,
	})
}

// The actor plays the whole reconstruction.
func TestActor(t *testing.T) {
	seq, layout := readPlanned(t, hlt1.Reco())
	for _, reuse := range []bool{false, true} {
		dev := newCountingDevice()
		a := actorOf(t, dev, seq, layout)
		r, err := dynpool.OpenRunner(dev, a.layout, 1, dynpool.WithArena(1<<30), dynpool.WithReuse(reuse))
		require.NoError(t, err)
		w := r.Workers()[0]
		status, err := a.play(w.Pool(), w.Stream(), 0, 1000, typical)
		require.NoError(t, err)
		require.Greater(t, status.High, uint64(250e6))
		if reuse {
			require.Less(t, status.High, uint64(400e6), "the sum is 661 MB")
		}
		require.NoError(t, r.Close())
		dev.close(t)
	}
}

// leaveAll enqueues to write the counts of step 0.
func (a *actor) leaveAll(w *dynpool.Worker, count uint64) error {
	at, err := planner.At(a.seq, []uint64{count})
	if err != nil {
		return err
	}
	return a.leave(w.Pool(), w.Stream(), at, 0, 0, count, typical)
}
