package hunt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
