package kernelstest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/play"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

func velo(t *testing.T) (*sequences.Sequence, *planner.Plan) {
	seq, diags := sequences.Read("velo.yaml", hlt1.Velo())
	require.NoError(t, diags.Err())
	plan, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, plan
}

// TestShadow: the host back end does not differ from itself, and is compared at
// every step.
func TestShadow(t *testing.T) {
	seq, plan := velo(t)
	dev := kernelstest.NewShadow(host.New(host.Options{}), plan.Layout)
	result, err := play.Run(seq, plan, dev, play.Options{Batches: 3, Events: 10})
	require.NoError(t, err)
	require.True(t, result.Sound())
	dynamic := 2 // the reset and the end step
	for _, s := range plan.Layout.Steps {
		if s.Dynamic {
			dynamic++
		}
	}
	require.Equal(t, 3*dynamic, dev.Compared())
	require.NoError(t, dev.Close())
}

// wrong is a back end whose step kernel now and then does one more thing.
type wrong struct {
	kernels.Device
	host *host.Device
}

func (w wrong) Kernel(name string) (kernels.Kernel, error) {
	if name == kernels.Step {
		name = "wrong"
	}
	k, err := w.host.Kernel(name)
	return named{k, name}, err
}

type named struct {
	kernels.Kernel
	name string
}

func (n named) Name() string {
	if n.name == "wrong" {
		return kernels.Step
	}
	return n.name
}

func (w wrong) NewStream() (kernels.Stream, error) {
	s, err := w.host.NewStream()
	return unnamed{s}, err
}

type unnamed struct{ kernels.Stream }

func (s unnamed) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	return s.Stream.Launch(k.(named).Kernel, grid, args)
}

// TestShadowFinds: one byte that a kernel leaves wrong is found, in each area.
func TestShadowFinds(t *testing.T) {
	seq, plan := velo(t)
	l := plan.Layout
	for name, at := range map[string]uint64{
		"control block": l.ControlOffset + 127, "slots": l.SlotsOffset + 3, "extents": l.ExtentsOffset + 9,
	} {
		dev := host.New(host.Options{})
		require.NoError(t, dev.Register("wrong", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
			pool, err := mem.Rest(kernels.Addr(args[0]))
			if err != nil {
				return err
			}
			err = arena.Step(pool, args[1], args[2], args[3])
			if abi.ReadControl(pool[args[1]:]).Epoch == 2 && args[3] == 5 {
				pool[at] ^= 1
			}
			return err
		}))
		shadow := kernelstest.NewShadow(wrong{dev, dev}, l)
		_, err := play.Run(seq, plan, shadow, play.Options{Batches: 3, Events: 10})
		require.ErrorIs(t, err, kernelstest.ErrDiffers)
		require.ErrorContains(t, err, "batch 1: ")
		require.ErrorContains(t, err, "seqplan_step of step 5: "+name)
	}
}

// An event of a shadow stands for the work of both.
func TestShadowEvents(t *testing.T) {
	_, plan := velo(t)
	dev := kernelstest.NewShadow(host.New(host.Options{}), plan.Layout)
	s, err := dev.NewStream()
	require.NoError(t, err)
	e, err := dev.NewEvent()
	require.NoError(t, err)
	a, err := dev.Alloc(8)
	require.NoError(t, err)
	for _, wait := range []func() error{e.Synchronize, s.Synchronize} {
		require.NoError(t, s.Memset(a, 1, 8))
		require.NoError(t, s.Record(e))
		done, err := e.Query()
		require.NoError(t, err)
		require.False(t, done)
		require.NoError(t, wait())
		done, err = e.Query()
		require.NoError(t, err)
		require.True(t, done)
	}
	require.NoError(t, dev.Free(a))
	require.NoError(t, s.Close())
	require.NoError(t, e.Close())
	_, err = e.Query()
	require.ErrorIs(t, err, kernels.ErrClosed)
	require.ErrorIs(t, e.Synchronize(), kernels.ErrClosed)
	require.NoError(t, dev.Close())
}
