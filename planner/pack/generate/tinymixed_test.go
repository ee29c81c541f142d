package generate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// features counts what a problem has.
func features(p pack.Problem, count map[string]int) {
	add := func(name string, has bool) {
		if has {
			count[name]++
		}
	}
	add("capacity", p.Capacity != nil)
	for _, g := range p.InPlace {
		add(fmt.Sprint("group of ", len(g)), true)
		a, b := p.Buffers[g[0]], p.Buffers[g[1]]
		add("group of different sizes", a.Size != b.Size)
		add("group that overlaps", a.First < b.End && b.First < a.End)
		add("group that is adjacent", a.End == b.First || b.End == a.First)
		add("group with different offsets", a.Offset != nil && b.Offset != nil && *a.Offset != *b.Offset)
	}
	add("excluded pair", len(p.Excluded) > 0)
	for _, b := range p.Buffers {
		add("fixed offset", b.Offset != nil)
		add("hint", b.Hint != nil)
		add("no bytes", b.Size == 0)
		add(fmt.Sprint("alignment ", b.Align), true)
		for _, g := range b.Gaps {
			add("gap", g.Low == g.High)
			add("gap with a window", 0 < g.Low && g.Low < g.High)
			add("shrinks", g.End == b.End && g.Low == 0 && g.High < b.Size)
			add("gap from the start", g.First == b.First)
		}
		add("two gaps", len(b.Gaps) > 1)
	}
}

func TestTinyMixed(t *testing.T) {
	const problems = 4000
	count := map[string]int{}
	for seed := range uint64(problems) {
		p := generate.TinyMixed(seed)
		require.Equal(t, p, generate.TinyMixed(seed))
		features(p, count)
		require.NotEmpty(t, p.Buffers)
		require.LessOrEqual(t, len(p.Buffers), 8)
		grouped := map[int]int{}
		for k, g := range p.InPlace {
			for _, i := range g {
				require.NotContains(t, grouped, i)
				grouped[i] = k + 1
			}
		}
		for _, e := range p.Excluded {
			require.NotEqual(t, e[0], e[1])
			require.True(t, grouped[e[0]] == 0 || grouped[e[0]] != grouped[e[1]])
		}
		for _, b := range p.Buffers {
			require.Less(t, b.First, b.End)
			at := b.First
			for _, g := range b.Gaps {
				require.True(t, at <= g.First && g.First < g.End && g.End <= b.End, "%v", b)
				require.True(t, g.Low <= g.High && g.High <= b.Size, "%v", b)
				at = g.End
			}
			for _, place := range []*uint64{b.Offset, b.Hint} {
				require.True(t, place == nil || *place%b.Align == 0)
			}
		}
	}
	for _, name := range []string{
		"capacity", "group of 2", "group of 3", "group of different sizes", "group that overlaps", "group that is adjacent",
		"group with different offsets", "excluded pair", "fixed offset", "hint", "no bytes", "alignment 1", "alignment 2",
		"alignment 4", "alignment 8", "gap", "gap with a window", "shrinks", "gap from the start", "two gaps",
	} {
		require.Greater(t, count[name], problems/100, name)
	}
	t.Log(count)
}
