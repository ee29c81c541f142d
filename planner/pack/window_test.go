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

// A window needs no more than the whole, and no less than a window within it.
func TestWindowsAgainstExhaustiveSearch(t *testing.T) {
	for seed := range uint64(2000) {
		p := generate.TinyMixed(seed)
		p.Capacity = nil
		whole, feasible := oracle.Optimum(p)
		if !feasible {
			continue
		}
		first := seed / 3 % 8
		end := first + 1 + seed/24%(8-first)
		q := pack.Clip(p, first, end)
		height, feasible := oracle.Optimum(q)
		require.True(t, feasible, "seed %d: %+v", seed, p)
		require.LessOrEqual(t, height, whole, "seed %d: %+v", seed, p)
		_, err := pack.LowerBound(q) // it is valid
		require.NoError(t, err)
		low, err := pack.LowerBound(p)
		require.NoError(t, err)
		var most uint64
		for step := first; step < end; step++ {
			at := pack.Clip(p, step, step+1)
			part, _ := oracle.Optimum(at)
			require.LessOrEqual(t, part, height, "seed %d: %+v", seed, p)
			bound, err := pack.LowerBound(at)
			require.NoError(t, err)
			most = max(most, bound.Bytes)
		}
		if first <= low.First && low.First < end {
			require.Equal(t, low.Bytes, most, "seed %d: %+v", seed, p)
		}
	}
}

// A window is around a step with the most bytes, and as wide as it may be.
func TestWindowsAreAroundPeaks(t *testing.T) {
	for seed := range uint64(50) {
		p := generate.Random(generate.Families()[seed%5], 80, seed)
		low, err := pack.LowerBound(p)
		require.NoError(t, err)
		for size := range 90 {
			first, end, buffers := pack.Window(p, size)
			require.True(t, first <= low.First && low.First < end)
			inside, err := pack.LowerBound(pack.Clip(p, first, end))
			require.NoError(t, err)
			require.Equal(t, low.Bytes, inside.Bytes)
			if len(buffers) > size {
				require.Equal(t, first+1, end)
			}
			if size >= len(p.Buffers) {
				require.Len(t, buffers, len(p.Buffers))
			}
		}
	}
}
