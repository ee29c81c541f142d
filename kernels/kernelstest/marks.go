package kernelstest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// testMarks marks, lets memory be taken, as kernels do by themselves, and releases.
func testMarks(t *testing.T, d *device) {
	for _, test := range []struct {
		name       string
		reuse      bool
		spoil      uint64 // added to the mark
		after      Step   // between the mark and the release
		next       uint64
		code       abi.Code
		firstSlot  uint64
		wantMarked uint64
	}{
		{"bump", false, 0, Step{}, 512, abi.OK, abi.NoSlot, 512},
		{"reuse", true, 0, Step{}, 512, abi.OK, abi.NoSlot, 512},
		{"below a hole", true, 0, Step{Releases: []uint64{1}}, 256, abi.OK, abi.NoSlot, 512},
		{"all", true, 0, Step{Releases: []uint64{1, 0}}, 0, abi.OK, abi.NoSlot, 512},
		{"bump keeps what is released", false, 0, Step{Releases: []uint64{1, 0}}, 512, abi.OK, abi.NoSlot, 512},
		{"a slot above", true, 0, Step{Allocs: []Buffer{{Code: Const(1)}}}, 1280, abi.BadProgram, 2, 512},
		{"a slot of size 0 above", true, 0, Step{Allocs: []Buffer{{Code: Const(0)}}}, 512, abi.OK, abi.NoSlot, 512},
		{"not aligned", true, 1, Step{}, 1024, abi.BadProgram, abi.NoSlot, 513},
		{"above the cursor", true, 1024, Step{}, 1024, abi.OK, abi.NoSlot, 512 + 1024},
		{"the end of the arena", true, 4096 - 512, Step{}, 1024, abi.OK, abi.NoSlot, 4096},
		{"above the arena", true, 4096 - 256, Step{}, 1024, abi.BadProgram, abi.NoSlot, 4096 + 256},
		{"nothing taken", true, 0, Step{Releases: []uint64{1, 0}}, 0, abi.OK, abi.NoSlot, 512},
		{"after a failure", true, 0, Step{Allocs: []Buffer{{Code: Const(1 << 40)}}}, 1024, abi.Exhausted, 2, 512},
	} {
		t.Log(test.name)
		s := &Sequence{Reuse: test.reuse, Statics: []abi.StaticBuffer{{Name: "mark", Size: 8, ElemSize: 8}}, Steps: []Step{
			{Allocs: []Buffer{{Code: Const(256)}, {Code: Const(256)}}}, test.after,
		}}
		l := s.Layout()
		at := s.Offset(0)
		pool := Image(l, 4096, 0)
		a := d.upload(pool)
		base := uint64(a)
		both := func(name string, oracle error, args ...uint64) {
			d.launch(name, append([]uint64{base, l.ControlOffset, l.ProgramOffset}, args...)...)
			require.NoError(t, oracle)
			require.Equal(t, pool, d.read(a, uint64(len(pool))), "%s: %s", test.name, name)
		}
		both(kernels.Reset, arena.Reset(pool, l.ControlOffset, l.ProgramOffset))
		both(kernels.Step, arena.Step(pool, l.ControlOffset, l.ProgramOffset, 0), 0)
		both(kernels.Mark, arena.Mark(pool, l.ControlOffset, l.ProgramOffset, at), at)
		// What seqplan_alloc does on the device.
		if test.name != "nothing taken" {
			_, ok := arena.Alloc(pool, l.ControlOffset, 512)
			require.True(t, ok)
		}
		mark := abi.ReadSlot(pool[at:]).Offset + test.spoil
		abi.PutWords(pool[at:], []uint64{mark})
		d.write(a, pool)
		both(kernels.Step, arena.Step(pool, l.ControlOffset, l.ProgramOffset, 1), 1)
		both(kernels.Release, arena.Release(pool, l.ControlOffset, l.ProgramOffset, at), at)
		line := abi.ReadControl(pool[l.ControlOffset:]).DeviceLine
		require.Equal(t, test.wantMarked, mark, test.name)
		require.Equal(t, test.next, line.Next, test.name)
		require.Equal(t, uint64(test.code), line.Code, test.name)
		require.Equal(t, test.firstSlot, line.FirstFailed, test.name)
	}
}

