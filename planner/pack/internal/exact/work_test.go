package exact_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
)

// stacked is tiles that are all in some sections, even or not.
func stacked(tiles, sections int, uneven uint64) *exact.Problem {
	p := &exact.Problem{Tiles: make([]exact.Tile, tiles), Ordered: sections, Sections: sections}
	for i := range p.Tiles {
		tile := &p.Tiles[i]
		*tile = exact.Tile{Size: 2 + uneven, Top: 2 + uneven, Align: 1, Fixed: exact.Free}
		for k := range sections {
			tile.Uses = append(tile.Uses, exact.Use{Section: int32(k), Height: 2})
		}
		tile.Uses[0].Height += uneven
	}
	return p
}

// The lists of a graph have a budget, look at the context, and have an end. What they
// take is known where they are given up, too.
func TestGraphIsLimited(t *testing.T) {
	for _, uneven := range []uint64{0, 1} {
		p := stacked(300, 40, uneven)
		g, all := exact.NewGraph(t.Context(), p, math.MaxUint64)
		require.NotNil(t, g)
		g, spent := exact.NewGraph(t.Context(), p, all)
		require.NotNil(t, g)
		require.Equal(t, all, spent)
		for _, most := range []uint64{0, all / 3, all - 1} {
			g, spent = exact.NewGraph(t.Context(), p, most)
			require.Nil(t, g)
			require.Greater(t, spent, most)
			require.LessOrEqual(t, spent, all)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		g, spent = exact.NewGraph(ctx, p, math.MaxUint64)
		require.Nil(t, g)
		require.Less(t, spent, all)

		g, _ = exact.NewGraph(t.Context(), stacked(3000, 1, uneven), math.MaxUint64)
		require.Nil(t, g, "9 millions of links")
	}
}

// A search ends where its work is spent, whatever a node of it costs.
func TestWorkOfASearch(t *testing.T) {
	plain, _ := packtest.Tiles(t, generate.Random(generate.Dense, 200, 3))
	many, _ := packtest.Tiles(t, generate.Random(generate.Dense, 200, 3))
	for i := range many.Tiles[1:] {
		for range 50 {
			for _, tile := range []*exact.Tile{&many.Tiles[i], &many.Tiles[i+1]} {
				tile.Uses = append(tile.Uses, exact.Use{Section: int32(many.Sections), Height: tile.Size})
			}
			many.Sections++
		}
	}
	for _, p := range []*exact.Problem{plain, many} {
		o := exact.Options{Nodes: 1 << 40, Order: orders()[0]}
		for _, total := range p.Totals() {
			o.Capacity = max(o.Capacity, total)
		}
		s := exact.NewSearcher(graph(t, p))
		for _, o.Work = range []uint64{1, 1_000_000, 4_000_000} {
			r := s.Search(t.Context(), o)
			require.Equal(t, exact.OutOfBudget, r.Outcome)
			require.GreaterOrEqual(t, r.Work, o.Work)
			require.LessOrEqual(t, r.Work, o.Work+1_000_000)
		}
	}
}
