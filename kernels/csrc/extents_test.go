package csrc_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestFullTable: a piece that finds no place in the table of extents is lost, and a
// table that says it has more extents than fit is refused; nothing is written or
// read behind it.
func TestFullTable(t *testing.T) {
	const unit = 256
	s := &kernelstest.Sequence{Reuse: true, Steps: []kernelstest.Step{
		{Allocs: []kernelstest.Buffer{{Code: kernelstest.Const(unit)}}}, {Releases: []uint64{0}},
	}}
	l := s.Layout()
	var cases []*kernelstest.Case
	for extents := range uint64(4) {
		c := &kernelstest.Case{Seed: extents, Pool: kernelstest.Image(l, 16*unit, 16*unit)}
		launch := func(name string, args ...uint64) {
			kernel := slices.IndexFunc(kernels.Builtins(), func(s kernels.Signature) bool { return s.Name == name })
			k := kernelstest.Launch{Kernel: kernel}
			copy(k.Args[1:], args)
			c.Launches = append(c.Launches, k)
		}
		word := func(at, v uint64) { launch(kernels.Store, 0, uint64(kernels.StaticPlace(at)), 0, 8, v) }
		launch(kernels.Reset, l.ControlOffset, l.ProgramOffset)
		launch(kernels.Step, l.ControlOffset, l.ProgramOffset, 0)
		word(l.ExtentsOffset, extents)
		for i := range extents {
			word(l.ExtentsOffset+abi.ExtentSize*(i+1), 2*i*unit)
			word(l.ExtentsOffset+abi.ExtentSize*(i+1)+8, unit)
		}
		word(l.SlotsOffset, l.Device.Size+9*unit)
		word(l.ControlOffset+abi.LineSize, 12*unit) // the cursor
		launch(kernels.Step, l.ControlOffset, l.ProgramOffset, 1)
		line := abi.ReadControl(c.Expect(nil))
		require.Equal(t, uint64(12*unit), line.Next)
		require.Equal(t, extents > 1, line.Code == uint64(abi.BadProgram))
		cases = append(cases, c)
	}
	require.NoError(t, runCases(t, build(t, "g++", "driver.cc", "-O1", "-fsanitize=address"), 1, 1, cases))
}
