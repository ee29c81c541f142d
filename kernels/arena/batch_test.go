package arena_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// TestReset is rule 9: line 1 is cleared but for High and EpochDone, and every slot
// becomes NotPlaced.
func TestReset(t *testing.T) {
	c := small(sized(512, 4096, 1)...)
	pool := c.Pool()
	batch(t, c, pool)
	require.Equal(t, uint64(512), LineOf(pool).High)
	require.Equal(t, uint64(7), LineOf(pool).EpochDone)
	require.Equal(t, uint64(2), LineOf(pool).Failed)

	c.Epoch = 8
	c.Line().Put(pool)
	require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
	require.Equal(t, abi.DeviceLine{High: 512, EpochDone: 7, FirstFailed: abi.NoSlot}, LineOf(pool))
	for _, s := range c.SlotsOf(pool) {
		require.Equal(t, abi.Slot{Offset: abi.NotPlaced}, s)
	}
}

// TestHighIsOfAllBatches: a smaller batch does not lower it.
func TestHighIsOfAllBatches(t *testing.T) {
	c := small(Alloc{Slot: 0, Code: []Instr{Param(0)}})
	c.Params, c.Values = 1, []uint64{700}
	pool := c.Pool()
	for _, n := range []struct{ size, next, high uint64 }{{700, 768, 768}, {10, 256, 768}, {1024, 1024, 1024}, {2000, 0, 1024}} {
		abi.PutWords(pool[c.ParamsAt():], []uint64{n.size})
		batch(t, c, pool)
		require.Equal(t, n.next, LineOf(pool).Next)
		require.Equal(t, n.high, LineOf(pool).High)
	}
}

// TestEpochDone: the end step sets it, whether the batch failed or not; no other
// step does.
func TestEpochDone(t *testing.T) {
	for _, size := range []uint64{1, 5000} {
		c := small(Sized(0, size))
		pool := c.Pool()
		require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
		require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), 0))
		require.Zero(t, LineOf(pool).EpochDone)
		require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), 1))
		require.Equal(t, uint64(7), LineOf(pool).EpochDone)
	}
}

// TestLoads reads counts of every width from static memory and from a slot.
func TestLoads(t *testing.T) {
	for _, width := range []uint32{1, 2, 4, 8} {
		data := make([]byte, 4*width)
		data[2*width] = 0x2A
		if width > 1 {
			data[3*width-1] = 1 // the top byte of element 2
		}
		want := uint64(0x2A)
		if width > 1 {
			want |= 1 << (8 * (width - 1))
		}
		host := func(slot uint64, code ...Instr) Alloc { return Alloc{Slot: slot, Flags: abi.AllocHost, Code: code} }
		c := &Case{Align: 64, Data: data, Arena: append(make([]byte, 64), data...), Epoch: 1}
		c.Slots, c.Capacity = 4, 1024
		c.Steps = []Step{{Allocs: []Alloc{
			Sized(0, 1), Sized(1, uint64(len(data))),
			host(2, Const(2), Load(width, c.DataAt(), uint64(len(data)))), host(3, Const(2), LoadSlot(width, 1)),
		}}, {}}
		line, slots := play(t, c)
		require.Zero(t, line.Code)
		require.Equal(t, want, slots[2].Size, "static, width %d", width)
		require.Equal(t, want, slots[3].Size, "slot, width %d", width)
	}
}

