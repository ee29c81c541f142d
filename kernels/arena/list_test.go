package arena_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// TestListAgainstModel: a list is its sizes one by one.
func TestListAgainstModel(t *testing.T) {
	codes := make(map[abi.Code]int)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := randomCase(r)
		c.Arena = make([]byte, 1<<10)
		pool := c.Pool()
		require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
		m := newModel(c, pool, 0, 0)

		n := r.Uint64N(8)
		limit := n + 2 - r.Uint64N(4)
		sizes := (uint64(len(pool)) + 7) &^ 7
		count, out := sizes+n*8, sizes+n*8+8
		work := (out + n*16 + 63) &^ 63
		pool = append(pool, make([]byte, work-uint64(len(pool)))...)
		abi.PutWords(pool[count:], []uint64{n})
		d := &drawer{Rand: r, c: c}
		for i := range n {
			abi.PutWords(pool[sizes+i*8:], []uint64{d.number()})
		}
		require.NoError(t, arena.List(pool, ControlAt, sizes, out, count, limit, work))

		if n > limit {
			m.fail(abi.NoSlot, trouble{abi.CountOverMax, n})
		}
		for i := range n {
			want := abi.Slot{}
			if n <= limit {
				p := m.single(abi.ReadSlot(pool[sizes+i*8:]).Offset)
				want = abi.Slot{Offset: abi.NotPlaced, Size: p.size.Uint64()}
				if p.offset != nil {
					want.Offset = p.offset.Uint64()
				}
			}
			require.Equal(t, want, abi.ReadSlot(pool[out+i*16:]), "seed %d, entry %d", seed, i)
		}
		compare(t, seed, "list", m, pool[:len(m.pool)])
		codes[abi.Code(LineOf(pool).Code)]++
	}
	for _, code := range []abi.Code{abi.OK, abi.Exhausted, abi.CountOverMax, abi.BadArithmetic} {
		require.Greater(t, codes[code], 50, "lists that end with the code %s", code)
	}
}

// TestListOutside: what does not lie in the pool, or is not aligned, fails as a whole.
func TestListOutside(t *testing.T) {
	c := small()
	c.Arena = make([]byte, 1024)
	const sizes, out, count, work = 4096, 4096 + 64, 4096 + 256, 4096 + 320
	for _, test := range []struct {
		name                            string
		sizes, out, count, limit, works uint64
		code                            abi.Code
	}{
		{"fine", sizes, out, count, 4, work, abi.OK},
		{"sizes outside", 5120 - 24, out, count, 4, work, abi.BadProgram},
		{"sizes near 2^64", top64 - 7, out, count, 4, work, abi.BadProgram},
		{"sizes not aligned", sizes + 4, out, count, 4, work, abi.BadProgram},
		{"slots outside", sizes, 5120 - 48, count, 4, work, abi.BadProgram},
		{"slots not aligned", sizes, out + 4, count, 4, work, abi.BadProgram},
		{"count outside", sizes, out, 5120 - 7, 4, work, abi.BadProgram},
		{"count not aligned", sizes, out, count + 4, 4, work, abi.BadProgram},
		{"work not aligned", sizes, out, count, 4, work + 8, abi.BadProgram},
		{"too long", sizes, out, count, 3, work, abi.CountOverMax},
	} {
		pool := c.Pool()
		pool = append(pool, make([]byte, 5120-len(pool))...)
		require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
		abi.PutWords(pool[count:], []uint64{4})
		before := append([]byte(nil), pool[4096:]...)
		require.NoError(t, arena.List(pool, ControlAt, test.sizes, test.out, test.count, test.limit, test.works))
		require.Equal(t, uint64(test.code), LineOf(pool).Code, test.name)
		if test.code != abi.OK {
			require.Equal(t, uint64(1), LineOf(pool).Failed, test.name)
			require.Equal(t, before, pool[4096:], test.name)
		}
	}
	require.ErrorIs(t, arena.List(nil, 0, 0, 0, 0, 0, 0), arena.ErrControl)
	require.ErrorIs(t, arena.Mark(nil, 0, 0, 0), arena.ErrControl)
	require.ErrorIs(t, arena.Release(nil, 0, 0, 0), arena.ErrControl)
}
