package skyline_test

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
	"github.com/seqplan/seqplan/planner/pack/internal/skyline"
)

func compress(t require.TestingT, p pack.Problem) *rect.Problem {
	r, _ := packtest.Rects(t, p)
	return r
}

func bound(p *rect.Problem) uint64 { return slices.Max(p.Totals()) }

func over(p *rect.Problem, r skyline.Result) float64 { return float64(r.Height) / float64(bound(p)) }

func problems() *rapid.Generator[*rect.Problem] {
	return rapid.Custom(func(t *rapid.T) *rect.Problem {
		width := rapid.Int32Range(1, 60).Draw(t, "sections")
		longest := rapid.Int32Range(1, width).Draw(t, "longest")
		aligns := rapid.IntRange(0, 4).Draw(t, "aligns")
		p := &rect.Problem{Sections: 1}
		for range rapid.IntRange(1, 100).Draw(t, "n") {
			first := rapid.Int32Range(0, width-1).Draw(t, "first")
			r := rect.Rect{
				First: first, End: rapid.Int32Range(first+1, min(width, first+longest)).Draw(t, "end"),
				Size: rapid.Uint64Range(1, 40).Draw(t, "size"), Align: 1 << rapid.IntRange(0, aligns).Draw(t, "align"),
			}
			p.Rects = append(p.Rects, r)
			p.Sections = max(p.Sections, r.End)
		}
		return p
	})
}

func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		var told []uint64
		o := skyline.Options{
			Target: bound(p), Seed: rapid.Uint64().Draw(t, "seed"), Work: rapid.SampledFrom([]uint64{0, 100, 100_000, 10_000_000}).Draw(t, "work"),
			Better: func(h uint64) { told = append(told, h) },
		}
		r := skyline.Pack(t.Context(), p, o)
		require.Empty(t, fault(p, r.Offsets))
		require.Equal(t, p.Height(r.Offsets), r.Height)
		require.Equal(t, r.Height, told[len(told)-1])
		require.True(t, slices.IsSortedFunc(told, func(a, b uint64) int { return cmp.Compare(b, a) }))
		require.NotEmpty(t, r.Method)
	})
	require.Empty(t, skyline.Pack(t.Context(), &rect.Problem{}, skyline.Options{Work: 1000}).Offsets)
}

func TestSameOnAnyNumberOfCores(t *testing.T) {
	for _, p := range []*rect.Problem{
		compress(t, generate.Random(generate.Dense, 300, 1)),    // packed again as a whole
		compress(t, generate.Random(generate.Uniform, 3000, 2)), // and in windows
	} {
		o := skyline.Options{Target: bound(p), Work: 250_000_000, Seed: 1}
		run := func(cores int) skyline.Result {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			return skyline.Pack(t.Context(), p, o)
		}
		first := run(1)
		require.Contains(t, first.Method, "looking ahead")
		for _, cores := range []int{2, 7, 64} {
			r := run(cores)
			require.True(t, slices.Equal(first.Offsets, r.Offsets), "%d cores", cores)
			r.Offsets = first.Offsets
			require.Equal(t, first, r, "%d cores", cores)
		}
		o.Seed = 2
		require.False(t, slices.Equal(first.Offsets, run(2).Offsets), "another seed")
	}
}

func TestTarget(t *testing.T) {
	p := compress(t, generate.Random(generate.Dense, 1000, 1))
	best := skyline.Pack(t.Context(), p, skyline.Options{Work: 100_000_000, Target: bound(p)})
	require.Equal(t, best, skyline.Pack(t.Context(), p, skyline.Options{Work: 100_000_000}), "the bound is known")
	first := skyline.Pack(t.Context(), p, skyline.Options{Work: 100_000_000, Target: 1 << 60})
	require.Less(t, first.Work, best.Work)
	require.Less(t, best.Height, first.Height)
	reached := skyline.Pack(t.Context(), p, skyline.Options{Work: 100_000_000, Target: first.Height - 1})
	require.Less(t, reached.Height, first.Height)
	require.Less(t, reached.Work, best.Work)
}

func TestCancel(t *testing.T) {
	p := compress(t, generate.Random(generate.Dense, 1000, 1))
	full := skyline.Pack(t.Context(), p, skyline.Options{Work: 1 << 40, Target: 1 << 60})
	ctx, cancel := context.WithCancel(t.Context())
	heights := 0
	r := skyline.Pack(ctx, p, skyline.Options{Work: 1 << 40, Better: func(uint64) {
		if heights++; heights == 2 {
			cancel()
		}
	}})
	require.Empty(t, fault(p, r.Offsets))
	require.Less(t, r.Height, full.Height)
	r = skyline.Pack(ctx, p, skyline.Options{Work: 1 << 40}) // cancelled before it starts
	require.Empty(t, fault(p, r.Offsets))
}

// What the passes reach, with a little room.
func TestFamilies(t *testing.T) {
	for f, gap := range map[generate.Family]float64{
		generate.Uniform: 1.01, generate.Pareto: 1.01, generate.FewSizes: 1.01, generate.LongShort: 1.01, generate.Dense: 1.15,
	} {
		p := compress(t, generate.Random(f, 1000, 7))
		r := skyline.Pack(t.Context(), p, skyline.Options{Work: 150_000_000, Target: bound(p)})
		require.Empty(t, fault(p, r.Offsets))
		require.Less(t, over(p, r), gap, "%v", f)
	}
}

func TestInstances(t *testing.T) {
	problems := packtest.Instances(t)
	for name, work := range map[string]uint64{"somas_resnet50.csv": 400_000_000, "iopddl_S_1.csv": 100_000_000} {
		require.Contains(t, problems, name)
		p := compress(t, problems[name])
		r := skyline.Pack(t.Context(), p, skyline.Options{Work: work, Target: bound(p)})
		require.Empty(t, fault(p, r.Offsets))
		require.Equal(t, bound(p), r.Height, name)
		require.Less(t, r.Work, work)
	}
}
