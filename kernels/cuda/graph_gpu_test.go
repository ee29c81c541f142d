//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/arena"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// TestGPUGraph captures the steps of a sequence once and launches the graph for 500
// batches, with other counts in device memory each time.
func TestGPUGraph(t *testing.T) { graphReplay(t, openGPU(t), 500) }

// TestGraphReplayOnFake does the same on the fake driver.
func TestGraphReplayOnFake(t *testing.T) {
	f := newHostFake(t)
	graphReplay(t, f.open(t), 100)
}

// counting is a sequence whose buffers depend on counts in the first static buffer.
// Every step but the first gives two buffers back.
func counting(steps int) *kernelstest.Sequence {
	s := &kernelstest.Sequence{Reuse: true, Statics: []abi.StaticBuffer{{Name: "counts", Size: uint64(8 * steps), ElemSize: 8}}}
	for i := range uint64(steps) {
		var step kernelstest.Step
		if i > 0 {
			step.Releases = []uint64{3*i - 3, 3*i - 1}
		}
		count := slices.Concat(kernelstest.Const(i), s.Load(0), kernelstest.Const(5000), kernelstest.Code(abi.OpCheckMax))
		for j := range uint64(3) {
			code := slices.Concat(count, kernelstest.Const(4+8*j), kernelstest.Code(abi.OpMul))
			step.Allocs = append(step.Allocs, kernelstest.Buffer{Code: code, Rule: (i + j) % 2})
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

func graphReplay(t *testing.T, d *Device, batches uint64) {
	const steps = 8
	sequence := counting(steps)
	l := sequence.Layout()
	oracle := kernelstest.Image(l, 320<<10, 0)
	size := uint64(len(oracle))
	pool := alloc(t, d, size)
	// What changes from batch to batch, and what comes back.
	line, back := pinned(t, d, abi.LineSize), pinned(t, d, size)
	s := newStream(t, d)
	require.NoError(t, s.CopyToDevice(pool, slices.Clone(oracle)))

	launch := func(name string, args ...uint64) {
		k, err := d.Kernel(name)
		require.NoError(t, err)
		a := kernels.Args{uint64(pool)}
		copy(a[1:], args)
		require.NoError(t, s.Launch(k, one, a))
	}
	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.CopyToDevice(pool+kernels.Addr(l.ControlOffset), line))
	launch(kernels.Reset, l.ControlOffset, l.ProgramOffset)
	for i := range uint64(steps + 1) {
		launch(kernels.Step, l.ControlOffset, l.ProgramOffset, i)
	}
	require.NoError(t, s.CopyToHost(back, pool))
	graph, err := s.EndCapture()
	require.NoError(t, err)

	r := rand.New(rand.NewPCG(1, 2))
	codes := make(map[uint64]int)
	for epoch := uint64(1); epoch <= batches; epoch++ {
		host := abi.ReadHostLine(oracle[l.ControlOffset:])
		host.Epoch = epoch
		host.Put(line)
		host.Put(oracle[l.ControlOffset:])
		for i := range uint64(steps) {
			count := r.Uint64N(4800)
			if r.IntN(50) == 0 {
				count = 4900 + r.Uint64N(200) // now and then above the max
			}
			at := sequence.Offset(0) + 8*i
			launch(kernels.Store, l.SlotsOffset, uint64(kernels.StaticPlace(at)), 0, 8, count)
			abi.PutWords(oracle[at:], []uint64{count})
		}
		require.NoError(t, graph.Launch(s))
		require.NoError(t, s.Synchronize())
		require.NoError(t, arena.Reset(oracle, l.ControlOffset, l.ProgramOffset))
		for i := range uint64(steps + 1) {
			require.NoError(t, arena.Step(oracle, l.ControlOffset, l.ProgramOffset, i))
		}
		want, got := abi.ReadControl(oracle[l.ControlOffset:]), abi.ReadControl(back[l.ControlOffset:])
		require.Equal(t, want, got, "batch %d", epoch)
		require.Equal(t, oracle, back, "batch %d", epoch)
		codes[got.Code]++
	}
	// So the batches were not all alike.
	for _, code := range []abi.Code{abi.OK, abi.Exhausted, abi.CountOverMax} {
		require.NotZero(t, codes[uint64(code)], "%s: %v", code, codes)
	}
	require.NoError(t, graph.Close())
}
