package dynpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
)

// TestMode: the layout chooses the arena mode unless the option does. With reuse
// the memory of flags serves tracks, which comes after it.
func TestMode(t *testing.T) {
	on, off := dynpool.WithReuse(true), dynpool.WithReuse(false)
	for _, test := range []struct {
		layout bool
		opts   []dynpool.Option
		reuse  bool
	}{
		{false, nil, false},
		{true, nil, true},
		{false, []dynpool.Option{on}, true},
		{true, []dynpool.Option{off}, false},
		{true, []dynpool.Option{on, off}, false},
	} {
		s := small()
		s.Reuse = test.layout
		r := newRig(t, s, append(test.opts, dynpool.WithArena(4096))...)
		start := r.pool.ArenaStart()
		for range 2 { // the second batch does not find the first
			_, status, err := r.batch(7, 100, 50)
			require.NoError(t, err)
			want := []abi.Slot{
				hits:   {Offset: start, Size: 400},
				flags:  {Offset: abi.NotPlaced, Size: 100},
				names:  {Offset: abi.NotPlaced, Size: 70},
				tracks: {Offset: start + 768, Size: 30},
			}
			flag, high := uint64(0), uint64(1024)
			if test.reuse {
				want[tracks].Offset, flag, high = start+512, abi.FlagReuse, 768
			}
			require.Equal(t, want, status.Slots, "%+v", test)
			require.Equal(t, high, status.High)
			require.Equal(t, flag, abi.ReadHostLine(r.read(r.pool.Base(), abi.LineSize)).Flags)
		}
		r.close()
	}
}

// TestModeWithFault: mode and fault share the flags.
func TestModeWithFault(t *testing.T) {
	s := small()
	s.Reuse = true
	r := newRig(t, s, dynpool.WithArena(4096), dynpool.WithFaults(dynpool.FaultPlan{
		Choose: func(dynpool.FaultPoint) (abi.SlotID, bool) { return hits, true },
	}))
	_, _, err := r.batch(7, 100, 50)
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	require.Equal(t, abi.FlagReuse|abi.FaultFlag(hits), abi.ReadHostLine(r.read(r.pool.Base(), abi.LineSize)).Flags)
	r.close()
}
