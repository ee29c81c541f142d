package kernel_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// boundary draws a perfect problem of two sections, with the tiles of either alone
// and how many are in both.
func boundary(t *rapid.T) (p *rect.Problem, leave, come []int32, stay int) {
	p = &rect.Problem{Sections: 2}
	add := func(first, end int32, size uint64) int32 {
		p.Rects = append(p.Rects, rect.Rect{First: first, End: end, Size: size, Align: 1})
		return int32(len(p.Rects) - 1)
	}
	size := rapid.Uint64Range(1, 4)
	var room uint64
	for range rapid.IntRange(1, 6).Draw(t, "leave") {
		s := size.Draw(t, "size")
		leave = append(leave, add(0, 1, s))
		room += s
	}
	for room > 0 {
		s := min(room, size.Draw(t, "size"))
		come = append(come, add(1, 2, s))
		room -= s
	}
	stay = rapid.IntRange(0, 3).Draw(t, "stay")
	for range stay {
		add(0, 2, size.Draw(t, "size"))
	}
	return p, leave, come, stay
}

// filled writes down holes, whatever their order and the order in them. It does not
// tell tiles of a size apart that come, and live equally long.
func filled(p *rect.Problem, holes []kernel.Hole) string {
	var out []string
	for _, h := range holes {
		var sizes []uint64
		for _, i := range h.Come {
			sizes = append(sizes, p.Rects[i].Size)
		}
		slices.Sort(sizes)
		out = append(out, fmt.Sprint(slices.Sorted(slices.Values(h.Leave)), sizes))
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

// fillings writes down every way to fill holes of the leaving tiles with the coming
// ones.
func fillings(p *rect.Problem, leave, come []int32) map[string]bool {
	all := map[string]bool{}
	var holes []kernel.Hole
	var left []uint64 // units to fill
	var fill func(int)
	fill = func(k int) {
		if k == len(come) {
			all[filled(p, holes)] = true
			return
		}
		size := p.Rects[come[k]].Size
		for h := range holes {
			if size <= left[h] {
				left[h] -= size
				holes[h].Come = append(holes[h].Come, come[k])
				fill(k + 1)
				holes[h].Come = holes[h].Come[:len(holes[h].Come)-1]
				left[h] += size
			}
		}
	}
	var dig func(int)
	dig = func(k int) {
		if k == len(leave) {
			fill(0)
			return
		}
		size := p.Rects[leave[k]].Size
		for h := range holes {
			holes[h].Leave = append(holes[h].Leave, leave[k])
			left[h] += size
			dig(k + 1)
			left[h] -= size
			holes[h].Leave = holes[h].Leave[:len(holes[h].Leave)-1]
		}
		holes, left = append(holes, kernel.Hole{Leave: []int32{leave[k]}}), append(left, size)
		dig(k + 1)
		holes, left = holes[:len(holes)-1], left[:len(left)-1]
	}
	dig(0)
	return all
}

// The ways over a boundary are all that there are.
func TestDecisionsAgainstExhaustiveSearch(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		p, leave, come, stay := boundary(t)
		want := map[string]bool{}
		if stay > 0 {
			want = fillings(p, leave, come)
		} else { // the orders behind the one hole are all that there are
			want[filled(p, []kernel.Hole{{Leave: leave, Come: come}})] = true
		}
		got := map[string]bool{}
		for _, holes := range kernel.Decisions(p) {
			got[filled(p, holes)] = true
			if len(holes) > 2 && len(leave) > 4 {
				several++
			}
		}
		require.Equal(t, want, got)
	})
	require.Greater(t, several, 50)
}
