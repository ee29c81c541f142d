package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// TestPerfect: the packings that the generator has cut are optimal.
func TestPerfect(t *testing.T) {
	p, r := guillotine(t, 3000)
	require.NoError(t, audit.Check(p, r))
	r.Offsets[0]++
	require.Error(t, audit.Check(p, r))
}

func guillotine(t testing.TB, n int) (pack.Problem, pack.Result) {
	g, err := generate.Guillotine(n, generate.FineWidth, generate.FineHeight, 1)
	require.NoError(t, err)
	return g.Problem, pack.Result{
		Status: pack.Optimal, Offsets: g.Offsets, Height: g.Height,
		Bound: pack.Bound{Bytes: g.Height, First: 0, End: 1},
	}
}

// lattice is n buffers on top of each other, each with k gaps in which another one
// has its bytes.
func lattice(n, k int) (pack.Problem, pack.Result) {
	var p pack.Problem
	var r pack.Result
	for i := range n {
		for turn := range uint64(2) {
			b := pack.Buffer{First: 0, End: uint64(2*k + 2), Size: 8, Align: 8}
			for g := range uint64(k) {
				b.Gaps = append(b.Gaps, pack.Gap{First: 2*g + turn, End: 2*g + turn + 1})
			}
			b.First, b.End = 1-turn, b.End-1-turn
			if turn == 0 {
				b.Gaps = b.Gaps[1:]
			}
			p.Buffers = append(p.Buffers, b)
			r.Offsets = append(r.Offsets, uint64(i)*8)
		}
	}
	r.Height = uint64(n) * 8
	return p, r
}

func BenchmarkCheck(b *testing.B) {
	perfect, cut := guillotine(b, 1_000_000)
	gaps, placed := lattice(1000, 500)
	for _, c := range []struct {
		name string
		p    pack.Problem
		r    pack.Result
	}{{"1000000 buffers", perfect, cut}, {"2000 buffers with 500 gaps", gaps, placed}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, audit.Check(c.p, c.r))
			}
		})
	}
}
