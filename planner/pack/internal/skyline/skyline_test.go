package skyline_test

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
	"github.com/seqplan/seqplan/planner/pack/internal/skyline"
)

// fault returns what is wrong with offsets, section by section.
func fault(p *rect.Problem, offsets []uint64) string {
	live := make([][]int, p.Sections)
	for i, r := range p.Rects {
		if offsets[i]%r.Align != 0 {
			return "alignment"
		}
		for k := r.First; k < r.End; k++ {
			live[k] = append(live[k], i)
		}
	}
	for _, in := range live {
		slices.SortFunc(in, func(i, j int) int { return cmp.Compare(offsets[i], offsets[j]) })
		for n := 1; n < len(in); n++ {
			if offsets[in[n-1]]+p.Rects[in[n-1]].Size > offsets[in[n]] {
				return "overlap"
			}
		}
	}
	return ""
}

func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &rect.Problem{Sections: 1}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			first := int32(rapid.IntRange(0, 12).Draw(t, "first"))
			r := rect.Rect{
				First: first, End: first + int32(rapid.IntRange(1, 8).Draw(t, "length")),
				Size: rapid.Uint64Range(1, 30).Draw(t, "size"), Align: 1 << rapid.IntRange(0, 3).Draw(t, "align"),
			}
			p.Rects = append(p.Rects, r)
			p.Sections = max(p.Sections, r.End)
		}
		var told []uint64
		o := skyline.Options{Work: rapid.SampledFrom([]uint64{0, 100, 1_000_000}).Draw(t, "work"), Better: func(h uint64) { told = append(told, h) }}
		r := skyline.Pack(context.Background(), p, o)
		require.Empty(t, fault(p, r.Offsets))
		require.Equal(t, p.Height(r.Offsets), r.Height)
		require.Equal(t, r.Height, told[len(told)-1])
		require.True(t, slices.IsSortedFunc(told, func(a, b uint64) int { return cmp.Compare(b, a) }))
	})
}

// A check that finds nothing would let all of the above pass.
func TestFaultsAreFound(t *testing.T) {
	p := &rect.Problem{Sections: 2, Rects: []rect.Rect{{First: 0, End: 2, Size: 4, Align: 4}, {First: 1, End: 2, Size: 4, Align: 2}}}
	require.Empty(t, fault(p, []uint64{0, 4}))
	require.Equal(t, "overlap", fault(p, []uint64{0, 2}))
	require.Equal(t, "alignment", fault(p, []uint64{2, 6}))
}

func TestSameOnAnyNumberOfCores(t *testing.T) {
	p, _ := packtest.Rects(t, generate.Random(generate.Uniform, 3000, 1))
	var results []skyline.Result
	for _, cores := range []int{1, 2, 7} {
		before := runtime.GOMAXPROCS(cores)
		results = append(results, skyline.Pack(t.Context(), p, skyline.Options{Work: 100_000_000}))
		runtime.GOMAXPROCS(before)
	}
	require.Equal(t, results[0], results[1])
	require.Equal(t, results[0], results[2])
}

func TestTargetAndCancel(t *testing.T) {
	p, _ := packtest.Rects(t, generate.Random(generate.Dense, 3000, 1))
	best := skyline.Pack(t.Context(), p, skyline.Options{Work: 1 << 30})
	first := skyline.Pack(t.Context(), p, skyline.Options{Work: 1 << 30, Target: 1 << 60})
	require.Less(t, first.Work, best.Work)
	require.Less(t, best.Height, first.Height)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := skyline.Pack(ctx, p, skyline.Options{Work: 1 << 30})
	require.Empty(t, fault(p, r.Offsets))
	require.Less(t, r.Work, best.Work)
}

// One pass comes within some percent of the bound on the families.
func TestFamilies(t *testing.T) {
	for f, gap := range map[generate.Family]float64{
		generate.Uniform: 1.03, generate.Pareto: 1.02, generate.FewSizes: 1.03, generate.LongShort: 1.02, generate.Dense: 1.14,
	} {
		p, _ := packtest.Rects(t, generate.Random(f, 10_000, 7))
		r := skyline.Pack(t.Context(), p, skyline.Options{Work: 400_000_000})
		require.Empty(t, fault(p, r.Offsets))
		require.Less(t, float64(r.Height), gap*float64(slices.Max(p.Totals())), "%v", f)
	}
}
