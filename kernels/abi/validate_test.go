package abi_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
)

const (
	opConst  = uint64(abi.OpConst)
	opAdd    = uint64(abi.OpAdd)
	numParam = 3
	numSlot  = 2
)

func with(op abi.Op, a uint32) uint64 { return uint64(op.With(a)) }

func TestValidateCode(t *testing.T) {
	deep := func(n int) []uint64 {
		return append(slices.Repeat([]uint64{opConst, 1}, n), slices.Repeat([]uint64{opAdd}, n-1)...)
	}
	long := slices.Concat([]uint64{opConst, 1}, slices.Repeat([]uint64{opConst, 1, opAdd}, (abi.MaxCodeSize-2)/3))
	for _, test := range []struct {
		name string
		code []uint64
		ok   bool
	}{
		{"a constant", []uint64{opConst, 1}, true},
		{"nothing", nil, false},
		{"no value for a constant", []uint64{opConst}, false},
		{"two values are left", []uint64{opConst, 1, opConst, 2}, false},
		{"a sum", []uint64{opConst, 1, opConst, 2, opAdd}, true},
		{"a sum of one", []uint64{opConst, 1, opAdd}, false},
		{"a sum of none, then a value", []uint64{opAdd, opConst, 1}, false},
		{"invalid", []uint64{0}, false},
		{"unknown", []uint64{opConst, 1, uint64(abi.OpCheckMax) + 1}, false},
		{"argument where there is none", []uint64{opConst, 1, opConst, 2, with(abi.OpAdd, 1)}, false},
		{"argument of a constant", []uint64{with(abi.OpConst, 1), 1}, false},
		{"the last parameter", []uint64{with(abi.OpParam, numParam-1)}, true},
		{"no such parameter", []uint64{with(abi.OpParam, numParam)}, false},
		{"a load", []uint64{opConst, 0, with(abi.OpLoad, 8), 0, 8}, true},
		{"a load of width 3", []uint64{opConst, 0, with(abi.OpLoad, 3), 0, 8}, false},
		{"a load of width 0", []uint64{opConst, 0, with(abi.OpLoad, 0), 0, 8}, false},
		{"a load without size", []uint64{opConst, 0, with(abi.OpLoad, 4), 0}, false},
		{"a load without index", []uint64{with(abi.OpLoad, 4), 0, 8}, false},
		{"a load from a slot", []uint64{opConst, 0, with(abi.OpLoadSlot, 1), numSlot - 1}, true},
		{"no such slot", []uint64{opConst, 0, with(abi.OpLoadSlot, 1), numSlot}, false},
		{"a slot load without slot", []uint64{opConst, 0, with(abi.OpLoadSlot, 1)}, false},
		{"the full stack", deep(abi.MaxStack), true},
		{"one value too many", deep(abi.MaxStack + 1), false},
		{"long", long, true},
		{"too long", append(long[:len(long):len(long)], opConst, 1, opAdd), false},
	} {
		err := abi.ValidateCode(test.code, numParam, numSlot)
		if test.ok {
			require.NoError(t, err, test.name)
		} else {
			require.ErrorIs(t, err, abi.ErrProgram, test.name)
		}
	}
}

func TestStack(t *testing.T) {
	for op := abi.OpConst; op <= abi.OpCheckMax; op++ {
		require.True(t, op.Known(), op)
		_, pushes := op.Stack()
		require.Equal(t, 1, pushes, op)
		require.Equal(t, op, op.With(7).Code())
		require.Equal(t, uint32(7), op.With(9).With(7).A())
	}
	for _, op := range []abi.Op{abi.OpInvalid, abi.OpCheckMax + 1, 0xFFFFFFFF} {
		require.False(t, op.Known())
		pops, pushes := op.Stack()
		require.Zero(t, pops+pushes)
	}
}
