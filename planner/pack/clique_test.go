package pack_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
)

// crowded is more buffers than a word has bits, with many pairs that exclude each
// other. Those at every third index lend their bytes in the middle of their life.
func crowded(seed uint64) pack.Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	var p pack.Problem
	for i := range 60 + r.IntN(90) {
		first := r.Uint64N(40)
		b := pack.Buffer{First: first, End: first + 3 + r.Uint64N(9), Size: 1 + r.Uint64N(9), Align: 1}
		if i%3 == 0 {
			b.Gaps = []pack.Gap{{First: first + 1, End: first + 2}}
		}
		p.Buffers = append(p.Buffers, b)
	}
	for range 400 {
		if i, j := r.IntN(len(p.Buffers)), r.IntN(len(p.Buffers)); i != j {
			p.Excluded = append(p.Excluded, [2]int{i, j})
		}
	}
	return p
}

// Any two of a clique conflict, the excluded pairs are all in some, and nothing
// could join one.
func TestCliquesOfManyItems(t *testing.T) {
	for seed := range uint64(20) {
		p := crowded(seed)
		excluded := make(map[[2]int]bool)
		for _, pair := range p.Excluded {
			excluded[pair], excluded[[2]int{pair[1], pair[0]}] = true, true
		}
		solid := func(i int) bool { return i%3 > 0 }
		meet := func(i, j int) bool {
			a, b := p.Buffers[i], p.Buffers[j]
			return excluded[[2]int{i, j}] || solid(i) && solid(j) && a.First < b.End && b.First < a.End
		}
		sets, ok := pack.Cliques(p)
		require.True(t, ok)
		covered := make(map[[2]int]bool)
		larger := 0
		for _, set := range sets {
			for _, i := range set {
				for _, j := range set {
					if i != j {
						require.True(t, meet(i, j), "seed %d: %d and %d", seed, i, j)
					}
					covered[[2]int{i, j}] = true
				}
			}
			if len(set) > 2 {
				larger++
			}
			if slices.ContainsFunc(set, func(i int) bool { return !solid(i) }) {
				continue
			}
			for i := range p.Buffers {
				joins := solid(i) && !slices.ContainsFunc(set, func(j int) bool { return i == j || !meet(i, j) })
				require.False(t, joins, "seed %d: %d beside %v", seed, i, set)
			}
		}
		for pair := range excluded {
			require.True(t, covered[pair], "seed %d: %v", seed, pair)
		}
		require.Less(t, len(sets), len(excluded)/2, "some are in one clique")
		require.NotZero(t, larger)
	}
}
