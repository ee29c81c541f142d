package play_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// brittle is a device on which one call fails that makes or orders streams.
type brittle struct {
	*host.Device
	call, at int
}

func (d *brittle) fails() error {
	if d.call++; d.call == d.at+1 {
		return errFailing
	}
	return nil
}

func (d *brittle) NewStream() (kernels.Stream, error) {
	if err := d.fails(); err != nil {
		return nil, err
	}
	s, err := d.Device.NewStream()
	return &brittleStream{s, d}, err
}

func (d *brittle) NewEvent() (kernels.Event, error) {
	if err := d.fails(); err != nil {
		return nil, err
	}
	return d.Device.NewEvent()
}

type brittleStream struct {
	kernels.Stream
	d *brittle
}

func (s *brittleStream) Record(e kernels.Event) error {
	return errors.Join(s.d.fails(), s.Stream.Record(e))
}

func (s *brittleStream) Wait(e kernels.Event) error {
	return errors.Join(s.d.fails(), s.Stream.Wait(e))
}

// TestStreamsThatCannotBeOrdered: whenever making or ordering streams fails, the run says
// so and everything is freed.
func TestStreamsThatCannotBeOrdered(t *testing.T) {
	seq, plan := example(t, sequences.ReuseEvent, 2)
	for _, d := range play.Dynamics() {
		calls := 0
		for at := 0; ; at++ {
			dev := &brittle{Device: host.New(host.Options{}), at: at}
			_, err := play.Run(seq, plan, dev, play.Options{Batches: 1, Dynamic: d})
			require.NoError(t, dev.Device.Close(), "%s, after %d calls", d, at)
			if dev.call <= at {
				require.NoError(t, err)
				calls = at
				break
			}
			require.ErrorIs(t, err, errFailing, "%s, after %d calls", d, at)
		}
		require.Greater(t, calls, 12, d) // streams, fences, fork and join alone
	}
}

// TestWorkThatFailsIsReported: a kernel that fails, in whatever stream, makes its batch
// fail.
func TestWorkThatFailsIsReported(t *testing.T) {
	seq, plan := example(t, sequences.ReuseEvent, 2)
	launches := 0
	for at := 0; at <= launches; at++ {
		dev := &faulty{Device: host.New(host.Options{}), at: at}
		require.NoError(t, dev.Register("fails", func(host.Memory, kernels.Grid, kernels.Args) error { return errFailing }))
		r, err := play.Run(seq, plan, dev, play.Options{Batches: 2})
		require.NoError(t, dev.Close())
		if launches = dev.launches; at == launches {
			require.NoError(t, err)
			require.True(t, r.Sound())
			break
		}
		require.ErrorIs(t, err, errFailing, "launch %d", at)
		require.ErrorContains(t, err, "batch ", "launch %d", at)
	}
	require.Greater(t, launches, 80)
}

// faulty is a device on which one launch of Check is of a kernel that fails.
type faulty struct {
	*host.Device
	at, launches int
}

func (d *faulty) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return &faultyStream{s, d}, err
}

type faultyStream struct {
	kernels.Stream
	d *faulty
}

func (s *faultyStream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	if k.Name() != kernels.Check {
		return s.Stream.Launch(k, grid, args)
	}
	if s.d.launches++; s.d.launches == s.d.at+1 {
		var err error
		if k, err = s.d.Kernel("fails"); err != nil {
			return err
		}
	}
	return s.Stream.Launch(k, grid, args)
}

// many is a sequence on two streams that wait for each other before each step.
func many(steps int) string {
	var b strings.Builder
	b.WriteString("seqplan: 1\nname: many\nsteps:\n  - {name: s0, stream: q0, writes: {b0: {type: u8, count: 100}}}\n")
	for s := 1; s < steps; s++ {
		fmt.Fprintf(&b, "  - {name: s%d, stream: q%d, after: s%d, reads: [b%d], writes: {b%d: {type: u8, count: 100}}}\n", s, s%2, s-1, s-1, s)
	}
	return b.String()
}

// eventful counts the events that are made.
type eventful struct {
	*host.Device
	events int
}

func (d *eventful) NewEvent() (kernels.Event, error) {
	d.events++
	return d.Device.NewEvent()
}

func TestEventsAreUsedAgain(t *testing.T) {
	seq, plan := planned(t, "many.yaml", many(50))
	dev := &eventful{Device: host.New(host.Options{})}
	r, err := play.Run(seq, plan, dev, play.Options{Batches: 3})
	require.NoError(t, err)
	require.True(t, r.Sound())
	require.Equal(t, 49, r.Edges)
	require.LessOrEqual(t, dev.events, 4, "two fences, and one event for each wait that is under way")
	require.NoError(t, dev.Close())
}

// abandoned is a sequence that is given up at the step big while a wait for early is
// still to come.
const abandoned = `
seqplan: 1
name: abandoned
counts: {n: {at: "total[0]", max: 100, typical: 100}}
steps:
  - {name: early, stream: q0, writes: {x: {type: u8, count: 100}}}
  - {name: sum, stream: q1, writes: {total: {type: u32, count: 1}}}
  - {name: big, stream: q1, writes: {hits: {type: u8, count: "n * 100"}}}
  - {name: late, stream: q1, after: early, reads: [x, hits], writes: {y: {type: u8, count: 100}}}
`

func TestEventsOfAbandonedBatchesAreUsedAgain(t *testing.T) {
	seq, plan := planned(t, "abandoned.yaml", abandoned)
	static, err := plan.DeviceNeed(planner.BasisStatic)
	require.NoError(t, err)
	dev := &eventful{Device: host.New(host.Options{})}
	r, err := play.Run(seq, plan, dev, play.Options{Batches: 20, Dynamic: play.Block, Capacity: uint64(static) + 256})
	require.NoError(t, err)
	require.Len(t, r.Stats.Unfit, 20)
	require.LessOrEqual(t, dev.events, 3, "two fences, and one event behind early")
	require.NoError(t, dev.Close())
}
