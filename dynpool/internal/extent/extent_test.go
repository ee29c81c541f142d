package extent_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool/internal/extent"
	"github.com/seqplan/seqplan/kernels"
)

type piece = extent.Extent[int]

// TestIndexAgainstList compares the index with a list that is searched from end to
// end.
func TestIndexAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quantum := rapid.SampledFrom([]uint64{1, 32, 256}).Draw(t, "quantum")
		size := rapid.OneOf(
			rapid.Uint64Range(1, 70), rapid.Uint64Range(1, 5000), rapid.Uint64Range(1, math.MaxUint64/quantum),
			rapid.Map(rapid.IntRange(0, 63), func(b int) uint64 { return 1 << b / quantum }),
		)
		x := extent.NewIndex[int](quantum)
		var all []*piece // the last one in comes first among equals
		for range rapid.IntRange(1, 80).Draw(t, "operations") {
			switch op := rapid.IntRange(0, 5).Draw(t, "op"); {
			case op < 3:
				e := &piece{Size: max(size.Draw(t, "size"), 1) * quantum}
				x.Insert(e)
				all = slices.Insert(all, 0, e)
			case op < 4 && len(all) > 0:
				i := rapid.IntRange(0, len(all)-1).Draw(t, "which")
				x.Remove(all[i])
				all = slices.Delete(all, i, i+1)
			default:
				want := size.Draw(t, "want") * quantum
				if rapid.Bool().Draw(t, "odd") {
					want -= min(want, rapid.Uint64Range(0, quantum-1).Draw(t, "less"))
				}
				require.Same(t, fit(all, want), x.Fit(want), "%d", want)
			}
			require.Equal(t, len(all), x.Len())
			checkOrder(t, x, all)
		}
		for _, e := range all {
			x.Remove(e)
		}
		require.Nil(t, x.Fit(0))
		require.Nil(t, x.Largest())
	})
}

func fit(all []*piece, want uint64) *piece {
	var best *piece
	for _, e := range all {
		if e.Size >= want && (best == nil || e.Size < best.Size) {
			best = e
		}
	}
	return best
}

// checkOrder walks through the index.
func checkOrder(t *rapid.T, x *extent.Index[int], all []*piece) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *piece) int { return cmp.Compare(a.Size, b.Size) })
	var walked []*piece
	for e := x.Fit(0); e != nil; e = x.After(e) {
		walked = append(walked, e)
	}
	require.True(t, slices.Equal(sorted, walked), "want %v, got %v", sorted, walked)
	if len(sorted) > 0 {
		require.Equal(t, sorted[len(sorted)-1].Size, x.Largest().Size)
	}
}

// TestIndexAllocatesNothing: a steady state needs no new nodes.
func TestIndexAllocatesNothing(t *testing.T) {
	x := extent.NewIndex[int](32)
	var all []*piece
	for i := range uint64(100) {
		all = append(all, &piece{Size: 32 + i*i*i*32})
	}
	round := func() {
		for _, e := range all {
			x.Insert(e)
		}
		for _, e := range all {
			x.Remove(e)
		}
	}
	round()
	require.Zero(t, testing.AllocsPerRun(10, round))
}

func TestSpace(t *testing.T) {
	var s extent.Space[string]
	b := s.Add(5000, 100)
	a := s.Add(1000, 200)
	require.Equal(t, []*extent.Region[string]{a.Region(), b.Region()}, s.Regions())
	require.True(t, a.Whole())
	a.Val = "a"
	mid := s.Split(a, 50)
	top := s.Split(mid, 30)
	require.Equal(t, []uint64{50, 30, 120}, []uint64{a.Size, mid.Size, top.Size})
	require.Equal(t, kernels.Addr(1080), top.Addr)
	require.Empty(t, mid.Val)
	require.Same(t, mid, a.Upper())
	require.Same(t, mid, top.Lower())
	require.Nil(t, top.Upper())
	require.False(t, a.Whole())
	for addr, want := range map[kernels.Addr]*extent.Extent[string]{
		999: nil, 1000: a, 1049: a, 1050: mid, 1080: top, 1199: top, 1200: nil, 4999: nil, 5000: b, 5099: b, 5100: nil,
	} {
		require.Same(t, want, s.At(addr), "%d", addr)
	}
	require.Panics(t, func() { s.Remove(a) })
	require.Panics(t, func() { s.Split(a, 50) })
	require.Panics(t, func() { s.Join(top) })
	s.Join(a)
	require.EqualValues(t, 80, a.Size)
	require.Same(t, a, top.Lower())
	s.Join(a)
	require.True(t, a.Whole())
	require.Equal(t, "a", a.Val)
	s.Remove(a)
	s.Remove(b)
	require.Empty(t, s.Regions())
	require.Nil(t, s.At(1000))
}

// TestWhole: an index counts the extents that are all of their region.
func TestWhole(t *testing.T) {
	var s extent.Space[int]
	x := extent.NewIndex[int](1)
	a, b := s.Add(1000, 100), s.Add(2000, 100)
	rest := s.Split(b, 40)
	for i, e := range []*piece{a, b, rest} {
		x.Insert(e)
		require.Equal(t, 1, x.Whole(), "%d", i)
	}
	x.Remove(b)
	require.Equal(t, 1, x.Whole())
	x.Remove(a)
	require.Zero(t, x.Whole())
	x.Remove(rest)
	s.Join(b)
	x.Insert(b)
	require.Equal(t, 1, x.Whole())
}
