package arena_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

const (
	top64 = ^uint64(0)
	none  = abi.NotPlaced
)

// play runs the reset and every step of a case.
func play(t *testing.T, c *Case) (abi.DeviceLine, []abi.Slot) {
	t.Helper()
	pool := c.Pool()
	batch(t, c, pool)
	return LineOf(pool), c.SlotsOf(pool)
}

func batch(t *testing.T, c *Case, pool []byte) {
	t.Helper()
	require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
	for s := range c.Steps {
		require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), uint64(s)))
	}
}

// sized allocates slots of constant sizes, one after the other.
func sized(sizes ...uint64) []Alloc {
	var out []Alloc
	for i, n := range sizes {
		out = append(out, Sized(uint64(i), n))
	}
	return out
}

// small is a case with an arena of 1024 bytes at offset 4096, aligned to 256, and
// with one step before the end step.
func small(allocs ...Alloc) *Case {
	c := &Case{Align: 256, Capacity: 1024, Start: 4096, Epoch: 7, Data: U32(5, 900, 0)}
	for _, a := range allocs {
		c.Slots = max(c.Slots, a.Slot+1)
	}
	c.Slots = min(c.Slots, 16)
	c.Steps = []Step{{Allocs: allocs}, {}}
	return c
}

// count loads a 32-bit integer of Data.
func (c *Case) count(i uint64) []Instr {
	return []Instr{Const(i), Load(4, c.DataAt(), uint64(len(c.Data)))}
}