// TestUnusable: what the host or the plan got wrong makes the reset and every step
// fail, and never an error or a wrong placement.
func TestUnusable(t *testing.T) {
	tests := map[string]func(c *Case, pool []byte){
		"magic of the program":     func(c *Case, p []byte) { p[c.ProgramAt()]++ },
		"extents within a word":    func(c *Case, p []byte) { p[c.ProgramAt()+7*8]++ },
		"slots within a word":      func(c *Case, p []byte) { p[c.ProgramAt()+5*8]++ },
		"parameters within a word": func(c *Case, p []byte) { p[c.ProgramAt()+6*8]++ },
		"extents outside the pool": func(c *Case, p []byte) { abi.PutWords(p[c.ProgramAt()+7*8:], []uint64{uint64(len(p)) - 24}) },
		"extents near 2^64":        func(c *Case, p []byte) { abi.PutWords(p[c.ProgramAt()+7*8:], []uint64{^uint64(7)}) },
		"slots of another plan":    func(_ *Case, p []byte) { p[ControlAt+6*8]++ },
		"slots outside the pool":   func(c *Case, p []byte) { abi.PutWords(p[c.ProgramAt()+5*8:], []uint64{uint64(len(p)) - 8}) },
		"slots near 2^64":          func(c *Case, p []byte) { abi.PutWords(p[c.ProgramAt()+5*8:], []uint64{^uint64(7)}) },
		"more slots than memory": func(c *Case, p []byte) {
			abi.PutWords(p[c.ProgramAt()+3*8:], []uint64{1 << 60})
			abi.PutWords(p[ControlAt+6*8:], []uint64{1 << 60})
		},
		"arena alignment 0":   func(_ *Case, p []byte) { abi.PutWords(p[ControlAt+3*8:], []uint64{0}) },
		"arena alignment 384": func(_ *Case, p []byte) { abi.PutWords(p[ControlAt+3*8:], []uint64{384}) },
		"arena not aligned":   func(_ *Case, p []byte) { abi.PutWords(p[ControlAt+1*8:], []uint64{4096 + 128}) },
		"arena leaves uint64": func(_ *Case, p []byte) { abi.PutWords(p[ControlAt+1*8:], []uint64{^uint64(0) - 1023}) },
		"unknown flag":        func(_ *Case, p []byte) { p[ControlAt+5*8] = 2 },
		"last unknown flag":   func(_ *Case, p []byte) { p[ControlAt+5*8+3] = 0x80 },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			c := small(Sized(0, 1))
			pool := c.Pool()
			require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
			spoil(c, pool)
			require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
			require.Equal(t, uint64(abi.BadProgram), LineOf(pool).Code)
			for s := range c.Steps {
				require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), uint64(s)))
			}
			line := LineOf(pool)
			require.Equal(t, uint64(abi.BadProgram), line.Code)
			require.Equal(t, uint64(abi.NoSlot), line.FirstFailed)
			require.Zero(t, line.Next)
			require.Equal(t, abi.NotPlaced, c.SlotsOf(pool)[0].Offset)
		})
	}
}

// TestUnusableLater: a step does not trust what the reset has seen.
func TestUnusableLater(t *testing.T) {
	c := small(Sized(0, 1))
	pool := c.Pool()
	require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
	abi.PutWords(pool[ControlAt+1*8:], []uint64{4096 + 128})
	require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), 0))
	require.Equal(t, abi.DeviceLine{Failed: 1, FirstFailed: abi.NoSlot, Code: uint64(abi.BadProgram)}, LineOf(pool))
	require.Equal(t, abi.NotPlaced, c.SlotsOf(pool)[0].Offset)
}

// TestMisaligned: words are read whole, so a device could not even read these.
func TestMisaligned(t *testing.T) {
	c := small(Sized(0, 1))
	pool := c.Pool()
	shifted := append(make([]byte, 4), pool...)
	require.ErrorIs(t, arena.Reset(shifted, ControlAt+4, c.ProgramAt()+4), arena.ErrControl)

	at := uint64(len(pool)) + 4
	pool = append(append(pool, make([]byte, 4)...), pool[c.ProgramAt():]...)
	require.NoError(t, arena.Reset(pool, ControlAt, at))
	require.Equal(t, uint64(abi.BadProgram), LineOf(pool).Code)
}

// TestCodeSize: a size program has at most MaxCodeSize words.
func TestCodeSize(t *testing.T) {
	code := []Instr{Const(1)}
	for range (abi.MaxCodeSize - 2) / 3 {
		code = append(code, Const(0), Do(abi.OpAdd))
	}
	require.LessOrEqual(t, len(Encode(code...)), abi.MaxCodeSize)
	line, _ := play(t, small(Alloc{Slot: 0, Code: code}))
	require.Zero(t, line.Code)
	code = append(code, Const(0), Do(abi.OpAdd))
	require.Greater(t, len(Encode(code...)), abi.MaxCodeSize)
	line, _ = play(t, small(Alloc{Slot: 0, Code: code}))
	require.Equal(t, uint64(abi.BadProgram), line.Code)
}

