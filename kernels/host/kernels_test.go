package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
)

// The kernels refuse what leads out of the pool, also where a sum wraps.
func TestKernelBounds(t *testing.T) {
	d := host.New(host.Options{})
	s := newStream(t, d)
	const size = 256
	a := alloc(t, d, size)
	alloc(t, d, size) // a neighbour
	slots := make([]byte, 2*abi.SlotSize)
	abi.Slot{Offset: size - 8, Size: 100}.Put(slots)
	abi.Slot{Offset: ^uint64(0) - 7, Size: 100}.Put(slots[abi.SlotSize:])
	require.NoError(t, s.CopyToDevice(a, slots))
	report := uint64(alloc(t, d, kernels.CheckReportSize))
	base, static, slot := uint64(a), kernels.StaticPlace, kernels.SlotPlace
	for _, test := range []struct {
		name   string
		kernel string
		args   kernels.Args
		fails  bool
	}{
		{"inside", kernels.Fill, kernels.Args{base, 0, uint64(static(100)), 0, size - 100}, false},
		{"nothing", kernels.Fill, kernels.Args{base, 0, uint64(static(1 << 40)), 5, 5}, false},
		{"one byte too far", kernels.Fill, kernels.Args{base, 0, uint64(static(100)), 0, size - 99}, true},
		{"offset too far", kernels.Fill, kernels.Args{base, 0, uint64(static(size + 1)), 0, 1}, true},
		{"end that wraps", kernels.Fill, kernels.Args{base, 0, uint64(static(100)), 0, ^uint64(0)}, true},
		{"the neighbour", kernels.Fill, kernels.Args{base, 0, uint64(static(1 << 17)), 0, 1}, true},
		{"slot that ends outside", kernels.Check, kernels.Args{base, 0, uint64(slot(0)), 0, 9, 1, report}, true},
		{"slot, its part inside", kernels.Check, kernels.Args{base, 0, uint64(slot(0)), 0, 8, 1, report}, false},
		{"slot whose offset wraps", kernels.Check, kernels.Args{base, 0, uint64(slot(1)), 8, 9, 1, report}, true},
		{"slot index too large", kernels.Fill, kernels.Args{base, 0, uint64(slot(size / 16)), 0, 1}, true},
		{"slot index that wraps", kernels.Fill, kernels.Args{base, 0, uint64(slot(1 << 60)), 0, 1}, true},
		{"slot table too far", kernels.Fill, kernels.Args{base, size + 1, uint64(slot(0)), 0, 1}, true},
		{"value at the end", kernels.Store, kernels.Args{base, 0, uint64(static(248)), 0, 8, 1}, false},
		{"value beyond the end", kernels.Store, kernels.Args{base, 0, uint64(static(248)), 1, 8, 1}, true},
		{"value whose end wraps", kernels.Store, kernels.Args{base, 0, uint64(static(0)), ^uint64(0) - 3, 8, 1}, true},
		{"no width", kernels.Store, kernels.Args{base, 0, 0, 0, 0, 1}, true},
		{"width", kernels.Store, kernels.Args{base, 0, 0, 0, 9, 1}, true},
		{"report", kernels.Check, kernels.Args{base, 0, 0, 0, 8, 1, report + 1}, true},
		{"no report", kernels.CheckValue, kernels.Args{base, 0, 0, 0, 8, 1, 0}, true},
		{"no pool", kernels.Check, kernels.Args{0, 0, 0, 0, 8, 1, report}, true},
		{"no pool for the reset", kernels.Reset, kernels.Args{0}, true},
		{"no pool for a step", kernels.Step, kernels.Args{base - 1}, true},
		{"no control block", kernels.Step, kernels.Args{base, 128, 0}, true},
	} {
		k, err := d.Kernel(test.kernel)
		require.NoError(t, err)
		require.NoError(t, s.Launch(k, one, test.args))
		if err = s.Synchronize(); test.fails {
			require.ErrorContains(t, err, test.kernel, test.name)
		} else {
			require.NoError(t, err, test.name)
		}
		require.NoError(t, s.CopyToDevice(a, slots)) // what a fill may have changed
	}
}

func BenchmarkFill(b *testing.B)  { benchmark(b, kernels.Fill) }
func BenchmarkCheck(b *testing.B) { benchmark(b, kernels.Check) }

func benchmark(b *testing.B, name string) {
	const size = 64 << 20
	d := host.New(host.Options{})
	s, err := d.NewStream()
	require.NoError(b, err)
	a, err := d.Alloc(size + kernels.CheckReportSize)
	require.NoError(b, err)
	args := kernels.Args{uint64(a), 0, 0, 0, size, 7, uint64(a) + size}
	fill, err := d.Kernel(kernels.Fill)
	require.NoError(b, err)
	require.NoError(b, s.Launch(fill, one, args))
	k, err := d.Kernel(name)
	require.NoError(b, err)
	b.SetBytes(size)
	for b.Loop() {
		if s.Launch(k, one, args) != nil || s.Synchronize() != nil {
			b.Fatal("launch failed")
		}
	}
}
