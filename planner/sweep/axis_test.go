package sweep_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/sweep"
)

func TestParseRanges(t *testing.T) {
	for text, want := range map[string][]sweep.Range{
		"n=5":                           {{Param: "n", Min: 5, Max: 5, Step: 1}},
		"n=0x10:20":                     {{Param: "n", Min: 16, Max: 20, Step: 1}},
		"n=1:10:4":                      {{Param: "n", Min: 1, Max: 10, Step: 4}},
		"n=0:18446744073709551615:1000": {{Param: "n", Min: 0, Max: 1<<64 - 1, Step: 1000}},
		"n=7,1:10:4":                    {{Param: "n", Min: 7, Max: 7, Step: 1}, {Param: "n", Min: 1, Max: 10, Step: 4}},
	} {
		got, err := sweep.ParseRanges(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
	}
	for _, text := range []string{"", "n", "n=", "=5", "n=1:2:3:4", "n=5:4", "n=1:5:0", "n=-1", "n=1:", "n=:1", "n=18446744073709551616", "n=1,", "n=,1", "n=1,,2", "n=1, 2", "n=1::2", "n\x1b[2J=1"} {
		_, err := sweep.ParseRanges(text)
		require.Error(t, err, text)
	}
}

// A grid that is too large is refused with its exact size, and nothing of it is made.
func TestHugeGrids(t *testing.T) {
	for _, c := range []struct {
		rows   string
		ranges []string
	}{
		{"9223372036854775808", []string{"n=1:9223372036854775808"}},
		{"18446744073709551616", []string{"n=0:18446744073709551615"}},
		{"36893488147419103232", []string{"n=0:18446744073709551615", "n=0:18446744073709551615"}},
		{"340282366920938463463374607431768211456", []string{"n=0:18446744073709551615", "k=0:18446744073709551615"}},
		{"1048577", []string{"n=0:1048576"}},
	} {
		_, err := sweep.NewWork("", []sweep.File{{Path: "f", Data: []byte(small)}}, ranges(t, c.ranges...))
		var size *sweep.SizeError
		require.True(t, errors.As(err, &size), "%v", c.ranges)
		require.Contains(t, err.Error(), "the grid has "+c.rows+" rows")
	}
	require.Equal(t, sweep.MaxRows, work(t, "n=0:1048575").Rows())
	require.Equal(t, 2, work(t, "n=0:18446744073709551615:18446744073709551615").Rows())
}

// Overlapping ranges of one parameter are united: each value once, ascending.
func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		var want []uint64
		for range rapid.IntRange(1, 4).Draw(t, "ranges") {
			low := rapid.Uint64Range(1, 30).Draw(t, "min")
			high := low + rapid.Uint64Range(0, 30).Draw(t, "more")
			step := rapid.Uint64Range(1, 9).Draw(t, "step")
			texts = append(texts, fmt.Sprintf("k=%d:%d:%d", low, high, step))
			for v := low; v <= high; v += step {
				want = append(want, v)
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		var parsed []sweep.Range
		for _, text := range texts {
			r, err := sweep.ParseRanges(text)
			require.NoError(t, err)
			parsed = append(parsed, r...)
		}
		w, err := sweep.NewWork("", []sweep.File{{Path: "f", Data: []byte(small)}}, parsed)
		require.NoError(t, err)
		require.Equal(t, len(want), w.Rows())
		rows, _, err := w.Run(t.Context(), sweep.Options{Jobs: 1})
		require.NoError(t, err)
		for i, r := range rows {
			require.Equal(t, sweep.Values{{Param: "k", Value: want[i]}}, r.Params)
		}
	})
}
