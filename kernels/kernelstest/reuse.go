package kernelstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
)

// extentsOf reads the table of extents.
func extentsOf(l *abi.Layout, pool []byte) []abi.Extent {
	table := pool[l.ExtentsOffset:][:abi.ExtentsSize(len(l.Slots))]
	out := []abi.Extent{}
	for i := range abi.ReadSlot(table).Offset {
		e := abi.ReadSlot(table[(i+1)*abi.ExtentSize:])
		out = append(out, abi.Extent{Start: e.Offset, Size: e.Size})
	}
	return out
}

// The expected places are written out, so that they do not depend on the oracle.
// The arena has eight units of 256 bytes.
func testReuse(t *testing.T, d *device) {
	unit := func(n uint64) Buffer { return Buffer{Code: Const(n*256 - 255)} }
	high := func(n uint64) Buffer { return Buffer{Code: Const(n*256 - 255), Rule: abi.RuleHigh} }
	type place struct{ slot, unit uint64 }
	for _, test := range []struct {
		name    string
		last    Step // after a step that places six buffers of 1, 2, 1, 1, 1, 1 units
		extents []abi.Extent
		next    uint64 // units
		placed  []place
		failed  uint64
	}{
		{"nothing", Step{}, []abi.Extent{}, 7, nil, 0},
		{"a hole", Step{Releases: []uint64{1}}, []abi.Extent{{Start: 256, Size: 512}}, 7, nil, 0},
		{"two holes", Step{Releases: []uint64{4, 0}}, []abi.Extent{{Size: 256}, {Start: 5 * 256, Size: 256}}, 7, nil, 0},
		{"joins what is before", Step{Releases: []uint64{0, 1}}, []abi.Extent{{Size: 768}}, 7, nil, 0},
		{"joins what is behind", Step{Releases: []uint64{1, 0}}, []abi.Extent{{Size: 768}}, 7, nil, 0},
		{"joins both", Step{Releases: []uint64{0, 2, 1}}, []abi.Extent{{Size: 1024}}, 7, nil, 0},
		{"lowers the cursor", Step{Releases: []uint64{5}}, []abi.Extent{}, 6, nil, 0},
		{"lowers the cursor below a hole", Step{Releases: []uint64{4, 3, 5}}, []abi.Extent{}, 4, nil, 0},
		{"gives all back", Step{Releases: []uint64{5, 0, 2, 1, 4, 3}}, []abi.Extent{}, 0, nil, 0},
		{
			"the smallest hole that is large enough",
			Step{Releases: []uint64{0, 1, 4}, Allocs: []Buffer{unit(1)}},
			[]abi.Extent{{Size: 768}},
			7,
			[]place{{6, 5}},
			0,
		},
		{
			"the first of equal holes",
			Step{Releases: []uint64{2, 0}, Allocs: []Buffer{unit(1)}},
			[]abi.Extent{{Start: 768, Size: 256}},
			7,
			[]place{{6, 0}},
			0,
		},
		{
			"at the high end",
			Step{Releases: []uint64{1}, Allocs: []Buffer{high(1)}},
			[]abi.Extent{{Start: 256, Size: 256}},
			7,
			[]place{{6, 2}},
			0,
		},
		{
			"at the high end of a hole that it fills",
			Step{Releases: []uint64{1}, Allocs: []Buffer{high(2)}},
			[]abi.Extent{},
			7,
			[]place{{6, 1}},
			0,
		},
		{
			"there is no high end at the cursor",
			Step{Allocs: []Buffer{high(1)}},
			[]abi.Extent{},
			8,
			[]place{{6, 7}},
			0,
		},
		{
			"the rest of a hole stays",
			Step{Releases: []uint64{1}, Allocs: []Buffer{unit(1)}},
			[]abi.Extent{{Start: 512, Size: 256}},
			7,
			[]place{{6, 1}},
			0,
		},
		{
			"no hole is large enough",
			Step{Releases: []uint64{0}, Allocs: []Buffer{unit(1), unit(1)}},
			[]abi.Extent{},
			8,
			[]place{{6, 0}, {7, 7}},
			0,
		},
		{
			"room in pieces is no room",
			Step{Releases: []uint64{0, 2}, Allocs: []Buffer{unit(2)}},
			[]abi.Extent{{Size: 256}, {Start: 768, Size: 256}},
			7, nil, 1,
		},
		{
			"size 0 takes no hole",
			Step{Releases: []uint64{0}, Allocs: []Buffer{{Code: Const(0)}, unit(1)}},
			[]abi.Extent{},
			7,
			[]place{{6, 7}, {7, 0}},
			0,
		},
		{
			"in place takes nothing",
			Step{Releases: []uint64{0}, Allocs: []Buffer{{InPlace: true, InPlaceOf: 1, Code: Const(1)}}},
			[]abi.Extent{{Size: 256}},
			7,
			[]place{{6, 1}},
			0,
		},
		{
			"without the memory",
			Step{Releases: []uint64{1 | abi.ReleaseSlotOnly}, Allocs: []Buffer{unit(1)}},
			[]abi.Extent{},
			8,
			[]place{{6, 7}},
			0,
		},
	} {
		t.Log(test.name)
		s := &Sequence{Reuse: true, Steps: []Step{
			{Allocs: []Buffer{unit(1), unit(2), unit(1), unit(1), unit(1), unit(1)}},
			test.last,
		}}
		l := s.Layout()
		got := d.batch(l, Image(l, 2048, 0))
		line := abi.ReadControl(got[l.ControlOffset:]).DeviceLine
		require.Equal(t, test.extents, extentsOf(l, got), test.name)
		require.Equal(t, test.next*256, line.Next, test.name)
		require.Equal(t, max(7, test.next)*256, line.High, test.name)
		require.Equal(t, test.failed, line.Failed, test.name)
		for _, p := range test.placed {
			require.Equal(t, l.Device.Size+p.unit*256, slotsOf(l, got)[p.slot].Offset, test.name)
		}
		for _, slot := range test.last.Releases {
			slot &^= abi.ReleaseSlotOnly
			require.Equal(t, abi.NotPlaced, slotsOf(l, got)[slot].Offset, test.name)
			require.NotZero(t, slotsOf(l, got)[slot].Size, test.name)
		}
	}
}

