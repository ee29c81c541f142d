package hunt

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
)

// A packing that is pushed down ends a height of tiles and fixed offsets above the
// ground, less what the capacity does not count of the topmost.
func TestGridOfTiles(t *testing.T) {
	tile := func(height, top, align, fixed uint64) exact.Tile {
		return exact.Tile{Uses: []exact.Use{{Height: height}}, Size: height, Top: top, Align: align, Fixed: fixed}
	}
	for _, tc := range []struct {
		tiles []exact.Tile
		grid  grid
	}{
		{nil, grid{step: 1}},
		{[]exact.Tile{tile(12, 12, 1, exact.Free), tile(18, 18, 2, exact.Free)}, grid{6, []uint64{0}}},
		{[]exact.Tile{tile(12, 12, 1, exact.Free), tile(18, 18, 4, exact.Free)}, grid{2, []uint64{0}}},
		{[]exact.Tile{tile(12, 12, 1, exact.Free), tile(18, 18, 1, 21)}, grid{3, []uint64{0}}},
		{[]exact.Tile{tile(8, 5, 8, exact.Free), tile(16, 16, 8, 24), tile(8, 1, 4, exact.Free)}, grid{8, []uint64{0, 1, 5}}},
	} {
		require.Equal(t, tc.grid, newGrid(&exact.Problem{Tiles: tc.tiles, Sections: 1, Ordered: 1}))
	}
}

func TestGrid(t *testing.T) {
	for _, g := range []grid{{1, []uint64{0}}, {6, []uint64{0}}, {8, []uint64{3}}, {10, []uint64{0, 1, 7}}} {
		possible := func(v uint64) bool {
			for _, r := range g.rests {
				if v%g.step == r {
					return true
				}
			}
			return false
		}
		for v := range uint64(100) {
			from := g.from(v)
			require.True(t, possible(from) && from >= v)
			for w := v; w < from; w++ {
				require.False(t, possible(w), "%v: %d is from %d", g, w, v)
			}
			require.Equal(t, g.from(v+1), g.above(v))
			if below := g.below(v + g.step + 1); true {
				require.True(t, possible(below) && below <= v+g.step)
				require.Greater(t, g.above(below), v+g.step)
			}
		}
	}
}

func TestLuby(t *testing.T) {
	var got []uint64
	for i := range uint64(15) {
		got = append(got, luby(i+1))
	}
	require.Equal(t, []uint64{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}, got)
}
