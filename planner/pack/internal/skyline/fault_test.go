package skyline_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// fault returns what is wrong with offsets. It sweeps from below: what is placed
// must not be under what was placed before it.
func fault(p *rect.Problem, offsets []uint64) string {
	if len(offsets) != len(p.Rects) {
		return "length"
	}
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(offsets[i], offsets[j]) })
	t := &tops{high: make([]uint64, 4*p.Sections), all: make([]uint64, 4*p.Sections)}
	for _, i := range order {
		r := p.Rects[i]
		if offsets[i]%r.Align != 0 {
			return "alignment"
		}
		if t.visit(1, 0, p.Sections, r.First, r.End, 0) > offsets[i] {
			return "overlap"
		}
		t.visit(1, 0, p.Sections, r.First, r.End, offsets[i]+r.Size)
	}
	return ""
}

// tops is a tree of the tops of sections: for each node the highest top, and one
// that was set for all of it.
type tops struct{ high, all []uint64 }

// visit raises the tops of the sections [first, end) to top and returns the highest
// that they had.
func (t *tops) visit(node, lo, hi, first, end int32, top uint64) uint64 {
	if end <= lo || hi <= first {
		return 0
	}
	if first <= lo && hi <= end {
		was := t.high[node]
		t.high[node], t.all[node] = max(was, top), max(t.all[node], top)
		return was
	}
	mid := (lo + hi) / 2
	was := max(t.all[node], t.visit(2*node, lo, mid, first, end, top), t.visit(2*node+1, mid, hi, first, end, top))
	t.high[node] = max(t.high[node], top)
	return was
}

// A check that finds nothing would let every test pass.
func TestFaultsAreFound(t *testing.T) {
	p := &rect.Problem{Sections: 2, Rects: []rect.Rect{{First: 0, End: 2, Size: 4, Align: 4}, {First: 1, End: 2, Size: 4, Align: 2}}}
	require.Empty(t, fault(p, []uint64{0, 4}))
	require.Equal(t, "overlap", fault(p, []uint64{0, 2}))
	require.Equal(t, "alignment", fault(p, []uint64{2, 6}))
	require.Equal(t, "length", fault(p, []uint64{2}))
	rapid.Check(t, func(t *rapid.T) {
		p := problems().Draw(t, "problem")
		offsets := make([]uint64, len(p.Rects))
		for i := range offsets {
			offsets[i] = p.Rects[i].Align * rapid.Uint64Range(0, 200).Draw(t, "offset")
		}
		pairs := false
		for i, r := range p.Rects {
			for j, s := range p.Rects[:i] {
				pairs = pairs || r.First < s.End && s.First < r.End && offsets[i] < offsets[j]+s.Size && offsets[j] < offsets[i]+r.Size
			}
		}
		require.Equal(t, pairs, fault(p, offsets) == "overlap")
	})
}
