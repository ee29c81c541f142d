package abi_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
)

// TestNumbers pins the opcodes, codes and flags of docs/abi.md: they lie in device
// memory.
func TestNumbers(t *testing.T) {
	for want, op := range []abi.Op{
		abi.OpInvalid, abi.OpConst, abi.OpParam, abi.OpAdd, abi.OpSub, abi.OpMul, abi.OpDiv, abi.OpMod,
		abi.OpCeilDiv, abi.OpAlignUp, abi.OpMin, abi.OpMax, abi.OpLoad, abi.OpLoadSlot, abi.OpCheckMax,
	} {
		require.Equal(t, abi.Op(want), op, op.String())
	}
	for want, code := range []abi.Code{abi.OK, abi.Exhausted, abi.CountOverMax, abi.BadArithmetic, abi.BadProgram} {
		require.Equal(t, abi.Code(want), code, code.String())
	}
	require.Equal(t, []uint64{1, 2, 1}, []uint64{abi.AllocHost, abi.AllocInPlace, abi.FlagReuse})
	require.Equal(t, []int{8, 4, 6, 32, 65536}, []int{abi.HeaderWords, abi.StepWords, abi.AllocWords, abi.MaxStack, abi.MaxCodeSize})
	require.Equal(t, abi.Op(1<<63|12), abi.OpLoad.With(1<<31), "the argument is the high half")
}

// TestNames: no two opcodes and no two codes are called alike.
func TestNames(t *testing.T) {
	seen := make(map[string]bool)
	for op := abi.OpInvalid; op <= abi.OpCheckMax; op++ {
		require.False(t, seen[op.String()], op.String())
		seen[op.String()] = true
	}
	for code := abi.OK; code <= abi.BadProgram; code++ {
		require.False(t, seen[code.String()], code.String())
		seen[code.String()] = true
	}
}

// TestValidArg: an opcode that exists not has no legal argument.
func TestValidArg(t *testing.T) {
	for _, op := range []abi.Op{abi.OpInvalid, abi.OpCheckMax + 1, ^abi.Op(0)} {
		require.False(t, op.ValidArg(^uint64(0)))
		require.Zero(t, op.Immediates())
	}
	for a := range uint32(20) {
		width := a == 1 || a == 2 || a == 4 || a == 8
		require.Equal(t, width, abi.OpLoad.With(a).ValidArg(0))
		require.Equal(t, width, abi.OpLoadSlot.With(a).ValidArg(0))
		require.Equal(t, a < 5, abi.OpParam.With(a).ValidArg(5))
		require.Equal(t, a == 0, abi.OpMul.With(a).ValidArg(^uint64(0)))
	}
}

// TestUnderflow: code that takes what is not there, and has one value in the end.
func TestUnderflow(t *testing.T) {
	err := abi.ValidateCode([]uint64{opConst, 1, opAdd, opConst, 1}, 0, 0)
	require.ErrorIs(t, err, abi.ErrProgram)
}

// FuzzValidateCode: code that is accepted keeps a stack of 1 to MaxStack values
// and ends with one, counted here from its instructions.
func FuzzValidateCode(f *testing.F) {
	for _, code := range [][]uint64{
		{opConst, 1},
		{opConst, 1, with(abi.OpParam, 0), opAdd},
		{opConst, 0, with(abi.OpLoad, 4), 0, 4},
		{with(abi.OpParam, 0), with(abi.OpLoadSlot, 8), 0},
		{opConst, 1, opAdd, opConst, 1},
	} {
		b := make([]byte, len(code)*abi.WordSize)
		abi.PutWords(b, code)
		f.Add(b, uint64(1), uint64(1))
	}
	f.Fuzz(func(t *testing.T, b []byte, params, slots uint64) {
		code := make([]uint64, len(b)/abi.WordSize)
		for i := range code {
			code[i] = binary.LittleEndian.Uint64(b[i*abi.WordSize:])
		}
		if err := abi.ValidateCode(code, params, slots); err != nil {
			require.ErrorIs(t, err, abi.ErrProgram)
			return
		}
		depth := 0
		for len(code) > 0 {
			op := abi.Op(code[0])
			require.True(t, op.ValidArg(params))
			pops, pushes := op.Stack()
			require.GreaterOrEqual(t, depth, pops)
			depth += pushes - pops
			require.LessOrEqual(t, depth, abi.MaxStack)
			require.Greater(t, len(code), op.Immediates())
			code = code[1+op.Immediates():]
		}
		require.Equal(t, 1, depth)
	})
}
