package kernel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/internal/kernel"
)

// permutations calls f with each order of some leaves.
func permutations(leaves []int32, f func([]int32)) {
	var rest func(int)
	rest = func(n int) {
		if n == len(leaves) {
			f(leaves)
			return
		}
		for i := n; i < len(leaves); i++ {
			leaves[n], leaves[i] = leaves[i], leaves[n]
			rest(n + 1)
			leaves[n], leaves[i] = leaves[i], leaves[n]
		}
	}
	leaves = slices.Clone(leaves)
	rest(0)
}

// adjacent returns where some leaves are in an order, if they are adjacent there.
func adjacent(order, leaves []int32) (at int, ok bool) {
	at = slices.IndexFunc(order, func(l int32) bool { return slices.Contains(leaves, l) })
	for _, l := range order[at : at+min(len(leaves), len(order)-at)] {
		if !slices.Contains(leaves, l) {
			return 0, false
		}
	}
	return at, at+len(leaves) <= len(order)
}

// A tree is compared with the list of all orders, through several replacements.
func TestTreesAreTheirOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leaves := []int32{0, 1, 2, 3, 4, 5}[:rapid.IntRange(1, 6).Draw(t, "leaves")]
		next := int32(6)
		tree := kernel.NewTree(leaves...)
		orders := map[string][]int32{}
		add := func(to map[string][]int32, o []int32) {
			key := make([]byte, len(o))
			for i, l := range o {
				key[i] = byte(l)
			}
			to[string(key)] = slices.Clone(o)
		}
		permutations(leaves, func(o []int32) { add(orders, o) })
		for range rapid.IntRange(1, 5).Draw(t, "steps") {
			leave := slices.Clone(rapid.Permutation(leaves).Draw(t, "leave")[:rapid.IntRange(1, len(leaves)).Draw(t, "n")])
			n := rapid.IntRange(1, max(1, min(3, 7+len(leave)-len(leaves)))).Draw(t, "come")
			var come []int32
			for range n {
				come = append(come, next)
				next++
			}
			after := map[string][]int32{}
			with := 0 // orders that have the leaving ones adjacent
			always := true
			for _, o := range orders {
				at, ok := adjacent(o, leave)
				if !ok {
					always = false
					continue
				}
				with++
				permutations(come, func(c []int32) { add(after, slices.Concat(o[:at], c, o[at+len(leave):])) })
			}
			blocks := tree.Blocks(leave)
			require.Equal(t, always, len(blocks) == 1)
			got, lost, ok := tree.Replace(leave, come)
			require.Equal(t, len(after) > 0, ok)
			if !ok {
				return
			}
			require.InDelta(t, math.Log2(float64(len(after))), float64(got.Weight())/65536, 1e-3)
			permuted := 1
			for i := range come {
				permuted *= i + 1
			}
			require.InDelta(t, math.Log2(float64(with*permuted)/float64(len(after))), float64(lost)/65536, 1e-3)
			leaves = append(slices.DeleteFunc(slices.Clone(leaves), func(l int32) bool { return slices.Contains(leave, l) }), come...)
			if len(leaves) <= 6 {
				permutations(leaves, func(o []int32) {
					key := make([]byte, len(o))
					for i, l := range o {
						key[i] = byte(l)
					}
					_, want := after[string(key)]
					require.Equal(t, want, got.Has(o), "%v", o)
				})
			}
			tree, orders = got, after
		}
	})
}

// Equal sets of orders have equal hashes, however they came to be.
func TestTreesOfEqualOrdersHaveEqualHashes(t *testing.T) {
	build := func(steps ...[]int32) kernel.Tree {
		tree := kernel.NewTree(0, 1, 2, 3, 4)
		for _, s := range steps {
			// Two leave and come back as they are: they are adjacent from here on.
			after, _, ok := tree.Replace(s, []int32{s[0] + 10, s[1] + 10})
			require.True(t, ok)
			tree, _, ok = after.Replace([]int32{s[0] + 10, s[1] + 10}, []int32{s[0] + 20})
			require.True(t, ok)
		}
		return tree
	}
	require.Equal(t, build([]int32{0, 1}, []int32{2, 3}).Hash(), build([]int32{2, 3}, []int32{0, 1}).Hash())
	require.Equal(t, build([]int32{0, 1}).Hash(), build([]int32{0, 1}).Hash())
	require.NotEqual(t, build([]int32{0, 1}).Hash(), build([]int32{2, 3}).Hash())
}
