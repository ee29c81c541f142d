package dynpool_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestCountMax: the count and its max are named where the size program leaves no
// doubt, and not otherwise.
func TestCountMax(t *testing.T) {
	s := &kernelstest.Sequence{
		Params:  []abi.Param{{Name: "n", Min: 0, Max: 9}},
		Statics: []abi.StaticBuffer{{Name: "counts", Size: 16, ElemSize: 4}},
	}
	c, p, op := kernelstest.Const, kernelstest.Param, kernelstest.Code
	cat := slices.Concat[[]uint64]
	count := func(index []uint64) []uint64 { return cat(index, s.Load(0)) }
	atMost := func(v, bound []uint64) []uint64 { return cat(v, bound, op(abi.OpCheckMax)) }
	times := func(a, b []uint64) []uint64 { return cat(a, b, op(abi.OpMul)) }
	plus := func(a, b []uint64) []uint64 { return cat(a, b, op(abi.OpAdd)) }
	for _, test := range []struct {
		name   string
		code   []uint64
		counts [4]uint32
		value  uint64
		count  string
		max    uint64
		known  bool
	}{
		{"a bound of parameters", atMost(count(p(0)), times(p(0), c(7))), [4]uint32{3: 22}, 22, "counts[3]", 21, true},
		{
			"one of two counts: the other allows it",
			plus(atMost(count(c(0)), c(100)), atMost(count(c(1)), c(10))),
			[4]uint32{50, 50},
			50, "counts[1]", 10, true,
		},
		{
			"the one that is checked first allows it",
			plus(atMost(count(c(1)), c(10)), atMost(count(c(0)), c(100))),
			[4]uint32{101, 5},
			101, "", 0, false,
		},
		{
			"two counts with the same max",
			plus(atMost(count(c(0)), c(10)), atMost(count(c(1)), c(10))),
			[4]uint32{5, 50},
			50, "", 10, true,
		},
		{
			"the same count twice",
			plus(atMost(count(c(1)), c(10)), times(c(4), atMost(count(c(1)), c(10)))),
			[4]uint32{5, 50},
			50, "counts[1]", 10, true,
		},
		{"a bound that was counted", atMost(count(c(0)), count(c(1))), [4]uint32{5, 4}, 5, "counts[0]", 0, false},
		{"an index that was counted", atMost(count(count(c(1))), c(1)), [4]uint32{2, 0}, 2, "counts", 1, true},
		{"a value that was computed", atMost(plus(count(c(0)), c(1)), c(5)), [4]uint32{9}, 10, "", 5, true},
		{"a constant over its max", plus(atMost(c(8), c(7)), atMost(count(c(0)), c(9))), [4]uint32{20}, 8, "", 7, true},
		{"not the constant", plus(atMost(c(3), c(7)), atMost(count(c(0)), c(9))), [4]uint32{20}, 20, "counts[0]", 9, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.Steps = []kernelstest.Step{{}, {Allocs: []kernelstest.Buffer{{Name: "x", Code: test.code}}}}
			r := newRig(t, s, dynpool.WithArena(1<<20))
			b, err := r.pool.Begin(r.stream, 3)
			require.NoError(t, err)
			require.NoError(t, b.Step(0))
			r.leave(test.counts[:]...)
			require.NoError(t, b.Step(1))
			_, err = b.End()
			var over *dynpool.CountError
			require.ErrorAs(t, err, &over)
			require.Equal(t, dynpool.CountError{
				Failure: dynpool.Failure{Buffer: "x", Step: "step1", Failed: 1},
				Value:   test.value, Count: test.count, Max: test.max, MaxKnown: test.known,
			}, *over)
			r.close()
		})
	}
}

// TestCountInSlot: a count in a dynamic buffer is named by that; one in static
// memory that two buffers share at different times is not.
func TestCountInSlot(t *testing.T) {
	s := small()
	s.Steps[2].Allocs[0].Code = slices.Concat(
		kernelstest.Const(0), kernelstest.LoadSlot(uint64(hits), 4), kernelstest.Const(5), kernelstest.Code(abi.OpCheckMax))
	r := newRig(t, s, dynpool.WithArena(1<<16))
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	r.leave(1, 0)
	require.NoError(t, b.Step(1))
	// hits is the first buffer of the arena.
	r.put(abi.Offset(r.pool.ArenaStart()), 6)
	require.NoError(t, b.Step(2))
	_, err = b.End()
	require.ErrorContains(t, err, "needs the count hits[0] that is 6, its max is 5")
	r.close()

	s = small()
	l := s.Layout()
	l.Buffers = append(l.Buffers, l.Buffers[0])
	r = newRig(t, s, dynpool.WithArena(1<<16))
	other, longer := l.Buffers[0], l.Buffers[0]
	other.Offset += 256
	longer.Size++
	r.pool.Layout().Buffers = append(r.pool.Layout().Buffers, other, longer)
	_, _, err = r.batch(1, 1001, 20)
	require.ErrorContains(t, err, "the count counts[0]")
	*r.pool.Layout() = *l
	_, _, err = r.batch(1, 1001, 20)
	require.ErrorContains(t, err, "needs a count that is 1001, its max is 1000")
	r.close()
}
