package dynpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestFaultInGap: where memory is reused a released piece is room, also in a full
// arena: below a buffer, and below what a kernel has taken by itself. A buffer of no
// bytes in the middle does not divide it.
func TestFaultInGap(t *testing.T) {
	for _, test := range []struct {
		name          string
		reuse, kernel bool
		wanted        uint64
		fits          bool
	}{
		{"below a buffer", true, false, 512, true},
		{"too small", true, false, 768, false},
		{"no reuse", false, false, 512, false},
		{"below a kernel's", true, true, 512, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			above := uint64(256)
			if test.kernel {
				above = 0
			}
			s := &kernelstest.Sequence{Steps: []kernelstest.Step{
				{Allocs: []kernelstest.Buffer{{Code: kernelstest.Const(256)}, {Code: kernelstest.Const(0)}, {Code: kernelstest.Const(256)}, {Code: kernelstest.Const(above)}}},
				{Releases: []uint64{0, 2}, Allocs: []kernelstest.Buffer{{Code: kernelstest.Const(test.wanted)}}},
			}}
			for _, fault := range []bool{false, true} {
				r := newRig(t, s, dynpool.WithArena(768), dynpool.WithReuse(test.reuse), dynpool.WithFaults(dynpool.FaultPlan{
					Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return 4, fault },
				}))
				b, err := r.pool.Begin(r.stream)
				require.NoError(t, err)
				require.NoError(t, b.Step(0))
				if test.kernel {
					r.take(256)
				}
				require.NoError(t, b.Step(1))
				_, err = b.End()
				if !fault && test.fits {
					require.NoError(t, err)
				} else {
					var full *dynpool.ExhaustedError
					require.ErrorAs(t, err, &full)
					require.EqualValues(t, 4, full.Slot)
					require.Equal(t, test.fits, full.Injected)
				}
				r.close()
			}
		})
	}
}

// take enqueues a kernel that takes memory by itself.
func (r *rig) take(bytes uint64) {
	r.t.Helper()
	require.NoError(r.t, r.dev.Register("take", func(mem host.Memory, _ kernels.Grid, args kernels.Args) error {
		pool, err := mem.Rest(kernels.Addr(args[0]))
		arena.Alloc(pool, r.pool.Layout().ControlOffset, args[1])
		return err
	}))
	take, err := r.dev.Kernel("take")
	require.NoError(r.t, err)
	require.NoError(r.t, r.stream.Launch(take, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(r.pool.Base()), bytes}))
}