// A table of extents that something has written over is not used, and memory that
// is not in use is not given back.
func testBrokenExtents(t *testing.T, d *device) {
	s := &Sequence{Reuse: true, Steps: []Step{
		{Allocs: []Buffer{{Code: Const(256)}, {Code: Const(256)}, {Code: Const(256)}}},
		{Releases: []uint64{0}},
		{Releases: []uint64{1}, Allocs: []Buffer{{Code: Const(512)}}},
	}}
	l := s.Layout()
	for _, test := range []struct {
		name  string
		at    uint64
		value uint64
		code  abi.Code
	}{
		{"nothing", l.ExtentsOffset + 8, 0, abi.OK},
		{"reserved word", l.ExtentsOffset + 8, 1, abi.BadProgram},
		{"too many extents", l.ExtentsOffset, 5, abi.BadProgram},
		{"more extents than are there", l.ExtentsOffset, 2, abi.BadProgram},
		{"not aligned", l.ExtentsOffset + 16, 8, abi.BadProgram},
		{"size not aligned", l.ExtentsOffset + 24, 8, abi.BadProgram},
		{"empty", l.ExtentsOffset + 24, 0, abi.BadProgram},
		{"above the cursor", l.ExtentsOffset + 16, 1 << 20, abi.BadProgram},
		{"up to the cursor", l.ExtentsOffset + 24, 768, abi.BadProgram},
		{"beyond uint64", l.ExtentsOffset + 24, ^uint64(255), abi.BadProgram},
		{"over a buffer", l.ExtentsOffset + 24, 512, abi.BadProgram},
		{"slot below the arena", l.SlotsOffset + 16, 256, abi.BadProgram},
		{"slot above the cursor", l.SlotsOffset + 16, 1 << 30, abi.BadProgram},
		{"slot of a free piece", l.SlotsOffset + 16, l.Device.Size, abi.BadProgram},
		{"slot not aligned", l.SlotsOffset + 16, l.Device.Size + 255, abi.BadProgram},
		{"slot too large", l.SlotsOffset + 24, 1 << 20, abi.BadProgram},
		{"slot that cannot be rounded", l.SlotsOffset + 24, ^uint64(0), abi.BadProgram},
		{"slot of size 0", l.SlotsOffset + 24, 0, abi.OK},
	} {
		t.Log(test.name)
		pool := Image(l, 4096, 0)
		a := d.upload(pool)
		d.launch(kernels.Reset, uint64(a), l.ControlOffset, l.ProgramOffset)
		for i := range uint64(2) {
			d.launch(kernels.Step, uint64(a), l.ControlOffset, l.ProgramOffset, i)
		}
		pool = d.read(a, uint64(len(pool)))
		abi.PutWords(pool[test.at:], []uint64{test.value})
		d.write(a, pool)
		d.launch(kernels.Step, uint64(a), l.ControlOffset, l.ProgramOffset, 2)
		require.NoError(t, arena.Step(pool, l.ControlOffset, l.ProgramOffset, 2))
		got := d.read(a, uint64(len(pool)))
		require.Equal(t, pool, got, test.name)
		require.Equal(t, uint64(test.code), abi.ReadControl(got[l.ControlOffset:]).Code, test.name)
	}
}