// TestRules has an example for each rule of docs/abi.md. DeviceLine is compared as
// a whole, so an example pins what is not named in it too.
func TestRules(t *testing.T) {
	ok := func(next, wanted uint64) abi.DeviceLine {
		return abi.DeviceLine{Next: next, High: next, Wanted: wanted, FirstFailed: abi.NoSlot, EpochDone: 7}
	}
	failed := func(code abi.Code, slot, bytes, next, wanted, n uint64) abi.DeviceLine {
		return abi.DeviceLine{
			Next: next, High: next, Wanted: wanted, Failed: n, FailedBytes: bytes, FirstFailed: slot,
			Code: uint64(code), EpochDone: 7,
		}
	}
	tests := []struct {
		name  string
		of    func() *Case
		line  abi.DeviceLine
		slots []abi.Slot
	}{
		{
			"1 sizes are rounded, slots keep the size asked for",
			func() *Case { return small(sized(1, 256, 257)...) },
			ok(1024, 1024),
			[]abi.Slot{{Offset: 4096, Size: 1}, {Offset: 4352, Size: 256}, {Offset: 4608, Size: 257}},
		},
		{
			"1 a size that cannot be rounded is an arithmetic failure",
			func() *Case { return small(sized(256, top64-254, 1)...) },
			failed(abi.BadArithmetic, 1, 0, 256, 256, 2),
			[]abi.Slot{{Offset: 4096, Size: 256}, {Offset: none}, {Offset: none}},
		},
		{
			"2 the last byte can be used",
			func() *Case { return small(sized(768, 256)...) },
			ok(1024, 1024),
			[]abi.Slot{{Offset: 4096, Size: 768}, {Offset: 4864, Size: 256}},
		},
		{
			"2 one byte too many is refused, and says what was asked for",
			func() *Case { return small(sized(768, 257)...) },
			failed(abi.Exhausted, 1, 512, 768, 1280, 1),
			[]abi.Slot{{Offset: 4096, Size: 768}, {Offset: none}},
		},
		{
			"2 the room test does not wrap",
			func() *Case { return small(sized(512, top64-511)...) },
			failed(abi.Exhausted, 1, top64-511, 512, top64, 1),
			[]abi.Slot{{Offset: 4096, Size: 512}, {Offset: none}},
		},
		{
			"2 a size over the whole capacity does not wrap the room",
			func() *Case { return small(sized(top64 - 255)...) },
			failed(abi.Exhausted, 0, top64-255, 0, top64-255, 1),
			[]abi.Slot{{Offset: none}},
		},
		{
			"2 a capacity that is no multiple of the alignment",
			func() *Case {
				c := small(sized(256, 1)...)
				c.Capacity = 511
				return c
			},
			failed(abi.Exhausted, 1, 256, 256, 512, 1),
			[]abi.Slot{{Offset: 4096, Size: 256}, {Offset: none}},
		},
		{
			"3 the order is that of the file, not of the slots",
			func() *Case {
				c := small(Sized(1, 256), Sized(0, 512))
				return c
			},
			ok(768, 768),
			[]abi.Slot{{Offset: 4352, Size: 512}, {Offset: 4096, Size: 256}},
		},
		{
			"4 the first failure is sticky, for buffers that would fit and in later steps",
			func() *Case {
				c := small(Sized(0, 512), Sized(1, 1024), Sized(2, 256))
				c.Steps = append(c.Steps[:1], Step{Allocs: []Alloc{Sized(3, 0)}}, Step{})
				c.Slots = 4
				return c
			},
			failed(abi.Exhausted, 1, 1024, 512, 1536, 3),
			[]abi.Slot{{Offset: 4096, Size: 512}, {Offset: none}, {Offset: none}, {Offset: none}},
		},
		{
			"5 after a failure no size program runs",
			func() *Case {
				return small(Sized(0, 2048), Alloc{Slot: 1, Code: []Instr{Const(1), Const(0), Do(abi.OpDiv)}},
					Sized(2, 256), Alloc{Slot: 3, Flags: abi.AllocHost, Code: []Instr{Const(9)}},
					Alloc{Slot: 4, Flags: abi.AllocInPlace, Base: 2, Code: []Instr{Const(1)}})
			},
			failed(abi.Exhausted, 0, 2048, 0, 2048, 5),
			[]abi.Slot{{Offset: none}, {Offset: none}, {Offset: none}, {Offset: none}, {Offset: none}},
		},
		{
			"6 size 0 is placed at the cursor and consumes nothing",
			func() *Case { return small(sized(0, 1024, 0)...) },
			ok(1024, 1024),
			[]abi.Slot{{Offset: 4096, Size: 0}, {Offset: 4096, Size: 1024}, {Offset: 5120, Size: 0}},
		},
		{
			"6 size 0 fits an empty arena",
			func() *Case {
				c := small(sized(0)...)
				c.Capacity = 0
				return c
			},
			ok(0, 0),
			[]abi.Slot{{Offset: 4096}},
		},
		{
			"7 a host buffer has a size and no offset, and takes no room",
			func() *Case {
				return small(Alloc{Slot: 0, Flags: abi.AllocHost, Code: []Instr{Const(1 << 40)}}, Sized(1, 1024))
			},
			ok(1024, 1024),
			[]abi.Slot{{Offset: none, Size: 1 << 40}, {Offset: 4096, Size: 1024}},
		},
		{
			"7 the size of a host buffer is not rounded",
			func() *Case { return small(Alloc{Slot: 0, Flags: abi.AllocHost, Code: []Instr{Const(top64)}}) },
			ok(0, 0),
			[]abi.Slot{{Offset: none, Size: top64}},
		},
		{
			"8 in place: the offset of the base, up to its rounded size",
			func() *Case {
				return small(Sized(0, 10), Sized(1, 257), Alloc{Slot: 2, Flags: abi.AllocInPlace, Base: 1, Code: []Instr{Const(512)}})
			},
			ok(768, 768),
			[]abi.Slot{{Offset: 4096, Size: 10}, {Offset: 4352, Size: 257}, {Offset: 4352, Size: 512}},
		},
		{
			"8 in place: one byte too many is exhausted, although the arena has room",
			func() *Case {
				return small(Sized(0, 256), Alloc{Slot: 1, Flags: abi.AllocInPlace, Base: 0, Code: []Instr{Const(257)}})
			},
			failed(abi.Exhausted, 1, 512, 256, 256, 1),
			[]abi.Slot{{Offset: 4096, Size: 256}, {Offset: none}},
		},
		{
			"8 in place: size 0 and a base of size 0",
			func() *Case {
				return small(Sized(0, 0), Alloc{Slot: 1, Flags: abi.AllocInPlace, Base: 0, Code: []Instr{Const(0)}})
			},
			ok(0, 0),
			[]abi.Slot{{Offset: 4096}, {Offset: 4096}},
		},
		{
			"8 in place: a base of size 0 has no room",
			func() *Case {
				return small(Sized(0, 0), Alloc{Slot: 1, Flags: abi.AllocInPlace, Base: 0, Code: []Instr{Const(1)}})
			},
			failed(abi.Exhausted, 1, 256, 0, 0, 1),
			[]abi.Slot{{Offset: 4096}, {Offset: none}},
		},
		{
			"8 in place in host memory",
			func() *Case {
				return small(Alloc{Slot: 0, Flags: abi.AllocHost, Code: []Instr{Const(300)}},
					Alloc{Slot: 1, Flags: abi.AllocHost | abi.AllocInPlace, Base: 0, Code: []Instr{Const(512)}},
					Alloc{Slot: 2, Flags: abi.AllocHost | abi.AllocInPlace, Base: 0, Code: []Instr{Const(513)}})
			},
			failed(abi.Exhausted, 2, 768, 0, 0, 1),
			[]abi.Slot{{Offset: none, Size: 300}, {Offset: none, Size: 512}, {Offset: none}},
		},
		{
			"8 in place of what is not placed",
			func() *Case {
				return small(Alloc{Slot: 0, Flags: abi.AllocInPlace, Base: 1, Code: []Instr{Const(0)}}, Sized(1, 1))
			},
			failed(abi.BadProgram, 0, 0, 0, 0, 2),
			[]abi.Slot{{Offset: none}, {Offset: none}},
		},
		{
			"8 in place of no slot",
			func() *Case { return small(Alloc{Slot: 0, Flags: abi.AllocInPlace, Base: 1, Code: []Instr{Const(0)}}) },
			failed(abi.BadProgram, 0, 0, 0, 0, 1),
			[]abi.Slot{{Offset: none}},
		},
		{
			"8 a host buffer cannot take over device memory",
			func() *Case {
				return small(Sized(0, 8), Alloc{Slot: 1, Flags: abi.AllocInPlace | abi.AllocHost, Base: 0, Code: []Instr{Const(8)}})
			},
			failed(abi.BadProgram, 1, 0, 256, 256, 1),
			[]abi.Slot{{Offset: 4096, Size: 8}, {Offset: none}},
		},
		{
			"count at its max",
			func() *Case {
				c := small(sized(0)...)
				c.Steps[0].Allocs[0].Code = append(c.count(1), Const(900), Do(abi.OpCheckMax))
				return c
			},
			ok(1024, 1024),
			[]abi.Slot{{Offset: 4096, Size: 900}},
		},
		{
			"count over its max: the value of the count, not the bound",
			func() *Case {
				c := small(sized(0, 1)...)
				c.Steps[0].Allocs[0].Code = append(c.count(1), Const(899), Do(abi.OpCheckMax))
				return c
			},
			failed(abi.CountOverMax, 0, 900, 0, 0, 2),
			[]abi.Slot{{Offset: none}, {Offset: none}},
		},
		{
			"10 a load beyond its buffer",
			func() *Case {
				c := small(sized(0)...)
				c.Steps[0].Allocs[0].Code = c.count(3)
				return c
			},
			failed(abi.BadProgram, 0, 0, 0, 0, 1),
			[]abi.Slot{{Offset: none}},
		},
		{
			"10 an index that wraps when it is multiplied by the width",
			func() *Case {
				c := small(sized(0)...)
				c.Steps[0].Allocs[0].Code = c.count(1 << 62)
				return c
			},
			failed(abi.BadProgram, 0, 0, 0, 0, 1),
			[]abi.Slot{{Offset: none}},
		},
		{
			"10 a load beyond a slot, though inside its rounded size",
			func() *Case {
				c := small(Sized(0, 7), Alloc{Slot: 1, Code: []Instr{Const(1), LoadSlot(4, 0)}})
				c.Start, c.Arena = 0, make([]byte, 1024)
				return c
			},
			failed(abi.BadProgram, 1, 0, 256, 256, 1),
			nil,
		},
		{
			"10 a load from a slot of host memory",
			func() *Case {
				return small(Alloc{Slot: 0, Flags: abi.AllocHost, Code: []Instr{Const(64)}}, Alloc{Slot: 1, Code: []Instr{Const(0), LoadSlot(4, 0)}})
			},
			failed(abi.BadProgram, 1, 0, 0, 0, 1),
			[]abi.Slot{{Offset: none, Size: 64}, {Offset: none}},
		},
		{
			"10 a stack of 32 values",
			func() *Case {
				c := small(sized(0)...)
				c.Steps[0].Allocs[0].Code = deep(abi.MaxStack)
				return c
			},
			ok(256, 256),
			[]abi.Slot{{Offset: 4096, Size: abi.MaxStack}},
		},
		{
			"10 a stack of 33 values",
			func() *Case {
				c := small(sized(0)...)
				c.Steps[0].Allocs[0].Code = deep(abi.MaxStack + 1)
				return c
			},
			failed(abi.BadProgram, 0, 0, 0, 0, 1),
			[]abi.Slot{{Offset: none}},
		},
		{
			"64 bit: an arena beyond 4 GiB, larger than 4 GiB",
			func() *Case {
				c := small(sized(5<<32, 1<<32+1, 7)...)
				c.Start, c.Capacity = 3<<32, 7<<32
				return c
			},
			ok(6<<32+512, 6<<32+512),
			[]abi.Slot{{Offset: 3 << 32, Size: 5 << 32}, {Offset: 8 << 32, Size: 1<<32 + 1}, {Offset: 9<<32 + 256, Size: 7}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			line, slots := play(t, test.of())
			require.Equal(t, test.line, line)
			if test.slots != nil {
				require.Equal(t, test.slots, slots)
			}
		})
	}
}

