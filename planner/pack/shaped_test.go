package pack

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
)

// asked is a context that counts how often it is asked, and is cancelled soon.
type asked struct {
	context.Context
	left int
}

func (a *asked) Err() error {
	if a.left--; a.left < 0 {
		return context.Canceled
	}
	return nil
}

// shredded is buffers that are alive at once and have other windows at every step.
func shredded(n, gaps uint64) (p Problem) {
	for i := range n {
		b := Buffer{End: gaps, Size: 1000, Align: 1}
		for k := range gaps {
			low := splitmix.Hash(i, k) % 900
			b.Gaps = append(b.Gaps, Gap{First: k, End: k + 1, Low: low, High: low + 10})
		}
		p.Buffers = append(p.Buffers, b)
	}
	return p
}

func modelOf(t *testing.T, p Problem) *model {
	t.Helper()
	m, conflict := newModel(p)
	require.Nil(t, conflict)
	return m
}

func TestListsOfPairsStepAside(t *testing.T) {
	m := modelOf(t, shredded(30, 100))
	const plenty = 1 << 40
	w := disjunct.NewWork(t.Context(), plenty)
	p, ok := m.disjunct(w)
	require.True(t, ok)
	require.Len(t, p.Pairs, 30*29/2)
	need := w.Spent()
	require.Greater(t, need, uint64(30*29/2*200*workPerPart), "two pieces of a pair at every step")
	_, ok = m.disjunct(disjunct.NewWork(t.Context(), need-1))
	require.False(t, ok)

	w = disjunct.NewWork(&asked{t.Context(), 1}, plenty)
	_, ok = m.disjunct(w)
	require.False(t, ok)
	require.Less(t, w.Spent(), uint64(3<<20), "the second look is after 2^20 units of work")

	// Too long, however much work there is.
	_, ok = modelOf(t, shredded(3, maxInUse/2)).disjunct(disjunct.NewWork(t.Context(), plenty))
	require.False(t, ok)
	wide := modelOf(t, shredded(60, 800)) // nearly all ranges of a pair stay apart
	for n := range wide.items {
		for k := range wide.items[n].pieces {
			piece := &wide.items[n].pieces[k]
			piece.Low *= 1 << 20
			piece.High = piece.Low + 10
		}
	}
	w = disjunct.NewWork(t.Context(), plenty)
	_, ok = wide.disjunct(w)
	require.False(t, ok)
	require.Less(t, w.Spent(), uint64(4*maxRanges*workPerPart))
}

func TestPairwiseStepsAside(t *testing.T) {
	c, _, err := newCore(shredded(30, 100))
	require.NoError(t, err)
	for _, ctx := range []context.Context{t.Context(), &asked{t.Context(), 0}} {
		s := &solver{core: c, Result: Result{Bound: c.bound, Height: 1 << 20}}
		work := uint64(1 << 20)
		if ctx != t.Context() {
			work = 1 << 60
		}
		s.pairwise(ctx, work)
		require.Equal(t, c.bound, s.Bound)
		require.Nil(t, s.Offsets)
		require.Zero(t, s.Nodes)
		require.Nil(t, s.byPairs)
	}
}

// parts is buffers of many sizes that are apart from all that are in other parts.
func parts(sizes ...int) (p Problem) {
	var part []int
	for k, size := range sizes {
		for range size {
			i := uint64(len(part))
			p.Buffers = append(p.Buffers, Buffer{First: i, End: i + 1, Size: 1 + splitmix.Hash(i)%100, Align: 1})
			for j, other := range part {
				if other != k {
					p.Excluded = append(p.Excluded, [2]int{j, len(part)})
				}
			}
			part = append(part, k)
		}
	}
	return p
}

func TestCliquesCoverWhatIsApart(t *testing.T) {
	for name, tc := range map[string]struct {
		sizes []int
		most  int // cliques
	}{
		"two":        {[]int{150, 150}, 150 * 150},
		"many":       {[]int{20, 20, 20, 20, 20, 20, 20, 20, 20, 20}, 3000},
		"pairs":      {[]int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 40},
		"all of 500": {ones(500), 1},
		"many pairs": {append(ones(300), 300, 300), 220_000},
	} {
		t.Run(name, func(t *testing.T) {
			m := modelOf(t, parts(tc.sizes...))
			cliques := m.cliques()
			require.LessOrEqual(t, len(cliques), tc.most)
			apart := make(map[[2]int]bool)
			for _, a := range m.aparts {
				apart[[2]int{a.i, a.j}] = true
			}
			covered := make(map[[2]int]bool)
			pairs := 0
			for _, clique := range cliques {
				for k, s := range clique {
					pairs += k
					for _, o := range clique[:k] {
						pair := [2]int{min(s.item, o.item), max(s.item, o.item)}
						if !apart[pair] {
							require.Fail(t, "not apart", "%v", pair)
						}
						covered[pair] = true
					}
				}
			}
			require.Len(t, covered, len(apart))
			require.LessOrEqual(t, pairs, maxPairs+len(apart)+1000*1000)
		})
	}
}

func ones(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}