// TestMalformedEntry: an entry that leads nowhere fails without a slot, and ends
// its step.
func TestMalformedEntry(t *testing.T) {
	alloc := func(c *Case, word uint64) uint64 { // of the first allocation
		return c.ProgramAt() + (abi.HeaderWords+uint64(len(c.Steps))*abi.StepWords+word)*abi.WordSize
	}
	entry := func(c *Case, word uint64) uint64 { return c.ProgramAt() + (abi.HeaderWords+word)*abi.WordSize }
	set := func(p []byte, at, v uint64) { abi.PutWords(p[at:], []uint64{v}) }
	tests := map[string]func(c *Case, p []byte){
		"allocations outside":   func(c *Case, p []byte) { set(p, entry(c, 2), 1<<62) },
		"allocations wrap":      func(c *Case, p []byte) { set(p, entry(c, 2), ^uint64(0)-2) },
		"too many allocations":  func(c *Case, p []byte) { set(p, entry(c, 3), ^uint64(0)) },
		"no such slot":          func(c *Case, p []byte) { set(p, alloc(c, 0), 2) },
		"unknown flag":          func(c *Case, p []byte) { set(p, alloc(c, 1), 4) },
		"base without in place": func(c *Case, p []byte) { set(p, alloc(c, 2), 1) },
		"rule":                  func(c *Case, p []byte) { set(p, alloc(c, 5), 2) },
		"header of fewer words": func(c *Case, p []byte) { set(p, c.ProgramAt()+8, abi.HeaderWords+2) },
		"a program of no steps": func(c *Case, p []byte) { set(p, c.ProgramAt()+8, abi.HeaderWords) },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			c := small(sized(1, 1)...)
			pool := c.Pool()
			spoil(c, pool)
			require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
			require.Zero(t, LineOf(pool).Code)
			require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), 0))
			line := LineOf(pool)
			require.Equal(t, uint64(abi.BadProgram), line.Code)
			require.Equal(t, uint64(abi.NoSlot), line.FirstFailed)
			require.Equal(t, uint64(1), line.Failed)
		})
	}
}

// TestStepOutside: there is no step behind the end step, although the words there
// look like an entry that has no work.
func TestStepOutside(t *testing.T) {
	for _, step := range []uint64{2, 3, 1 << 62, 1<<62 + 1, ^uint64(0)} {
		c := small(Sized(0, 1))
		c.Steps[0].Releases = []uint64{0, 0, 0, 0, 0, 0, 0, 0}
		pool := c.Pool()
		if step>>62 == 1 {
			abi.PutWords(pool[c.ProgramAt()+2*8:], []uint64{^uint64(0)}) // steps of the header
		}
		require.NoError(t, arena.Reset(pool, ControlAt, c.ProgramAt()))
		require.NoError(t, arena.Step(pool, ControlAt, c.ProgramAt(), step))
		require.Equal(t, abi.DeviceLine{Failed: 1, FirstFailed: abi.NoSlot, Code: uint64(abi.BadProgram)}, LineOf(pool))
	}
}

// TestCodeOutside: the code of a size program is bounded before it runs.
func TestCodeOutside(t *testing.T) {
	for name, words := range map[string][2]uint64{
		"first word outside": {1 << 62, 1},
		"too many words":     {0, 1 << 62},
		"both wrap":          {^uint64(0), 2},
		"no code":            {8, 0},
		"more than allowed":  {8, abi.MaxCodeSize + 1},
		"cut in an operand":  {^uint64(0), 1},
	} {
		c := small(Sized(0, 1))
		pool := c.Pool()
		at := c.ProgramAt() + (abi.HeaderWords+2*abi.StepWords+3)*abi.WordSize
		if name == "cut in an operand" {
			words[0] = abi.HeaderWords + 2*abi.StepWords + abi.AllocWords
		}
		abi.PutWords(pool[at:], words[:])
		batch(t, c, pool)
		line := LineOf(pool)
		require.Equal(t, uint64(abi.BadProgram), line.Code, name)
		require.Equal(t, uint64(0), line.FirstFailed, name)
	}
}

