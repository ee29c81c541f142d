package kernel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// A packing of a kernel is one of the problem, and an exact kernel has one if the
// problem has.
func TestKernelsAgainstExhaustiveSearch(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) (*rect.Problem, uint64){"full": full, "nearly full": nearlyFull} {
		t.Run(name, func(t *testing.T) {
			checkMany(t, func(t *rapid.T) {
				p, capacity := draw(t)
				level := rapid.SampledFrom(levels).Draw(t, "level")
				k := reduce(t, p, capacity, level)
				offsets := exhaustive(k.Problem, capacity)
				if offsets != nil {
					require.True(t, valid(p, k.Expand(offsets), capacity))
				} else if k.Exact {
					require.Nil(t, exhaustive(p, capacity))
				}
			})
		})
	}
}

// wheel is a pinwheel of sections 0 to 2 and 7 units; more rectangles follow.
func wheel(more ...rect.Rect) *rect.Problem {
	return &rect.Problem{Sections: 3, Rects: append([]rect.Rect{
		{First: 0, End: 1, Size: 5, Align: 1},
		{First: 1, End: 3, Size: 3, Align: 1},
		{First: 1, End: 2, Size: 2, Align: 1},
		{First: 0, End: 2, Size: 2, Align: 1},
		{First: 2, End: 3, Size: 4, Align: 1},
	}, more...)}
}

func TestAPinwheelIsOneTile(t *testing.T) {
	k := reduce(t, wheel(), 7, kernel.Exact)
	require.Len(t, k.Problem.Rects, 1)
	require.True(t, k.Exact)
	require.Equal(t, rect.Rect{First: 0, End: 1, Size: 7, Align: 1}, k.Problem.Rects[0])
	require.True(t, valid(wheel(), k.Expand([]uint64{0}), 7))
}

// Where other tiles end and start too, nothing is sure.
func TestAPinwheelAmongOthersIsLikely(t *testing.T) {
	// Two wheels: which of the tiles belong together is not clear, but all fit.
	p := wheel(wheel().Rects...)
	require.Len(t, reduce(t, p, 14, kernel.Exact).Problem.Rects, 10)
	k := reduce(t, p, 14, kernel.Likely)
	require.Less(t, len(k.Problem.Rects), 10)
	require.False(t, k.Exact)
}

func TestNothingIsMergedWhereThereIsRoom(t *testing.T) {
	for _, level := range levels {
		p := wheel()
		k := reduce(t, p, 8, level)
		require.Same(t, p, k.Problem)
		require.True(t, k.Exact)
	}
}

func TestAlignedProblemsStayAsTheyAre(t *testing.T) {
	p := wheel()
	p.Rects[3].Align = 2
	k := kernel.Reduce(context.Background(), p, 7, kernel.Wild)
	require.Same(t, p, k.Problem)
	require.True(t, k.Exact)
	require.Equal(t, []uint64{2, 0, 0, 4, 0}, k.Expand([]uint64{2, 0, 0, 4, 0}))
}

// The check of packings would see a wrong merge.
func TestAWrongMergeIsSeen(t *testing.T) {
	k := kernel.Reduce(context.Background(), wheel(), 7, kernel.Exact)
	k.Misplace()
	require.False(t, valid(wheel(), k.Expand([]uint64{0}), 7))
}

func TestCancelledReductionsAreKernels(t *testing.T) {
	p, err := generate.Pinwheel(10001, generate.FineWidth, generate.FineHeight, 1)
	require.NoError(t, err)
	q, capacity := plain(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	k := kernel.Reduce(ctx, q, capacity, kernel.Eager)
	require.Greater(t, len(k.Problem.Rects), 1)
	offsets := make([]uint64, len(k.Problem.Rects))
	var top uint64
	for i, r := range k.Problem.Rects {
		offsets[i] = top
		top += r.Size
	}
	require.True(t, valid(q, k.Expand(offsets), top))
}
