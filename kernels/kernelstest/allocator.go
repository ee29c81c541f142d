package kernelstest

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// batch runs a reset and all steps on the device and on the oracle and compares
// every byte of the pool after each.
func (d *device) batch(l *abi.Layout, pool []byte) []byte {
	d.t.Helper()
	a := d.upload(pool)
	want := bytes.Clone(pool)
	compare := func(what string, err error) {
		require.NoError(d.t, err)
		got := d.read(a, uint64(len(want)))
		if !bytes.Equal(want, got) {
			require.Equal(d.t, abi.ReadControl(want[l.ControlOffset:]), abi.ReadControl(got[l.ControlOffset:]), what)
			require.Equal(d.t, slotsOf(l, want), slotsOf(l, got), what)
			require.Equal(d.t, want, got, "%s wrote outside of line 1 and the slots", what)
		}
	}
	d.launch(kernels.Reset, uint64(a), l.ControlOffset, l.ProgramOffset)
	compare("reset", arena.Reset(want, l.ControlOffset, l.ProgramOffset))
	for i := range len(l.Steps) + 1 {
		d.launch(kernels.Step, uint64(a), l.ControlOffset, l.ProgramOffset, uint64(i))
		compare("step", arena.Step(want, l.ControlOffset, l.ProgramOffset, uint64(i)))
	}
	return want
}

func slotsOf(l *abi.Layout, pool []byte) []abi.Slot {
	var out []abi.Slot
	for i := range len(l.Slots) {
		out = append(out, abi.ReadSlot(pool[l.SlotsOffset+uint64(i)*abi.SlotSize:]))
	}
	return out
}

// A program with one buffer of each kind; the expected bytes are written out, so
// that they do not depend on the oracle.
func testProgram(t *testing.T, d *device) {
	s := &Sequence{
		Params:  []abi.Param{{Name: "n", Min: 0, Max: 1000}},
		Statics: []abi.StaticBuffer{{Name: "offsets", Size: 44, ElemSize: 4}},
	}
	s.Steps = []Step{
		{},
		{Allocs: []Buffer{
			{Code: join(Param(0), s.Load(0))},
			{Code: Const(0)},
			{Host: true, Code: join(Param(0), Const(3), Code(abi.OpMul))},
		}},
		{Releases: []uint64{1}, Allocs: []Buffer{
			{InPlace: true, InPlaceOf: 0, Code: Const(512)},
			{Code: Const(257)},
			{Code: Const(1)},
			{Code: Const(0)},
		}},
	}
	l := s.Layout()
	capacity := uint64(4 * 256)
	pool := Image(l, capacity, 0, 10)
	pool[s.Offset(0)+40], pool[s.Offset(0)+41] = 0x2C, 0x01 // offsets[10] = 300
	start := l.Device.Size
	got := d.batch(l, pool)
	require.Equal(t, []abi.Slot{
		{Offset: start, Size: 300},
		{Offset: abi.NotPlaced, Size: 0}, // released
		{Offset: abi.NotPlaced, Size: 30},
		{Offset: start, Size: 512},
		{Offset: start + 512, Size: 257},
		{Offset: abi.NotPlaced},
		{Offset: abi.NotPlaced},
	}, slotsOf(l, got))
	require.Equal(t, abi.DeviceLine{
		Next: 1024, High: 1024, Wanted: 1280, Failed: 2, FailedBytes: 256, FirstFailed: 5,
		Code: uint64(abi.Exhausted), EpochDone: 1,
	}, abi.ReadControl(got[l.ControlOffset:]).DeviceLine)

	// The next batch starts afresh, but for the high-water mark.
	pool = got
	line := abi.ReadControl(pool[l.ControlOffset:]).HostLine
	line.Epoch = 2
	line.Put(pool[l.ControlOffset:])
	pool[s.Offset(0)+40], pool[s.Offset(0)+41] = 2, 2 // 514 bytes: the 512 in place fit
	got = d.batch(l, pool)
	require.Equal(t, abi.DeviceLine{
		Next: 768, High: 1024, Wanted: 1280, Failed: 3, FailedBytes: 512, FirstFailed: 4,
		Code: uint64(abi.Exhausted), EpochDone: 2,
	}, abi.ReadControl(got[l.ControlOffset:]).DeviceLine)
}

func testRandomPrograms(t *testing.T, d *device) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 0x5EED))
		s := Random(r)
		l := s.Layout()
		capacity := r.Uint64N(1 << (4 + r.IntN(14)))
		// A device does not know where its pool ends, so no load of a slot may lead
		// there: the whole arena is in the pool, or there is no such load.
		if r.IntN(10) == 0 && !readsSlots(s) {
			capacity = 1 << 40
		}
		pool := Image(l, capacity, 1<<17, r.Uint64N(1<<10), value(r))
		for i := range s.Statics {
			for at := range s.Statics[i].Size {
				if r.IntN(3) > 0 && at%s.Statics[i].ElemSize < 2 {
					pool[s.Offset(i)+at] = byte(r.Uint32())
				}
			}
		}
		for at := l.Device.Size; at < uint64(len(pool)); at++ {
			pool[at] = byte(at)
		}
		t.Logf("seed %d, capacity %d", seed, capacity)
		got := d.batch(l, pool)
		d.batch(l, got) // a second batch on what the first one left
	}
}

