package arena_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// TestAgainstModel runs random programs and compares every byte of the pool after
// every launch, over three batches each, so that High and EpochDone live on.
func TestAgainstModel(t *testing.T) {
	codes := make(map[abi.Code]int)
	var zero, host, inPlace, full int
	for seed := range uint64(10_000) {
		c := randomCase(rand.New(rand.NewPCG(seed, 1)))
		pool := c.Pool()
		high, done := uint64(0), uint64(0)
		for range 3 {
			m := newModel(c, pool, high, done)
			require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
			compare(t, seed, "reset", m, pool)
			for s := range c.Steps {
				require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), uint64(s)))
				m.step(s)
				compare(t, seed, "step", m, pool)
				between(t, rand.New(rand.NewPCG(seed, uint64(s))), c, m, pool)
				compare(t, seed, "mark, release or alloc", m, pool)
			}
			line := LineOf(pool)
			high, done = line.High, line.EpochDone
			codes[abi.Code(line.Code)]++
			if line.Next > 0 && line.Next == c.Capacity {
				full++
			}
			for i, s := range m.slots {
				switch {
				case s.offset == nil:
					host++
				case s.size.Sign() == 0:
					zero++
				}
				for _, st := range c.Steps {
					for _, a := range st.Allocs {
						if a.Slot == i && a.Flags == abi.AllocInPlace {
							inPlace++
						}
					}
				}
			}
			// Another batch, with other counts and less room.
			c.Epoch++
			c.Capacity -= c.Capacity / 3
			c.Line().Put(pool)
			copy(pool[c.DataAt():], U32(uint32(seed)%50, 3))
		}
	}
	// The draw must reach everything, or the comparison means little.
	for _, code := range []abi.Code{abi.OK, abi.Exhausted, abi.CountOverMax, abi.BadArithmetic, abi.BadProgram} {
		require.Greater(t, codes[code], 300, "batches that end with the code %s", code)
	}
	for name, n := range map[string]int{"of size 0": zero, "in host memory": host, "in place": inPlace, "up to the last byte": full} {
		require.Greater(t, n, 50, "slots %s", name)
	}
}

// between does what kernels do between two steps, sometimes: they mark, take memory
// by themselves and release.
func between(t *testing.T, r *rand.Rand, c *Case, m *model, pool []byte) {
	switch r.IntN(6) {
	case 0:
		require.NoError(t, arena.Mark(pool, ControlAt, c.ProgramAt(), c.MarkAt()))
		m.setMark()
	case 1, 2:
		size := (&drawer{Rand: r, c: c}).number()
		want := m.single(size)
		offset, ok := arena.Alloc(pool, ControlAt, size)
		require.Equal(t, want.offset != nil, ok)
		if ok {
			require.Equal(t, want.offset.Uint64(), offset)
		}
	case 3:
		require.NoError(t, arena.Release(pool, ControlAt, c.ProgramAt(), c.MarkAt()))
		m.releaseMark()
	}
}

func compare(t *testing.T, seed uint64, what string, m *model, pool []byte) {
	t.Helper()
	want := m.expect()
	if string(want) == string(pool) {
		return
	}
	require.Empty(t, cmp.Diff(abi.ReadControl(want), abi.ReadControl(pool)), "seed %d: %s: control block", seed, what)
	require.Empty(t, cmp.Diff(m.c.SlotsOf(want), m.c.SlotsOf(pool)), "seed %d: %s: slots", seed, what)
	require.Equal(t, want, pool, "seed %d: %s: a write outside line 1 and the slots", seed, what)
}
