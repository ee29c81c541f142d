package generate_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

type generator func(n, width, height int, seed uint64) (generate.Perfect, error)

// requirePerfect sweeps over time with the live tiles sorted by offset: at every
// step they stand on each other without a gap from 0 up to the height.
func requirePerfect(t require.TestingT, p generate.Perfect, n, width, height int) {
	buffers := p.Problem.Buffers
	require.Len(t, buffers, n)
	require.Len(t, p.Offsets, n)
	require.EqualValues(t, height, p.Height)
	var area uint64
	events := make([]uint64, 0, 2*n)
	order := make([]int, n)
	for i, b := range buffers {
		require.True(t, b.First < b.End && b.End <= uint64(width), "lifetime of %v", b)
		require.True(t, b.Size > 0 && p.Offsets[i]+b.Size <= p.Height, "place of %v", b)
		require.EqualValues(t, 1, b.Align)
		area += b.Size * uint64(b.End-b.First)
		events = append(events, b.First, b.End)
		order[i] = i
	}
	require.Equal(t, uint64(width)*uint64(height), area)
	slices.Sort(events)
	events = slices.Compact(events)
	require.Equal(t, []uint64{0, uint64(width)}, []uint64{events[0], events[len(events)-1]})
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(buffers[i].First, buffers[j].First) })
	var live []int
	for _, step := range events[:len(events)-1] {
		live = slices.DeleteFunc(live, func(i int) bool { return buffers[i].End <= step })
		for len(order) > 0 && buffers[order[0]].First == step {
			live = append(live, order[0])
			order = order[1:]
		}
		slices.SortFunc(live, func(i, j int) int { return cmp.Compare(p.Offsets[i], p.Offsets[j]) })
		var top uint64
		for _, i := range live {
			require.Equal(t, top, p.Offsets[i], "a gap or an overlap at step %d", step)
			top += buffers[i].Size
		}
		require.Equal(t, p.Height, top)
	}
	bound, err := pack.LowerBound(p.Problem)
	require.NoError(t, err)
	require.Equal(t, p.Height, bound.Bytes)
}

// straight says whether the packing has a guillotine cut across time or across
// bytes: a place inside that no tile covers on both sides.
func straight(p generate.Perfect, width int) (acrossTime, acrossBytes bool) {
	var times, bytes [][2]uint64
	for i, b := range p.Problem.Buffers {
		times = append(times, [2]uint64{b.First, b.End})
		bytes = append(bytes, [2]uint64{p.Offsets[i], p.Offsets[i] + b.Size})
	}
	open := func(ranges [][2]uint64, side uint64) bool {
		slices.SortFunc(ranges, func(a, b [2]uint64) int { return cmp.Compare(a[0], b[0]) })
		var end uint64
		for _, r := range ranges {
			if r[0] > 0 && r[0] >= end {
				return true
			}
			end = max(end, r[1])
		}
		return end < side
	}
	return open(times, uint64(width)), open(bytes, p.Height)
}

func TestPerfectPackings(t *testing.T) {
	for _, tc := range []struct{ n, width, height int }{
		{1, 1, 1},
		{5, 3, 3},
		{101, generate.FineWidth, generate.FineHeight},
		{1001, generate.FineWidth, generate.FineHeight},
		{1001, generate.CoarseSide, generate.CoarseSide},
		{10001, generate.CoarseSide, generate.CoarseSide},
		{9, 3037000499, 3037000499}, // just below 2^63 cells
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%d in %dx%d seed %d", tc.n, tc.width, tc.height, seed), func(t *testing.T) {
				p, err := generate.Pinwheel(tc.n, tc.width, tc.height, seed)
				require.NoError(t, err)
				requirePerfect(t, p, tc.n, tc.width, tc.height)
				time, bytes := straight(p, tc.width)
				require.False(t, time || bytes, "a pinwheel has no straight cut")
				p, err = generate.Guillotine(tc.n, tc.width, tc.height, seed)
				require.NoError(t, err)
				requirePerfect(t, p, tc.n, tc.width, tc.height)
				time, bytes = straight(p, tc.width)
				require.Equal(t, tc.n > 1, time || bytes, "a guillotine packing has one")
			})
		}
	}
}

func TestAnyGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		width, height := rapid.IntRange(1, 40).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")
		seed := rapid.Uint64().Draw(t, "seed")
		p, err := generate.Guillotine(n, width, height, seed)
		if n > width*height {
			require.ErrorIs(t, err, generate.ErrGrid)
		} else {
			require.NoError(t, err)
			requirePerfect(t, p, n, width, height)
		}
		p, err = generate.Pinwheel(n, width, height, seed)
		switch side := min(width, height); {
		case n%4 != 1:
			require.ErrorIs(t, err, generate.ErrCount)
		case err != nil:
			require.ErrorIs(t, err, generate.ErrGrid)
			require.Less(t, side*side, 16*n, "the sides that suffice")
		default:
			requirePerfect(t, p, n, width, height)
		}
	})
}

// Cuts at the same place are rare on the fine grid and the rule on the coarse.
func TestGrids(t *testing.T) {
	distinct := func(width, height int) float64 {
		p, err := generate.Pinwheel(10001, width, height, 1)
		require.NoError(t, err)
		starts := map[uint64]bool{}
		for _, b := range p.Problem.Buffers {
			starts[b.First] = true
		}
		return float64(len(starts)) / 5001 // each pinwheel adds two
	}
	require.Greater(t, distinct(generate.FineWidth, generate.FineHeight), 0.99)
	require.Less(t, distinct(generate.CoarseSide, generate.CoarseSide), 0.5)
}

func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name             string
		make             generator
		n, width, height int
		err              error
		text             string
	}{
		{"four", generate.Pinwheel, 4, 9, 9, generate.ErrCount, "no perfect packing of that many tiles: 4, not 4k+1"},
		{"minus three", generate.Pinwheel, -3, 9, 9, generate.ErrCount, "-3, not 4k+1"},
		{"none", generate.Guillotine, 0, 9, 9, generate.ErrCount, "0, not 1 or more"},
		{"flat pinwheel", generate.Pinwheel, 5, 1000, 2, generate.ErrGrid, "the grid does not hold the tiles: 1000 x 2 stops at 1 of 5 tiles"},
		{"narrow pinwheel", generate.Pinwheel, 5, 2, 1000, generate.ErrGrid, "2 x 1000 stops at 1 of 5 tiles"},
		{"second pinwheel", generate.Pinwheel, 9, 3, 3, generate.ErrGrid, "3 x 3 stops at 5 of 9 tiles"},
		{"one cell too few", generate.Guillotine, 10, 3, 3, generate.ErrGrid, "3 x 3 stops at 9 of 10 tiles"},
		{"huge count", generate.Guillotine, math.MaxInt, 3, 3, generate.ErrGrid, "stops at 9"},
		{"no time", generate.Guillotine, 1, 0, 3, generate.ErrGrid, "0 x 3 stops at 0 of 1 tiles"},
		{"negative", generate.Pinwheel, 1, -3, -3, generate.ErrGrid, "-3 x -3"},
		{"area of 2^63", generate.Guillotine, 2, 1 << 31, 1 << 32, generate.ErrGrid, "stops at 0"},
		{"area of 2^66", generate.Pinwheel, 5, 1 << 33, 1 << 33, generate.ErrGrid, "stops at 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := tc.make(tc.n, tc.width, tc.height, 1)
			require.ErrorIs(t, err, tc.err)
			require.ErrorContains(t, err, tc.text)
			require.Zero(t, p)
		})
	}
	var count *generate.CountError
	_, err := generate.Pinwheel(7, 9, 9, 1)
	require.ErrorAs(t, err, &count)
	require.Equal(t, 7, count.Tiles)
	var grid *generate.GridError
	_, err = generate.Guillotine(10, 3, 3, 1)
	require.ErrorAs(t, err, &grid)
	require.Equal(t, generate.GridError{Width: 3, Height: 3, Tiles: 10, Made: 9}, *grid)
}
