package kernel_test

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

var levels = []kernel.Level{kernel.Exact, kernel.Likely, kernel.Eager, kernel.Wild}

// plain is the plain form of a generated packing, and its height in units.
func plain(t require.TestingT, p generate.Perfect) (*rect.Problem, uint64) {
	q, unit := packtest.Rects(t, p.Problem)
	return q, p.Height / unit
}

// valid says whether rectangles that share a section are disjoint, and all lie
// below a height.
func valid(p *rect.Problem, offsets []uint64, height uint64) bool {
	if len(offsets) != len(p.Rects) {
		return false
	}
	starting := make([][]int, p.Sections)
	for i, r := range p.Rects {
		if offsets[i]+r.Size > height {
			return false
		}
		starting[r.First] = append(starting[r.First], i)
	}
	var live []int
	for s := range p.Sections {
		live = slices.DeleteFunc(live, func(i int) bool { return p.Rects[i].End <= s })
		live = append(live, starting[s]...)
		slices.SortFunc(live, func(i, j int) int { return cmp.Compare(offsets[i], offsets[j]) })
		for i := 1; i < len(live); i++ {
			if offsets[live[i]] < offsets[live[i-1]]+p.Rects[live[i-1]].Size {
				return false
			}
		}
	}
	return true
}

// exhaustive tries all offsets; nil: there is no packing.
func exhaustive(p *rect.Problem, capacity uint64) []uint64 {
	used := make([]uint64, p.Sections) // units, as bits
	offsets := make([]uint64, len(p.Rects))
	var place func(int) bool
	place = func(i int) bool {
		if i == len(p.Rects) {
			return true
		}
		r := p.Rects[i]
		for at := uint64(0); at+r.Size <= capacity; at++ {
			units := (uint64(1)<<r.Size - 1) << at
			if slices.ContainsFunc(used[r.First:r.End], func(u uint64) bool { return u&units != 0 }) {
				continue
			}
			for s := r.First; s < r.End; s++ {
				used[s] |= units
			}
			offsets[i] = at
			if place(i + 1) {
				return true
			}
			for s := r.First; s < r.End; s++ {
				used[s] &^= units
			}
		}
		return false
	}
	if !place(0) {
		return nil
	}
	return offsets
}

// checkMany is for properties of small problems, few of which are interesting.
func checkMany(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	for range 40 {
		rapid.Check(t, property)
	}
}

// full draws a problem with all sections full at the capacity, which may have a
// packing or not: at each boundary some tiles end, and others of the same size
// start.
func full(t *rapid.T) (*rect.Problem, uint64) {
	capacity := uint64(rapid.IntRange(1, 7).Draw(t, "capacity"))
	p := &rect.Problem{}
	start := func(size uint64) {
		for size > 0 {
			part := min(size, uint64(rapid.IntRange(1, 4).Draw(t, "size")))
			p.Rects = append(p.Rects, rect.Rect{First: p.Sections, End: -1, Size: part, Align: 1})
			size -= part
		}
	}
	start(capacity)
	for p.Sections++; p.Sections < 10 && len(p.Rects) < 13; p.Sections++ {
		var freed uint64
		for i := range p.Rects {
			if r := &p.Rects[i]; r.End < 0 && rapid.IntRange(0, 2).Draw(t, "end") == 0 {
				r.End = p.Sections
				freed += r.Size
			}
		}
		start(freed)
	}
	for i := range p.Rects {
		if p.Rects[i].End < 0 {
			p.Rects[i].End = p.Sections
		}
	}
	return p, capacity
}

// nearlyFull draws a problem of which some sections may not be full.
func nearlyFull(t *rapid.T) (*rect.Problem, uint64) {
	p, capacity := full(t)
	for range rapid.IntRange(0, 2).Draw(t, "changes") {
		r := &p.Rects[rapid.IntRange(0, len(p.Rects)-1).Draw(t, "rect")]
		switch rapid.IntRange(0, 2).Draw(t, "change") {
		case 0:
			r.Size = max(1, r.Size-1)
		case 1:
			r.End = max(r.First+1, r.End-1)
		default:
			r.First = min(r.End-1, r.First+1)
		}
	}
	return p, capacity
}

// reduce is Reduce with what holds of any kernel.
func reduce(t require.TestingT, p *rect.Problem, capacity uint64, level kernel.Level) *kernel.Kernel {
	k := kernel.Reduce(context.Background(), p, capacity, level)
	require.LessOrEqual(t, len(k.Problem.Rects), len(p.Rects))
	require.LessOrEqual(t, k.Problem.Sections, p.Sections)
	// All on top of each other is a packing.
	offsets := make([]uint64, len(k.Problem.Rects))
	var top uint64
	for i, r := range k.Problem.Rects {
		require.True(t, 0 <= r.First && r.First < r.End && r.End <= k.Problem.Sections && r.Size > 0 && r.Align == 1, "%v", r)
		offsets[i] = top
		top += r.Size
	}
	require.True(t, valid(p, k.Expand(offsets), top))
	if k.Problem == p {
		return k
	}
	// No section is contained in another.
	starts, ends := map[int32]bool{}, map[int32]bool{}
	for _, r := range k.Problem.Rects {
		starts[r.First], ends[r.End] = true, true
	}
	require.Len(t, starts, int(k.Problem.Sections))
	require.Len(t, ends, int(k.Problem.Sections))
	if slices.Min(p.Totals()) == capacity { // nothing is left to merge
		require.Same(t, k.Problem, kernel.Reduce(context.Background(), k.Problem, capacity, level).Problem)
	}
	require.Equal(t, slices.Max(p.Totals()), slices.Max(k.Problem.Totals()))
	return k
}
