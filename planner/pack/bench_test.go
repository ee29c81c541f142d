package pack_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
)

// bench packs a problem and reports how far above the bound it ends.
func bench(b *testing.B, p pack.Problem) {
	var r pack.Result
	for b.Loop() {
		var err error
		r, err = pack.Engine{}.Pack(b.Context(), p)
		require.NoError(b, err)
	}
	b.ReportMetric(100*r.Gap(), "%gap")
	b.ReportMetric(float64(r.Nodes), "nodes")
}

func BenchmarkFamilies(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		for _, f := range generate.Families() {
			for seed := range uint64(3) {
				b.Run(fmt.Sprintf("%v/%d/%d", f, n, seed), func(b *testing.B) { bench(b, generate.Random(f, n, seed)) })
			}
		}
	}
}

func BenchmarkPerfect(b *testing.B) {
	for _, grid := range []struct {
		name          string
		width, height int
		sizes         []int
	}{
		{"fine", generate.FineWidth, generate.FineHeight, []int{101, 301, 1001, 10_001, 100_001}},
		{"coarse", generate.CoarseSide, generate.CoarseSide, []int{1001, 3001, 10_001}},
	} {
		for _, n := range grid.sizes {
			for seed := range uint64(5) {
				p, err := generate.Pinwheel(n, grid.width, grid.height, seed)
				require.NoError(b, err)
				b.Run(fmt.Sprintf("%s/pinwheel/%d/%d", grid.name, n, seed), func(b *testing.B) { bench(b, p.Problem) })
				p, err = generate.Guillotine(n-1, grid.width, grid.height, seed)
				require.NoError(b, err)
				b.Run(fmt.Sprintf("%s/guillotine/%d/%d", grid.name, n-1, seed), func(b *testing.B) { bench(b, p.Problem) })
			}
		}
	}
}

func BenchmarkInstances(b *testing.B) {
	for name, p := range packtest.Instances(b) {
		b.Run(name, func(b *testing.B) { bench(b, p) })
	}
}
