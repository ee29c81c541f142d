package dynpool_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// onHost places host buffers of n and m bytes at step 0, one in place of the
// first, waits before step 1, and places another of n bytes there.
func onHost() *kernelstest.Sequence {
	return &kernelstest.Sequence{
		Params: []abi.Param{{Name: "n", Max: 1 << 62}, {Name: "m", Max: 1 << 62}},
		Steps: []kernelstest.Step{
			{Allocs: []kernelstest.Buffer{
				{Name: "first", Host: true, Code: kernelstest.Param(0)},
				{Name: "second", Host: true, Code: kernelstest.Param(1)},
				{Name: "taker", Host: true, InPlace: true, InPlaceOf: 0, Code: kernelstest.Param(0)},
			}},
			{Wait: true, Host: true, Allocs: []kernelstest.Buffer{{Name: "late", Host: true, Code: kernelstest.Param(0)}}},
			{Allocs: []kernelstest.Buffer{{Name: "last", Host: true, Code: kernelstest.Param(1)}}},
		},
	}
}

func TestHostSlots(t *testing.T) {
	r := newRig(t, onHost())
	for _, sizes := range [][2]uint64{{100, 0}, {1 << 20, 77}, {5, 3 << 20}, {0, 1}} {
		n, m := sizes[0], sizes[1]
		b, err := r.pool.Begin(r.stream, n, m)
		require.NoError(t, err)
		require.Nil(t, b.HostSlot(0), "what an earlier batch placed")
		require.NoError(t, b.Step(0))
		require.Nil(t, b.HostSlot(0), "the host has not waited")
		require.NoError(t, b.Step(1))
		early := b.HostSlot(0)
		require.Len(t, early, int(n))
		require.Len(t, b.HostSlot(3), int(n), "its own buffers are placed at a wait")
		require.Nil(t, b.HostSlot(4), "a later step")
		require.NoError(t, b.Step(2))
		_, err = b.End()
		require.NoError(t, err)
		slots := [][]byte{b.HostSlot(0), b.HostSlot(1), b.HostSlot(2), b.HostSlot(3), b.HostSlot(4)}
		require.Equal(t, unsafe.SliceData(early), unsafe.SliceData(slots[0]), "it must not move")
		require.Equal(t, unsafe.SliceData(early), unsafe.SliceData(slots[2]), "one takes over the other")
		for i, want := range []uint64{n, m, n, n, m} {
			require.NotNil(t, slots[i], "also without bytes")
			require.Len(t, slots[i], int(want))
			if i != 2 && want > 0 {
				require.Zero(t, uintptr(unsafe.Pointer(unsafe.SliceData(slots[i])))%256)
			}
			for j := range slots[i] {
				slots[i][j] = byte(i)
			}
		}
		for i, b := range slots {
			if i != 0 { // the taker wrote there
				require.Equal(t, len(b), count(b, byte(i)), "buffer %d overlaps another", i)
			}
		}
	}
	r.close()
}

func count(b []byte, v byte) (n int) {
	for _, x := range b {
		if x == v {
			n++
		}
	}
	return n
}

// A limit on the host pool is exact, and what does not fit is named.
func TestHostCapacity(t *testing.T) {
	s := onHost()
	s.Statics = []abi.StaticBuffer{{Name: "h", Scope: abi.ScopeHost, Size: 256, ElemSize: 1}}
	play := func(r *rig, n, m uint64) error {
		b, err := r.pool.Begin(r.stream, n, m)
		require.NoError(t, err)
		for i := range s.Steps {
			if err := b.Step(abi.StepID(i)); err != nil {
				_, endErr := b.End()
				require.ErrorIs(t, endErr, dynpool.ErrExhausted, "placing is tried again")
				return err
			}
		}
		_, err = b.End()
		return err
	}
	r := newRig(t, s, dynpool.WithHostCapacity(256+2048))
	require.NoError(t, play(r, 256, 512)) // 256 + 512 + 256 + 512
	require.NoError(t, play(r, 512, 512))
	err := play(r, 512, 513)
	var full *dynpool.ExhaustedError
	require.ErrorAs(t, err, &full)
	require.Equal(t, dynpool.ExhaustedError{
		Failure: dynpool.Failure{Buffer: "last", Step: "step2", Slot: 4, Failed: 1},
		Pool:    abi.ScopeHost, Wanted: 768, Capacity: 2048, Used: 1792, HighWater: 1792,
	}, *full)
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.ErrorContains(t, err, "wants 768 bytes of the host pool, 1792 of 2048 are in use")
	require.ErrorAs(t, play(r, 2049, 1), &full)
	require.Equal(t, "first", full.Buffer)
	require.NoError(t, play(r, 512, 512))
	r.close()

	r = newRig(t, s, dynpool.WithHostCapacity(256))
	require.NoError(t, play(r, 0, 0))
	require.ErrorIs(t, play(r, 1, 0), dynpool.ErrExhausted)
	r.close()

	// Without a limit the machine sets one, and a size can be too large to round.
	r = newRig(t, s)
	require.ErrorIs(t, func() error {
		b, err := r.pool.Begin(r.stream, 1<<62, 0)
		require.NoError(t, err)
		require.NoError(t, b.Step(0))
		_, err = b.End()
		return err
	}(), kernels.ErrOutOfMemory)
	r.close()
	s.Steps = []kernelstest.Step{{Allocs: []kernelstest.Buffer{{Host: true, Code: kernelstest.Const(^uint64(0))}}}}
	r = newRig(t, s)
	b, err := r.pool.Begin(r.stream, 0, 0)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	_, err = b.End()
	require.ErrorIs(t, err, dynpool.ErrArithmetic)
	r.close()
}

// At a wait the error of the batch so far comes back at once.
func TestWaitFailure(t *testing.T) {
	s := small()
	s.Steps[2].Wait = true
	r := newRig(t, s, dynpool.WithArena(256))
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	r.leave(100, 20)
	require.NoError(t, b.Step(1), "nobody has waited")
	require.ErrorIs(t, b.Step(2), dynpool.ErrExhausted)
	status, err := b.End()
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.Equal(t, uint64(4), status.Failed)

	// A stream error at a wait, too.
	b, err = r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	require.NoError(t, b.Step(1))
	require.NoError(t, r.stream.Memset(0, 0, 1))
	require.ErrorIs(t, b.Step(2), kernels.ErrBadAddress)
	_, _ = b.End()
	r.close()
}
