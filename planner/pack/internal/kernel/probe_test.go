package kernel_test

import (
	"testing"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
)

func TestProbe(t *testing.T) {
	for seed := uint64(1000); seed < 1005; seed++ {
		p, _ := generate.Guillotine(3000, generate.CoarseSide, generate.CoarseSide, seed)
		q, c := plain(t, p)
		kernel.Probe(q, c, kernel.Exact, 1, 4, 16, 64, 256)
	}
}
