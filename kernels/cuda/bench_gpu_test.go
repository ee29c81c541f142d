//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// The benchmarks of a real device. A time is that of the wall, from the first call to the
// end of the last work.

// nothing is a kernel that does nothing, and has no arguments.
const nothing = `
.version 6.3
.target sm_70
.address_size 64
.visible .entry test_nothing()
{
ret;
}
`

// BenchmarkGPULaunch is a kernel that does nothing: many in a stream, and one with a wait
// for each.
func BenchmarkGPULaunch(b *testing.B) {
	d := openGPU(b)
	sig := sign("test_nothing", 0)
	require.NoError(b, d.LoadModule([]byte(nothing), sig))
	k, err := d.Kernel(sig.Name)
	require.NoError(b, err)
	s := newStream(b, d)
	launch := func() error { return s.Launch(k, one, kernels.Args{}) }
	b.Run("stream", func(b *testing.B) { kernelstest.Timed(b, s, kernelstest.Seldom, launch) })
	b.Run("wait", func(b *testing.B) { kernelstest.Timed(b, s, 1, launch) })
}

// BenchmarkGPUGraph is a step that places ten buffers, in a graph of a hundred.
func BenchmarkGPUGraph(b *testing.B) {
	const steps = 100
	d := openGPU(b)
	s := newStream(b, d)
	p := kernelstest.NewStepper(b, d, s)
	defer p.Close()
	require.NoError(b, s.BeginCapture())
	for range steps {
		require.NoError(b, p.Launch(kernels.Step))
	}
	g, err := s.EndCapture()
	require.NoError(b, err)
	kernelstest.Timed(b, s, kernelstest.Seldom, func() error { return g.Launch(s) })
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/steps, "ns/step")
	p.Sound()
	require.NoError(b, g.Close())
}

// BenchmarkGPUDevice is what every device is measured with.
func BenchmarkGPUDevice(b *testing.B) {
	d := openGPU(b)
	require.NoError(b, d.LoadModule(csrc.ProbePTX(), kernelstest.ContendSignature()))
	kernelstest.Benchmark(b, d)
}
