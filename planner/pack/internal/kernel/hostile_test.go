package kernel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// shapes are inputs on which a careless reduction is slow.
func shapes(n int) map[string]*rect.Problem {
	add := func(p *rect.Problem, first, end int, size uint64) {
		p.Rects = append(p.Rects, rect.Rect{First: int32(first), End: int32(end), Size: size, Align: 1})
		p.Sections = max(p.Sections, int32(end))
	}
	rows, equal, stairs, pairs, comb := &rect.Problem{}, &rect.Problem{}, &rect.Problem{}, &rect.Problem{}, &rect.Problem{}
	for i := range n / 2 {
		// All end and start at one boundary.
		add(rows, 0, 1, uint64(1+i))
		add(rows, 1, 2, uint64(n/2-i))
		add(equal, 0, 1, 1)
		add(equal, 1, 2, 1)
		// One tile after the other takes the place of one.
		add(stairs, 0, i+1, 1)
		add(stairs, i+1, n/2+1, 1)
		// Two after the other two, many of them alive.
		add(pairs, 0, i/2+1, 1)
		add(pairs, i/2+1, n/4+1, 1)
	}
	// A large tile at each boundary, and small ones that end all over the place.
	for i := range n / 4 {
		add(comb, 2*i, 2*i+1, 2)
		add(comb, 2*i+1, 2*i+2, 1)
		add(comb, 2*i+1, 2*i+2, 1)
	}
	return map[string]*rect.Problem{"rows": rows, "equal": equal, "stairs": stairs, "pairs": pairs, "comb": comb}
}

func TestReductionIsNearLinear(t *testing.T) {
	const n = 100_000
	for name, p := range shapes(n) {
		capacity := p.Totals()[0]
		for _, level := range levels {
			require.Less(t, kernel.Work(p, capacity, level), 40*n, "%s at level %d", name, level)
			reduce := kernel.Reduce(context.Background(), p, capacity, level)
			require.NotEmpty(t, reduce.Problem.Rects)
		}
	}
}

// A search ends when its nodes are spent, on these and on what it cannot solve.
func TestSearchKeepsItsBudget(t *testing.T) {
	const nodes, step = 1000, 10_000 // a state is looked at to the end
	hard := shapes(100_000)
	g, err := generate.Guillotine(10_000, generate.CoarseSide, generate.CoarseSide, 1)
	require.NoError(t, err)
	hard["coarse"], _ = plain(t, g)
	for name, p := range hard {
		_, outcome, spent := kernel.Solve(context.Background(), p, p.Totals()[0], nodes)
		require.Less(t, spent, uint64(nodes+step), name)
		require.Equal(t, name == "coarse", outcome == kernel.Budget, name)
	}
}