// testLists places lists of every length around a chunk, on several grids, with a
// failure of each kind at many places.
func testLists(t *testing.T, d *device) {
	const limit = 5*kernels.ListChunk + 7
	s := &Sequence{Statics: []abi.StaticBuffer{
		{Name: "count", Size: 8, ElemSize: 8},
		{Name: "sizes", Size: limit * 8, ElemSize: 8},
		{Name: "out", Size: limit * abi.SlotSize, ElemSize: abi.SlotSize},
		{Name: "work", Size: kernels.ListWorkSize(limit), ElemSize: 64},
	}}
	l := s.Layout()
	count, sizes, out, work := s.Offset(0), s.Offset(1), s.Offset(2), s.Offset(3)
	for i, test := range []struct {
		n, limit uint64
		capacity uint64
		bad      uint64 // index of a size that cannot be rounded; none if not below n
	}{
		{0, limit, 1 << 30, limit},
		{1, limit, 256, limit},
		{1, limit, 255, limit},
		{kernels.ListChunk - 1, limit, 1 << 30, limit},
		{kernels.ListChunk, kernels.ListChunk, 1 << 30, limit},
		{kernels.ListChunk + 1, limit, 1 << 30, limit},
		{limit, limit, 1 << 30, limit},
		{limit, limit, 256 * 1000, limit},
		{limit, limit, 256*kernels.ListChunk - 1, limit},
		{limit, limit, 256 * kernels.ListChunk, limit},
		{limit, limit, 256 * (3*kernels.ListChunk + 77), limit},
		{limit, limit, 0, limit},
		{limit, limit, 1 << 30, 0},
		{limit, limit, 1 << 30, 2*kernels.ListChunk - 1},
		{limit, limit, 1 << 30, limit - 1},
		{limit, limit, ^uint64(0) - 1<<40, kernels.ListChunk},
		{limit, limit - 1, 1 << 30, limit},
		{^uint64(0), limit, 1 << 30, limit},
	} {
		pool := Image(l, test.capacity, 0)
		require.NoError(t, arena.Reset(pool, l.ControlOffset, l.ProgramOffset))
		abi.PutWords(pool[count:], []uint64{test.n})
		for j := range uint64(limit) {
			size := 1 + j*2654435761%256
			switch {
			case j == test.bad:
				size = ^uint64(0) - j%200
			case j%11 == 3:
				size = 0
			case j > test.bad && j%5 == 0:
				size = ^uint64(0)
			}
			abi.PutWords(pool[sizes+j*8:], []uint64{size})
		}
		a := d.upload(pool)
		grid := []kernels.Grid{{Blocks: 1, Threads: 1}, {Blocks: 3, Threads: 64}, {Blocks: 8, Threads: 256}}[i%3]
		for _, name := range []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace} {
			g := grid
			if name == kernels.ListScan {
				g.Blocks = 1
			}
			d.launchOn(g, name, uint64(a), l.ControlOffset, sizes, out, count, test.limit, work)
		}
		require.NoError(t, arena.List(pool, l.ControlOffset, sizes, out, count, test.limit, work))
		got := d.read(a, uint64(len(pool)))
		copy(got[work:], pool[work:][:kernels.ListWorkSize(limit)]) // theirs
		if !bytes.Equal(pool, got) {
			require.Equal(t, abi.ReadControl(pool[l.ControlOffset:]), abi.ReadControl(got[l.ControlOffset:]), "%+v on %+v", test, grid)
			for j := range uint64(limit) {
				at := out + j*abi.SlotSize
				require.Equal(t, abi.ReadSlot(pool[at:]), abi.ReadSlot(got[at:]), "entry %d of %+v on %+v", j, test, grid)
			}
			require.FailNow(t, "bytes outside were written")
		}
	}
}
