package report_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// packed sums up what the packing problem of a pool has in use, step by step.
func packed(p *planner.Plan, scope sequences.Scope) []sequences.Bytes {
	problem := &p.Packings[scope]
	storage := make([]int, len(problem.Buffers))
	for n := range storage {
		storage[n] = n
	}
	for _, group := range problem.InPlace {
		for _, n := range group {
			storage[n] = group[0]
		}
	}
	out := make([]sequences.Bytes, len(p.Steps))
	for s := range out {
		most := make([]uint64, len(problem.Buffers))
		for n := range problem.Buffers {
			low, high := inUse(&problem.Buffers[n], uint64(s))
			most[storage[n]] = max(most[storage[n]], high-low)
		}
		for _, m := range most {
			out[s] += sequences.Bytes(m)
		}
	}
	return out
}

// ownSizes reports whether no buffer of a pool has been packed as large as one that takes
// over its storage.
func ownSizes(seq *sequences.Sequence, p *planner.Plan, scope sequences.Scope) bool {
	align := seq.Scope(scope).Align
	for i, b := range p.Buffers {
		if n := p.Packings[scope].Of[i]; n >= 0 && sequences.Bytes(p.Packings[scope].Buffers[n].Size) != (b.Max+align-1)/align*align {
			return false
		}
	}
	return true
}

// What is live is what the packer sees in use, and its peak is the lower bound.
func TestLive(t *testing.T) {
	bounds, same, lent, shared := 0, 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := randseq.Small(r)
		if seed%2 == 0 {
			c = randseq.Streams(r)
		}
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
		if err != nil {
			continue
		}
		for _, b := range p.Buffers {
			if b.Class == planner.Static {
				lent += len(b.Lent)
				shared += min(1, len(b.InPlaceOf))
			}
		}
		var data bytes.Buffer
		require.NoError(t, p.WriteJSON(&data))
		read, err := planner.ReadPlan(&data)
		require.NoError(t, err)
		for scope, pool := range p.Pools {
			live := report.Live(p, sequences.Scope(scope))
			require.Equal(t, live, report.Live(read, sequences.Scope(scope)), "seed %d, %s", seed, pool.Scope)
			if ownSizes(seq, p, pool.Scope) {
				require.Equal(t, packed(p, sequences.Scope(scope)), live, "seed %d, %s", seed, pool.Scope)
				same++
			}
			if pool.BoundBy == "" && len(live) > 0 {
				require.Equal(t, pool.LowerBound, slices.Max(live))
				require.Equal(t, pool.LowerBound, live[pool.PeakStep])
				bounds++
			}
		}
	}
	t.Log(bounds, same, lent, shared)
	require.Greater(t, bounds, 100)
	require.Greater(t, same, 200)
	require.Greater(t, lent, 50)
	require.Greater(t, shared, 50)
}
