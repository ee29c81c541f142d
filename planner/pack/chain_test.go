package pack_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
)

// chain is tiny problems one after the other, with all buffers in any order. They
// share nothing, so the least height is the largest one of a part.
func chain(seed, parts uint64) (p pack.Problem, height uint64) {
	r := rand.New(rand.NewPCG(seed, parts))
	for part := uint64(0); part < parts; {
		q := generate.TinyMixed(r.Uint64())
		best, feasible := oracle.Optimum(q)
		if !feasible {
			continue
		}
		height = max(height, best)
		from := len(p.Buffers)
		for _, b := range q.Buffers {
			b.First, b.End = b.First+8*part, b.End+8*part
			for g := range b.Gaps {
				b.Gaps[g].First, b.Gaps[g].End = b.Gaps[g].First+8*part, b.Gaps[g].End+8*part
			}
			p.Buffers = append(p.Buffers, b)
		}
		for _, group := range q.InPlace {
			for k := range group {
				group[k] += from
			}
			p.InPlace = append(p.InPlace, group)
		}
		for _, pair := range q.Excluded {
			p.Excluded = append(p.Excluded, [2]int{pair[0] + from, pair[1] + from})
		}
		part++
	}
	to := r.Perm(len(p.Buffers))
	buffers := make([]pack.Buffer, len(to))
	for i, b := range p.Buffers {
		buffers[to[i]] = b
	}
	p.Buffers = buffers
	for _, group := range p.InPlace {
		for k, i := range group {
			group[k] = to[i]
		}
	}
	for k, pair := range p.Excluded {
		p.Excluded[k] = [2]int{to[pair[0]], to[pair[1]]}
	}
	return p, height
}

// The engine proves the height of many buffers too, with windows and with items
// beyond a word of bits.
func TestChainsAgainstExhaustiveSearch(t *testing.T) {
	n := uint64(150)
	if testing.Short() {
		n /= 3
	}
	for seed := range n {
		parts := []uint64{2, 4, 20}[seed%3]
		p, height := chain(seed, parts)
		r, err := pack.Engine{Effort: pack.Quick}.Pack(t.Context(), p)
		require.NoError(t, err)
		require.NoError(t, audit.Check(p, r), "seed %d", seed)
		require.Equal(t, pack.Optimal, r.Status, "seed %d", seed)
		require.Equal(t, height, r.Height, "seed %d", seed)
		for name, stage := range pack.Stages {
			if name == "search" && parts > 4 {
				continue // may spend its budget
			}
			alone, ok := pack.Alone(t.Context(), p, stage)
			require.True(t, ok)
			require.LessOrEqual(t, alone.Bound.Bytes, height, "%s, seed %d", name, seed)
		}
	}
}
