package kernel_test

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

func check(t require.TestingT, p *rect.Problem, offsets []uint64, c uint64) {
	require.Len(t, offsets, len(p.Rects))
	byStart := make([][]int, p.Sections)
	for i, r := range p.Rects {
		require.LessOrEqual(t, offsets[i]+r.Size, c)
		byStart[r.First] = append(byStart[r.First], i)
	}
	var live []int
	for s := range p.Sections {
		live = slices.DeleteFunc(live, func(i int) bool { return p.Rects[i].End <= s })
		live = append(live, byStart[s]...)
		slices.SortFunc(live, func(i, j int) int { return cmp.Compare(offsets[i], offsets[j]) })
		for i := 1; i < len(live); i++ {
			if offsets[live[i]] < offsets[live[i-1]]+p.Rects[live[i-1]].Size {
				require.Fail(t, "overlap")
			}
		}
	}
}

func plain(t require.TestingT, p generate.Perfect) (*rect.Problem, uint64) {
	buffers := make([]rect.Buffer, len(p.Problem.Buffers))
	for i, b := range p.Problem.Buffers {
		buffers[i] = rect.Buffer{First: b.First, End: b.End, Size: b.Size, Align: b.Align}
	}
	q, unit, _, err := rect.Compress(buffers)
	require.NoError(t, err)
	return q, p.Height / unit
}

func TestScratch(t *testing.T) {
	type gen func(n, w, h int, seed uint64) (generate.Perfect, error)
	nodes, _ := strconv.ParseUint(os.Getenv("NODES"), 10, 64)
	coarse := os.Getenv("COARSE") != ""
	seeds, _ := strconv.ParseUint(os.Getenv("SEEDS"), 10, 64)
	n, _ := strconv.Atoi(os.Getenv("N"))
	f := generate.Guillotine
	if os.Getenv("PIN") != "" {
		f = generate.Pinwheel
		n = n/4*4 + 1
	}
	for seed := uint64(1000); seed < 1000+seeds; seed++ {
		w, h := generate.FineWidth, generate.FineHeight
		if coarse {
			w, h = generate.CoarseSide, generate.CoarseSide
		}
		p, err := f(n, w, h, seed)
		if err != nil {
			t.Log(err)
			continue
		}
		q, c := plain(t, p)
		t0 := time.Now()
		o, out, nodes := kernel.Solve(context.Background(), q, c, nodes)
		d := time.Since(t0)
		if out == kernel.Found {
			check(t, q, o, c)
		}
		var ks []int
		for l := range kernel.Level(4) {
			ks = append(ks, len(kernel.Reduce(context.Background(), q, c, l).Problem.Rects))
		}
		t.Log(n, seed, "coarse", coarse, out, nodes, d, ks)
	}
}
