package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
)

// A few buffers that need more than any bound says, in the middle of many that are
// too many to search: the window around them proves what they need.
func TestBoundOfAWindow(t *testing.T) {
	found := 0
	for seed := range uint64(3000) {
		core := generate.Tiny(seed)
		low, err := pack.LowerBound(core)
		require.NoError(t, err)
		best, _ := oracle.Optimum(core)
		r := solve(t, pack.Engine{}, core)
		require.Equal(t, best, r.Height)
		if r.Bound.Kind != pack.Refuted || best <= low.Bytes+1 {
			continue
		}
		found++
		const shift, scale = 100_000, 1 << 20
		var p pack.Problem
		for _, b := range core.Buffers {
			b.First, b.End = b.First+shift, b.End+shift
			b.Size, b.Align = b.Size*scale, b.Align*scale
			p.Buffers = append(p.Buffers, b)
		}
		around := generate.Random(generate.Uniform, 20_000, seed)
		for _, b := range around.Buffers {
			b.Size = 1
			p.Buffers = append(p.Buffers, b)
		}
		// One that lives all the time ties both together.
		p.Buffers = append(p.Buffers, pack.Buffer{First: 0, End: shift + 10, Size: 1, Align: 1})
		r = solve(t, pack.Engine{Effort: pack.Quick}, p)
		require.Equal(t, pack.Refuted, r.Bound.Kind, "seed %d", seed)
		require.GreaterOrEqual(t, r.Bound.Bytes, best*scale)
		require.GreaterOrEqual(t, r.Bound.First, uint64(shift))
		if found == 3 {
			return
		}
	}
	t.Fatal("no problem with a refuted bound")
}
