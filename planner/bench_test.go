package planner_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
)

// synthetic is a sequence of about n buffers, ten per step, a quarter of them
// dynamic.
func synthetic(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	return randseq.YAML(r, randseq.Config{Steps: max(1, n/10), Buffers: n, Reach: 40, Dynamic: 0.25, HostBuffers: 0.2, Special: 0.1})
}

func BenchmarkMake(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 20_000} {
		seq := read(b, synthetic(n))
		b.Run(fmt.Sprintf("buffers=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := planner.Make(seq, planner.Options{})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(seq.Buffers)), "us/buffer")
		})
	}
}

func TestTwentyThousandBuffers(t *testing.T) {
	seq := read(t, synthetic(20_000))
	require.Greater(t, len(seq.Buffers), 20_000)
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	require.Len(t, p.Buffers, len(seq.Buffers))
}