func readsSlots(s *Sequence) bool {
	for _, step := range s.Steps {
		for _, b := range step.Allocs {
			if reads(b.Code, abi.OpLoadSlot) {
				return true
			}
		}
	}
	return false
}

// What a device must refuse although it can reach it.
func testBrokenPrograms(t *testing.T, d *device) {
	s := &Sequence{Steps: []Step{{Allocs: []Buffer{{Code: Const(100)}, {Code: Const(100)}}}}}
	l := s.Layout()
	entry := l.ProgramOffset + abi.HeaderWords*abi.WordSize
	alloc := entry + 2*abi.StepWords*abi.WordSize
	for _, test := range []struct {
		name string
		at   uint64 // offset of the byte that is changed
		to   byte
		code abi.Code
	}{
		{"nothing", l.ControlOffset + 6*8, 2, abi.OK},
		{"reuse", l.ControlOffset + 5*8, 1, abi.OK},
		{"fault injection", l.ControlOffset + 5*8 + 4, 2, abi.Exhausted},
		{"fault injection of no slot", l.ControlOffset + 5*8 + 4, 3, abi.OK},
		{"unknown flag", l.ControlOffset + 5*8, 2, abi.BadProgram},
		{"last unknown flag", l.ControlOffset + 5*8 + 3, 0x80, abi.BadProgram},
		{"arena alignment", l.ControlOffset + 3*8, 3, abi.BadProgram},
		{"number of slots", l.ControlOffset + 6*8, 3, abi.BadProgram},
		{"program magic", l.ProgramOffset, 0, abi.BadProgram},
		{"program version", l.ProgramOffset + 4, 0xFF, abi.BadProgram},
		{"slot", alloc, 9, abi.BadProgram},
		{"allocation flags", alloc + 8, 0x80, abi.BadProgram},
		{"base without the flag", alloc + 16, 1, abi.BadProgram},
		{"rule", alloc + 47, 0xFF, abi.BadProgram},
		{"offset of the slots", l.ProgramOffset + 5*8, 1, abi.BadProgram},
		{"offset of the parameters", l.ProgramOffset + 6*8, 1, abi.BadProgram},
		{"offset of the extents", l.ProgramOffset + 7*8, 1, abi.BadProgram},
		{"no code", alloc + 32, 0, abi.BadProgram},
		{"allocations beyond the program", entry + 24, 0xFF, abi.BadProgram},
		{"opcode", alloc + 2*abi.AllocWords*8, 0x7F, abi.BadProgram},
	} {
		t.Log(test.name)
		pool := Image(l, 1<<20, 0)
		for i := range l.Slots {
			abi.Slot{Offset: abi.NotPlaced}.Put(pool[l.SlotsOffset+uint64(i)*abi.SlotSize:])
		}
		pool[test.at] = test.to
		got := d.batch(l, pool)
		require.Equal(t, uint64(test.code), abi.ReadControl(got[l.ControlOffset:]).Code, test.name)
		for _, slot := range slotsOf(l, got) {
			if test.code != abi.OK && slot.Offset != abi.NotPlaced {
				require.Contains(t, []string{"allocations beyond the program", "fault injection"}, test.name)
			}
		}
	}
}

// testBrokenArena: no offset of an arena that line 0 describes wrongly is given out.
func testBrokenArena(t *testing.T, d *device) {
	s := &Sequence{Steps: []Step{{Allocs: []Buffer{{Code: Const(0)}, {Code: Const(5)}}}}}
	l := s.Layout()
	for _, test := range []struct {
		align, start, capacity uint64
		code                   abi.Code
	}{
		{256, l.Device.Size, 256, abi.OK},
		{1, ^uint64(0) - 9, 8, abi.OK}, // the last byte below NotPlaced stays free
		{1, ^uint64(0) - 8, 8, abi.BadProgram},
		{1, ^uint64(0) - 3, 8, abi.BadProgram},
		{0, l.Device.Size, 256, abi.BadProgram},
		{3, 3 << 10, 256, abi.BadProgram},
		{256, l.Device.Size + 128, 512, abi.BadProgram},
		{1 << 63, 0, 1 << 63, abi.OK},
		{1 << 63, 1 << 63, 1 << 63, abi.BadProgram},
	} {
		pool := Image(l, test.capacity, 0)
		line := abi.ReadHostLine(pool[l.ControlOffset:])
		line.ArenaAlign, line.ArenaStart = test.align, test.start
		line.Put(pool[l.ControlOffset:])
		got := d.batch(l, pool)
		require.Equal(t, uint64(test.code), abi.ReadControl(got[l.ControlOffset:]).Code, "%+v", test)
		for i, slot := range slotsOf(l, got) {
			want := abi.Slot{Offset: abi.NotPlaced}
			if test.code == abi.OK {
				want = abi.Slot{Offset: test.start, Size: uint64(i) * 5}
			}
			require.Equal(t, want, slot, "%+v", test)
		}
	}
}

func join(parts ...[]uint64) []uint64 {
	var out []uint64
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}
