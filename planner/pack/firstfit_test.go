package pack_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// First fit knows every feature, of few buffers and of many.
func TestFirstFitOfChains(t *testing.T) {
	for seed := range uint64(60) {
		p, height := chain(seed, 1+2*seed)
		for order := pack.BySize; order <= pack.ByStart; order++ {
			r, err := pack.FirstFit{Order: order}.Pack(t.Context(), p)
			require.NoError(t, err)
			require.NoError(t, audit.Check(p, r), "seed %d", seed)
			require.LessOrEqual(t, r.Bound.Bytes, height, "seed %d", seed)
		}
	}
}

// What first fit places could not lie lower.
func TestFirstFitLeavesNoRoom(t *testing.T) {
	for seed := range uint64(600) {
		p := generate.TinyMixed(seed)
		p.Capacity, p.InPlace = nil, nil
		r, err := pack.FirstFit{Order: pack.Order(seed % 4)}.Pack(t.Context(), p)
		require.NoError(t, err)
		for i, offset := range r.Offsets {
			b := &p.Buffers[i]
			if b.Offset != nil {
				continue
			}
			for at := uint64(0); at < offset; at += b.Align {
				moved := r
				moved.Offsets, moved.Status = slices.Clone(r.Offsets), pack.Feasible
				moved.Offsets[i], moved.Height = at, 0
				for k, o := range moved.Offsets {
					moved.Height = max(moved.Height, o+p.Buffers[k].Size)
				}
				require.Error(t, audit.Check(p, moved), "seed %d: buffer %d at %d, not %d: %+v", seed, i, at, offset, p)
			}
		}
	}
}
