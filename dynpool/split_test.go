package dynpool_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool"
)

// Each event runs with success exactly once, in order, or is noted.
func TestSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 12), 0, 60).Draw(t, "sizes")
		capacity := rapid.IntRange(0, 40).Draw(t, "capacity")
		next, runs, fits := uint64(0), 0, uint64(0)
		stats, err := dynpool.Split(uint64(len(sizes)), func(first, count uint64) error {
			runs++
			require.Equal(t, next, first, "out of order")
			require.Positive(t, count)
			need := 0
			for _, s := range sizes[first : first+count] {
				need += s
			}
			if need > capacity {
				if count == 1 {
					next++ // it will be noted
				}
				return fmt.Errorf("event %d: %w", first, dynpool.ErrExhausted)
			}
			next += count
			fits += count
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, uint64(len(sizes)), next)
		require.Equal(t, fits, stats.Events)
		require.Equal(t, runs, stats.Runs)
		var large []uint64
		for i, s := range sizes {
			if s > capacity {
				large = append(large, uint64(i))
			}
		}
		var noted []uint64
		for _, u := range stats.Unfit {
			noted = append(noted, u.Event)
			require.ErrorIs(t, u.Err, dynpool.ErrExhausted)
			require.ErrorContains(t, u.Err, fmt.Sprintf("event %d:", u.Event))
		}
		require.Equal(t, large, noted)
		if len(sizes) > 0 {
			require.Equal(t, 2*stats.Splits+1, runs, "each split makes two runs of one")
		}
	})
}

func TestSplitEnds(t *testing.T) {
	other := errors.New("other")
	for _, err := range []error{other, dynpool.ErrCount, dynpool.ErrArithmetic, dynpool.ErrProgram} {
		var ran []uint64
		stats, got := dynpool.Split(8, func(first, count uint64) error {
			ran = append(ran, count)
			switch {
			case count > 2:
				return dynpool.ErrExhausted
			case first == 2:
				return err
			}
			return nil
		})
		require.Equal(t, err, got)
		require.Equal(t, []uint64{8, 4, 2, 2}, ran, "nothing runs after it")
		require.Equal(t, dynpool.SplitStats{Runs: 4, Events: 2, Splits: 2}, stats)
	}
}

func TestSplitOn(t *testing.T) {
	stats, err := dynpool.Split(4, func(first, count uint64) error {
		if first <= 2 && 2 < first+count {
			return dynpool.ErrCount
		}
		return nil
	}, dynpool.SplitOn(func(err error) bool { return errors.Is(err, dynpool.ErrCount) }))
	require.NoError(t, err)
	require.Equal(t, dynpool.SplitStats{
		Runs: 5, Events: 3, Splits: 2, Unfit: []dynpool.Unfit{{Event: 2, Err: dynpool.ErrCount}},
	}, stats)
}

// The largest number of events: the depth is that of its bits.
func TestSplitDepth(t *testing.T) {
	stop := errors.New("stop")
	runs := 0
	stats, err := dynpool.Split(^uint64(0), func(first, count uint64) error {
		runs++
		require.LessOrEqual(t, count, ^uint64(0)-first)
		if count == 1 {
			return stop
		}
		return dynpool.ErrExhausted
	})
	require.Equal(t, stop, err)
	require.Equal(t, 65, runs)
	require.Equal(t, 64, stats.Splits)
}

func TestSplitStatsAdd(t *testing.T) {
	a := dynpool.SplitStats{Runs: 1, Events: 2, Splits: 3, Unfit: []dynpool.Unfit{{Event: 4}}}
	a.Add(dynpool.SplitStats{Runs: 10, Events: 20, Splits: 30, Unfit: []dynpool.Unfit{{Event: 40}}})
	require.Equal(t, dynpool.SplitStats{
		Runs: 11, Events: 22, Splits: 33, Unfit: []dynpool.Unfit{{Event: 4}, {Event: 40}},
	}, a)
}

// Batches on a pool that is too small: the pool and Split together.
func TestSplitBatches(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(2048))
	perEvent := []uint32{50, 100, 10, 600, 90, 200, 0, 40}
	var done []uint64
	stats, err := dynpool.Split(uint64(len(perEvent)), func(first, count uint64) error {
		sum := uint32(0)
		for _, n := range perEvent[first : first+count] {
			sum += n
		}
		_, _, err := r.batch(count, sum, 20)
		if err == nil {
			for i := range count {
				done = append(done, first+i)
			}
		}
		return err
	}, dynpool.SplitOn(func(err error) bool {
		return errors.Is(err, dynpool.ErrExhausted) || errors.Is(err, dynpool.ErrCount)
	}))
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 1, 2, 4, 5, 6, 7}, done)
	require.Len(t, stats.Unfit, 1)
	var full *dynpool.ExhaustedError
	require.ErrorAs(t, stats.Unfit[0].Err, &full)
	require.Equal(t, "hits", full.Buffer)
	require.Equal(t, uint64(2560), full.Wanted)
	r.close()
}

// A batch size that starts at 5: nothing smaller runs, and no event is lost.
func TestSplitMin(t *testing.T) {
	var ranges [][2]uint64
	stats, err := dynpool.Split(23, func(first, count uint64) error {
		ranges = append(ranges, [2]uint64{first, count})
		require.GreaterOrEqual(t, count, uint64(5))
		if first < 12 {
			return dynpool.ErrExhausted
		}
		return nil
	}, dynpool.SplitMin(5))
	require.NoError(t, err)
	require.Equal(t, [][2]uint64{{0, 23}, {0, 12}, {0, 6}, {6, 6}, {12, 11}}, ranges)
	require.Len(t, stats.Unfit, 12)
	require.EqualValues(t, 11, stats.Events)
}