// deep is code that needs n values on the stack and leaves n.
func deep(n int) (code []Instr) {
	for range n {
		code = append(code, Const(1))
	}
	for range n - 1 {
		code = append(code, Do(abi.OpAdd))
	}
	return code
}

// TestArithmetic has each operation that fails: the code is arithmetic and nothing
// is placed.
func TestArithmetic(t *testing.T) {
	for _, test := range []struct {
		op   abi.Op
		a, b uint64
		want uint64
		ok   bool
	}{
		{abi.OpAdd, top64 - 1, 1, top64, true},
		{abi.OpAdd, top64, 1, 0, false},
		{abi.OpSub, 5, 5, 0, true},
		{abi.OpSub, 5, 6, 0, false},
		{abi.OpMul, 1 << 32, 1<<32 - 1, 1<<64 - 1<<32, true},
		{abi.OpMul, 1 << 32, 1 << 32, 0, false},
		{abi.OpDiv, 7, 2, 3, true},
		{abi.OpDiv, 7, 0, 0, false},
		{abi.OpMod, 7, 4, 3, true},
		{abi.OpMod, 7, 0, 0, false},
		{abi.OpCeilDiv, 7, 2, 4, true},
		{abi.OpCeilDiv, top64, 2, 1 << 63, true},
		{abi.OpCeilDiv, 7, 0, 0, false},
		{abi.OpAlignUp, 7, 3, 9, true},
		{abi.OpAlignUp, top64, 2, 0, false},
		{abi.OpAlignUp, 7, 0, 0, false},
		{abi.OpMin, 7, 9, 7, true},
		{abi.OpMax, 7, 9, 9, true},
	} {
		// Host scope, so that the result is neither rounded nor placed.
		line, slots := play(t, small(Alloc{Slot: 0, Flags: abi.AllocHost, Code: []Instr{Const(test.a), Const(test.b), Do(test.op)}}))
		want := abi.DeviceLine{FirstFailed: abi.NoSlot, EpochDone: 7}
		if !test.ok {
			want.Failed, want.FirstFailed, want.Code = 1, 0, uint64(abi.BadArithmetic)
		}
		require.Equal(t, want, line, "%s %d %d", test.op, test.a, test.b)
		require.Equal(t, test.want, slots[0].Size, "%s %d %d", test.op, test.a, test.b)
	}
}
