package staticpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
	"github.com/seqplan/seqplan/staticpool"
)

// good is a layout with everything in it. Every test changes its own.
func good() *abi.Layout {
	s := &kernelstest.Sequence{
		Params: []abi.Param{{Name: "n_events", Min: 1, Max: 1000}, {Name: "n_lines", Min: 0, Max: 9}},
		Statics: []abi.StaticBuffer{
			{Name: "raw", Size: 1000, ElemSize: 1},
			{Name: "offsets", Size: 400, ElemSize: 4},
			{Name: "totals", Scope: abi.ScopeHost, Size: 300, ElemSize: 4},
			{Name: "empty", ElemSize: 4},
		},
	}
	s.Steps = []kernelstest.Step{
		{Allocs: []kernelstest.Buffer{{Name: "hits", Code: kernelstest.Const(64)}, {Name: "report", Host: true, Code: kernelstest.Const(8)}}},
		{},
		{Releases: []uint64{0}, Allocs: []kernelstest.Buffer{{Name: "tracks", Code: kernelstest.Const(64)}}},
	}
	return s.Layout()
}

func TestGoodLayout(t *testing.T) {
	dev := host.New(host.Options{})
	p, err := staticpool.Open(dev, good(), staticpool.Options{})
	require.NoError(t, err)
	require.NoError(t, p.Close())
	require.NoError(t, dev.Close())
}

// TestCheck spoils one thing of a good layout at a time.
func TestCheck(t *testing.T) {
	const top = ^uint64(0)
	tests := []struct {
		name  string
		spoil func(l *abi.Layout)
		says  string
	}{
		{"device alignment 0", func(l *abi.Layout) { l.Device.Align = 0 }, "the device region"},
		{"device alignment 384", func(l *abi.Layout) { l.Device.Align, l.Device.Size = 384, l.Device.Size*3 }, "the device region"},
		{"device size not aligned", func(l *abi.Layout) { l.Device.Size++ }, "the device region"},
		{"host alignment 0", func(l *abi.Layout) { l.Host.Align = 0 }, "the host region"},
		{"host alignment 768", func(l *abi.Layout) { l.Host.Align, l.Host.Size = 768, 768 }, "the host region"},
		{"host size not aligned", func(l *abi.Layout) { l.Host.Size++ }, "the host region"},
		{"arena alignment 0", func(l *abi.Layout) { l.ArenaAlign = 0 }, "of the arena"},
		{"arena alignment 24", func(l *abi.Layout) { l.ArenaAlign = 24 }, "of the arena"},
		{"arena alignment above that of the pool", func(l *abi.Layout) { l.ArenaAlign = 2 * l.Device.Align }, "of the arena"},
		{"pool alignment below that of the control block", func(l *abi.Layout) {
			l.Device.Align, l.ArenaAlign = 64, 64
			for i := range l.Buffers {
				l.Buffers[i].Align = 64
			}
		}, "alignment 64 of the device pool"},
		{"control block outside", func(l *abi.Layout) { l.ControlOffset = l.Device.Size }, "the control block"},
		{"control block half outside", func(l *abi.Layout) { l.ControlOffset = top - 127 }, "the control block"},
		{"control block not aligned", func(l *abi.Layout) { l.ControlOffset = 64 }, "the control block"},
		{"slots outside", func(l *abi.Layout) { l.SlotsOffset = l.Device.Size - 32 }, "the slots"},
		{"slots not on a line of their own", func(l *abi.Layout) { l.SlotsOffset += 16 }, "aligned to 64"},
		{"slots over the control block", func(l *abi.Layout) { l.SlotsOffset = l.ControlOffset + 64 }, "overlaps"},
		{"extents outside", func(l *abi.Layout) { l.ExtentsOffset = l.Device.Size }, "the table of extents"},
		{"extents half outside", func(l *abi.Layout) { l.ExtentsOffset = top - 63 }, "the table of extents"},
		{"extents not on a line of their own", func(l *abi.Layout) { l.ExtentsOffset += 16 }, "aligned to 64"},
		{"extents over the slots", func(l *abi.Layout) { l.ExtentsOffset = l.SlotsOffset }, "overlaps the slots"},
		{"parameter values over the extents", func(l *abi.Layout) { l.ParamsOffset = l.ExtentsOffset }, "overlaps the table of extents"},
		{"parameter values outside", func(l *abi.Layout) { l.ParamsOffset = l.Device.Size - 8 }, "the parameter values"},
		{"parameter values not on a line of their own", func(l *abi.Layout) { l.ParamsOffset += 32 }, "aligned to 64"},
		{"parameter values over the slots", func(l *abi.Layout) { l.ParamsOffset = l.SlotsOffset }, "overlaps"},
		{"program outside", func(l *abi.Layout) { l.ProgramOffset = l.Device.Size - 64 }, "the step program"},
		{"program at 2^64", func(l *abi.Layout) { l.ProgramOffset = top - 7 }, "the step program"},
		{"program not on a line of its own", func(l *abi.Layout) { l.ProgramOffset += 8 }, "aligned to 64"},
		{"program over the parameter values", func(l *abi.Layout) { l.ProgramOffset = l.ParamsOffset }, "overlaps"},
		{"buffer outside", func(l *abi.Layout) { l.Buffers[0].Offset = l.Device.Size - 768 }, "buffer raw"},
		{"buffer at 2^64", func(l *abi.Layout) { l.Buffers[0].Offset = top - 255 }, "buffer raw"},
		{"buffer too large", func(l *abi.Layout) { l.Buffers[0].Size = top }, "buffer raw"},
		{"buffer not aligned", func(l *abi.Layout) { l.Buffers[0].Offset++ }, "buffer raw"},
		{"buffer alignment 0", func(l *abi.Layout) { l.Buffers[0].Align = 0 }, "buffer raw"},
		{"buffer alignment 3", func(l *abi.Layout) { l.Buffers[0].Align, l.Buffers[0].Offset = 3, 768 }, "buffer raw"},
		{"buffer alignment above that of the pool", func(l *abi.Layout) { l.Buffers[0].Align, l.Buffers[0].Offset = 512, 512 }, "buffer raw"},
		{"empty buffer outside", func(l *abi.Layout) { l.Buffers[3].Offset = 1 << 40 }, "buffer empty"},
		{"host buffer outside the host pool", func(l *abi.Layout) { l.Buffers[2].Offset = 512 }, "buffer totals"},
		{"host buffer where only the device pool is", func(l *abi.Layout) { l.Host.Size = 256 }, "buffer totals"},
		{"buffer over the control block", func(l *abi.Layout) { l.Buffers[0].Offset = 0 }, "overlaps the control block"},
		{"buffer over the extents", func(l *abi.Layout) {
			l.Buffers[0].Offset, l.Buffers[0].Size, l.Buffers[0].Align = l.ExtentsOffset+48, 8, 16
		}, "overlaps the table of extents"},
		{"buffer over the program", func(l *abi.Layout) {
			l.Buffers[0].Offset, l.Buffers[0].Size = (l.ProgramOffset+256)&^255, 8
		}, "overlaps the step program"},
		{"batch -2", func(l *abi.Layout) { l.Batch = -2 }, "batch parameter"},
		{"batch outside", func(l *abi.Layout) { l.Batch = 2 }, "batch parameter"},
		{"empty range", func(l *abi.Layout) { l.Params[1].Min = 10 }, "parameter n_lines"},
		{"no program", func(l *abi.Layout) { l.Program = nil }, "malformed step program"},
		{"program of another version", func(l *abi.Layout) { l.Program[0]++ }, "malformed step program"},
		{"program of fewer steps", func(l *abi.Layout) { l.Steps = append(l.Steps, abi.StepInfo{}) }, "another layout"},
		{"program of fewer slots", func(l *abi.Layout) { l.Program[3]++ }, "another layout"},
		{"program of fewer parameters", func(l *abi.Layout) { l.Program[4]++ }, "another layout"},
		{"program of other slots", func(l *abi.Layout) { l.Program[5] += 16 }, "another layout"},
		{"program of other parameter values", func(l *abi.Layout) { l.Program[6] += 8 }, "another layout"},
		{"program of other extents", func(l *abi.Layout) { l.Program[7] += 64 }, "another layout"},
		{"step that releases, though not dynamic", func(l *abi.Layout) {
			first := abi.HeaderWords
			l.Program[first+abi.StepWords], l.Program[first+abi.StepWords+1] = l.Program[first+2*abi.StepWords], 1
			l.Program[first+2*abi.StepWords+1] = 0
		}, "step 1 allocates or releases"},
		{"step that allocates, though not dynamic", func(l *abi.Layout) { l.Steps[0].Dynamic = false }, "not dynamic"},
		{"slot of another step", func(l *abi.Layout) { l.Slots[0].Step = 1 }, "slot hits"},
		{"slot of another scope", func(l *abi.Layout) { l.Slots[1].Scope = abi.ScopeDevice }, "slot report"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dev := host.New(host.Options{})
			l := good()
			test.spoil(l)
			p, err := staticpool.Open(dev, l, staticpool.Options{})
			require.ErrorIs(t, err, staticpool.ErrLayout)
			require.ErrorContains(t, err, test.says)
			require.Nil(t, p)
			require.NoError(t, dev.Close(), "nothing is left behind")
		})
	}
	t.Run("no layout", func(t *testing.T) {
		_, err := staticpool.Open(host.New(host.Options{}), nil, staticpool.Options{})
		require.ErrorIs(t, err, staticpool.ErrLayout)
	})
}