// TestNoControl: without a control block there is nothing to report to.
func TestNoControl(t *testing.T) {
	c := small(Sized(0, 1))
	pool := c.Pool()
	for _, at := range []uint64{uint64(len(pool)) - 64, uint64(len(pool)) + 1, ^uint64(0), ^uint64(0) - 127, 64, 4} {
		before := string(pool)
		require.ErrorIs(t, arena.Reset(pool, at, c.ProgramAt()), arena.ErrControl)
		require.ErrorIs(t, arena.Step(pool, at, c.ProgramAt(), 0), arena.ErrControl)
		_, ok := arena.Alloc(pool, at, 1)
		require.False(t, ok)
		require.Equal(t, before, string(pool))
	}
	require.ErrorIs(t, arena.Reset(nil, 0, 0), arena.ErrControl)
}

// TestAlloc is the call for kernels that allocate by themselves.
func TestAlloc(t *testing.T) {
	c := small(Sized(0, 300))
	pool := c.Pool()
	batch(t, c, pool)
	for _, want := range []struct{ size, offset uint64 }{{1, 4608}, {0, 4864}, {256, 4864}} {
		offset, ok := arena.Alloc(pool, ControlAt, want.size)
		require.True(t, ok)
		require.Equal(t, want.offset, offset)
	}
	require.Equal(t, abi.DeviceLine{Next: 1024, High: 1024, Wanted: 1024, FirstFailed: abi.NoSlot, EpochDone: 7}, LineOf(pool))

	offset, ok := arena.Alloc(pool, ControlAt, 2)
	require.False(t, ok)
	require.Equal(t, abi.NotPlaced, offset)
	_, ok = arena.Alloc(pool, ControlAt, 0)
	require.False(t, ok, "sticky")
	require.Equal(t, abi.DeviceLine{
		Next: 1024, High: 1024, Wanted: 1280, Failed: 2, FailedBytes: 256, FirstFailed: abi.NoSlot,
		Code: uint64(abi.Exhausted), EpochDone: 7,
	}, LineOf(pool))

	batch(t, c, pool)
	_, ok = arena.Alloc(pool, ControlAt, ^uint64(0))
	require.False(t, ok)
	require.Equal(t, uint64(abi.BadArithmetic), LineOf(pool).Code)
}

func TestNoAllocations(t *testing.T) {
	c := small(sized(1, 2, 3)...)
	pool := c.Pool()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if arena.Reset(pool, ControlAt, c.ProgramAt()) != nil || arena.Step(pool, ControlAt, c.ProgramAt(), 0) != nil {
			t.Error("failed")
		}
	}))
}

// BenchmarkStep10 is one step that places ten buffers, each of which loads a count,
// checks it and multiplies it by an element size.
func BenchmarkStep10(b *testing.B) {
	c := &Case{Align: 256, Start: 1 << 20, Capacity: 1 << 30, Data: U32(1000, 2000, 3000, 4000), Epoch: 1}
	c.Slots, c.Params, c.Values = 10, 1, []uint64{1000}
	var allocs []Alloc
	for i := range c.Slots {
		code := append(c.count(i%4), Param(0), Const(5), Do(abi.OpMul), Do(abi.OpCheckMax), Const(12), Do(abi.OpMul))
		allocs = append(allocs, Alloc{Slot: i, Code: code})
	}
	c.Steps = []Step{{Allocs: allocs}, {}}
	pool := c.Pool()
	b.ReportAllocs()
	for b.Loop() {
		if arena.Reset(pool, ControlAt, c.ProgramAt()) != nil || arena.Step(pool, ControlAt, c.ProgramAt(), 0) != nil {
			b.Fatal("failed")
		}
	}
	if line := LineOf(pool); line.Code != 0 || line.Next == 0 {
		b.Fatal(line)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10, "ns/buffer")
}
