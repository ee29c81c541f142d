package blockpool

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestIDRuns: pools that take turns keep few runs, and know their own ids.
func TestIDRuns(t *testing.T) {
	var a, b ids
	require.False(t, a.gave(1))
	last := make(map[*ids]ID)
	for i := range 3 << 14 {
		s := &a
		if i%3 == 0 {
			s = &b
		}
		id := s.give()
		require.Greater(t, id, last[s])
		last[s] = id
		require.True(t, s.gave(id))
		require.False(t, s.gave(id+1), "not yet")
		for _, o := range []*ids{&a, &b} {
			require.Equal(t, o == s, o.gave(id))
		}
	}
	require.Len(t, a.runs, 6) // 2^15 ids: 1 + 2 + 4 + 8 + 16 + 32 times 2^10
	require.Len(t, b.runs, 5)
	for i, r := range a.runs {
		require.EqualValues(t, firstRun<<i, r.end-r.first)
	}
	for len(a.runs) < 33 {
		a.next = a.runs[len(a.runs)-1].end
		a.give()
	}
	require.EqualValues(t, longestRun, a.runs[32].end-a.runs[32].first)
}

// TestTable compares the table with a map.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x table
		want := make(map[ID]*piece)
		var list []ID
		next := ID(rapid.Int64Range(1, 1<<50).Draw(t, "first"))
		step := ID(rapid.SampledFrom([]int64{1, 2, 64, 1 << 20}).Draw(t, "step"))
		for range rapid.IntRange(1, 400).Draw(t, "operations") {
			if rapid.IntRange(0, 4).Draw(t, "op") < 3 || len(list) == 0 {
				next += step
				e := new(piece)
				x.put(next, e)
				want[next] = e
				list = append(list, next)
			} else {
				i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
				x.remove(list[i])
				delete(want, list[i])
				list = append(list[:i], list[i+1:]...)
			}
			require.Equal(t, len(want), x.count)
			require.LessOrEqual(t, 2*(x.count-1), len(x.slots))
		}
		for id, e := range want {
			require.Same(t, e, x.get(id))
		}
		filled := 0
		for _, s := range x.slots {
			if s.id != 0 {
				filled++
			}
		}
		require.Equal(t, len(want), filled)
		require.Nil(t, x.get(0))
		require.Nil(t, x.get(-1))
		require.Nil(t, x.get(next+step))
	})
}
