package mus_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/internal/mus"
)

func numbers(n int) []int {
	set := make([]int, n)
	for i := range set {
		set[i] = i
	}
	return set
}

// A set is infeasible if it contains one of some cores.
func TestMinimise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := numbers(rapid.IntRange(1, 40).Draw(t, "members"))
		core := rapid.SliceOfNDistinct(rapid.SampledFrom(set), 0, 6, rapid.ID)
		cores := append(rapid.SliceOfN(core, 0, 4).Draw(t, "cores"), set)
		contains := func(s, core []int) bool {
			return !slices.ContainsFunc(core, func(i int) bool { return !slices.Contains(s, i) })
		}
		infeasible := func(s []int) bool {
			return slices.ContainsFunc(cores, func(core []int) bool { return contains(s, core) })
		}
		blind := rapid.IntRange(0, 20).Draw(t, "blind") // a search that gives up on small sets
		asked := 0
		reduced, minimal := mus.Minimise(set, func(s []int) mus.Answer {
			asked++
			switch {
			case len(s) < blind:
				return mus.Unknown
			case infeasible(s):
				return mus.Infeasible
			}
			return mus.Feasible
		})
		require.Equal(t, numbers(len(set)), set, "the set is not changed")
		require.True(t, infeasible(reduced))
		require.True(t, slices.IsSorted(reduced))
		require.LessOrEqual(t, asked, 4*len(set))
		alone := true
		for i := range reduced {
			alone = alone && !infeasible(slices.Concat(reduced[:i], reduced[i+1:]))
		}
		require.True(t, alone || !minimal, "%v of %v is not minimal", reduced, cores)
		require.True(t, minimal || len(reduced)-1 < blind)
		require.True(t, minimal || len(reduced) > 0)
	})
}

func TestMinimiseAsksFewTimes(t *testing.T) {
	for _, core := range [][]int{{}, {0}, {999}, {500, 501}, {3, 400, 997}} {
		asked := 0
		reduced, minimal := mus.Minimise(numbers(1000), func(s []int) mus.Answer {
			asked++
			for _, i := range core {
				if !slices.Contains(s, i) {
					return mus.Feasible
				}
			}
			return mus.Infeasible
		})
		require.ElementsMatch(t, core, reduced)
		require.True(t, minimal)
		require.Less(t, asked, 80, "core %v", core)
	}
}