// TestEmpty: what has no bytes overlaps nothing, wherever it lies.
func TestEmpty(t *testing.T) {
	l := good()
	l.Buffers[3].Offset = (l.ProgramOffset + 256) &^ 255
	dev := host.New(host.Options{})
	p, err := staticpool.Open(dev, l, staticpool.Options{})
	require.NoError(t, err)
	require.NoError(t, p.Close())

	s := &kernelstest.Sequence{Statics: []abi.StaticBuffer{{Name: "raw", Size: 1000, ElemSize: 1}}}
	l = s.Layout()
	l.SlotsOffset, l.ParamsOffset = l.Buffers[0].Offset+256, l.Buffers[0].Offset+256
	l.Program[5], l.Program[6] = l.SlotsOffset, l.ParamsOffset
	p, err = staticpool.Open(dev, l, staticpool.Options{})
	require.NoError(t, err)
	require.NoError(t, p.Close())
	require.NoError(t, dev.Close())
}

// TestEndStep: an allocation of the end step belongs to no step of the layout.
func TestEndStep(t *testing.T) {
	l := good()
	first := abi.HeaderWords
	last := first + 3*abi.StepWords
	// Step 2 gives its allocation to the end step.
	l.Program[last+2], l.Program[last+3] = l.Program[first+2*abi.StepWords+2], 1
	l.Program[first+2*abi.StepWords+3] = 0
	_, err := staticpool.Open(host.New(host.Options{}), l, staticpool.Options{})
	require.ErrorIs(t, err, staticpool.ErrLayout)
	require.ErrorContains(t, err, "the end step allocates")
}
