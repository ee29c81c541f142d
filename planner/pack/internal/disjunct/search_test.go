package disjunct_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// requirePacking checks offsets against the definition of a problem.
func requirePacking(t require.TestingT, p disjunct.Problem, offsets []uint64, capacity uint64) {
	require.Len(t, offsets, len(p.Items))
	for i, it := range p.Items {
		require.Zero(t, offsets[i]%it.Align, "alignment of item %d", i)
		require.LessOrEqual(t, offsets[i]+it.Size, capacity, "end of item %d", i)
		require.True(t, it.Fixed == nil || *it.Fixed == offsets[i], "place of item %d", i)
	}
	for _, pair := range p.Pairs {
		difference := int64(offsets[pair.J]) - int64(offsets[pair.I])
		for _, r := range pair.Forbidden {
			require.False(t, r.Lo < difference && difference < r.Hi, "items %d and %d are at %d in %v", pair.I, pair.J, difference, r)
		}
	}
}

// work is a budget that is never spent where a test does not want it.
func work() *disjunct.Work { return disjunct.NewWork(context.Background(), 1<<34) }

func requireFound(t require.TestingT, p disjunct.Problem, capacity uint64) (nodes uint64) {
	offsets, outcome, nodes := disjunct.Search(work(), &p, capacity)
	require.Equal(t, disjunct.Found, outcome, "at %d", capacity)
	requirePacking(t, p, offsets, capacity)
	return nodes
}

func requireRefuted(t require.TestingT, p disjunct.Problem, capacity uint64) (nodes uint64) {
	offsets, outcome, nodes := disjunct.Search(work(), &p, capacity)
	require.Equal(t, disjunct.Refuted, outcome, "at %d", capacity)
	require.Nil(t, offsets)
	return nodes
}

// maxSearched is the nodes of the test below. A change that needs fewer lowers it.
const maxSearched = 27685

func TestAgainstExhaustiveSearch(t *testing.T) {
	searched, above := 0, 0
	for seed := range uint64(20000) {
		p := generate.TinyMixed(seed)
		height, feasible := oracle.Optimum(p)
		d, _, ok := convert(p)
		if !ok {
			require.False(t, feasible, "seed %d", seed)
			continue
		}
		if !feasible {
			requireRefuted(t, d, 200)
			continue
		}
		searched += int(requireFound(t, d, height))
		if height > 0 {
			searched += int(requireRefuted(t, d, height-1))
		}
		bound := d.Bound(work())
		require.LessOrEqual(t, bound, height, "seed %d", seed)
		for _, s := range d.Sections {
			var live uint64
			for _, part := range s.Parts {
				live += part.High - part.Low
			}
			require.LessOrEqual(t, live, bound, "seed %d", seed)
		}
		if bound < height {
			above++
		}
		if seed%8 > 0 {
			continue
		}
		best := disjunct.Minimise(work(), &d, 0, height+seed%5)
		require.True(t, best.Optimal(), "seed %d", seed)
		require.Equal(t, height, best.Upper, "seed %d", seed)
		require.Equal(t, seed%5 > 0, best.Offsets != nil, "seed %d", seed)
		if best.Offsets != nil {
			requirePacking(t, d, best.Offsets, height)
		}
		d = disjunct.Problem{Items: d.Items, Pairs: d.Pairs}
		requireFound(t, d, height)
		if height > 0 {
			requireRefuted(t, d, height-1)
		}
		scaled := scale(d, 1<<54)
		requireFound(t, scaled, height<<54)
		if height > 0 {
			requireRefuted(t, scaled, height<<54-1)
		}
	}
	t.Logf("%d nodes; the bound is too low %d times", searched, above)
	// Every rule of propagation saves nodes: without one of them it is more.
	require.Greater(t, searched, 20000)
	require.LessOrEqual(t, searched, maxSearched)
	require.Greater(t, above, 1000)
}

// scale multiplies all bytes, so that sums come close to Limit.
func scale(p disjunct.Problem, by uint64) disjunct.Problem {
	q := disjunct.Problem{Items: make([]disjunct.Item, len(p.Items)), Pairs: make([]disjunct.Pair, len(p.Pairs))}
	for i, it := range p.Items {
		it.Size, it.Align = it.Size*by, it.Align*by
		if it.Fixed != nil {
			at := *it.Fixed * by
			it.Fixed = &at
		}
		q.Items[i] = it
	}
	for k, pair := range p.Pairs {
		ranges := make([]shape.Range, len(pair.Forbidden))
		for f, r := range pair.Forbidden {
			ranges[f] = shape.Range{Lo: r.Lo * int64(by), Hi: r.Hi * int64(by)}
		}
		q.Pairs[k] = disjunct.Pair{I: pair.I, J: pair.J, Forbidden: ranges}
	}
	for _, s := range p.Sections {
		parts := make([]shape.Part, len(s.Parts))
		for k, part := range s.Parts {
			parts[k] = shape.Part{Item: part.Item, Low: part.Low * by, High: part.High * by}
		}
		q.Sections = append(q.Sections, shape.Section{First: s.First, End: s.End, Parts: parts})
	}
	return q
}

// atLeast says that an item lies at least so many bytes after another one.
func atLeast(from, to int, difference int64) disjunct.Pair {
	return disjunct.Pair{I: from, J: to, Forbidden: []shape.Range{{Lo: -disjunct.Limit, Hi: difference}}}
}

// Differences alone need no search, and no capacity may make them slow.
func TestDifferences(t *testing.T) {
	const n = 5
	infeasible := 0
	rapid.Check(t, func(t *rapid.T) {
		p := disjunct.Problem{Items: make([]disjunct.Item, n)}
		for i := range p.Items {
			p.Items[i] = disjunct.Item{Size: 1, Align: 1 << rapid.IntRange(0, 3).Draw(t, "align")}
		}
		for i := range n {
			for j := range i {
				switch d := rapid.Int64Range(-9, 5).Draw(t, "difference"); rapid.IntRange(0, 2).Draw(t, "from") {
				case 0:
					p.Pairs = append(p.Pairs, atLeast(i, j, d))
				case 1:
					p.Pairs = append(p.Pairs, atLeast(j, i, d))
				}
			}
		}
		// Without a cycle that rises, no offset is above the sum of all steps up.
		if fixpoint(p, n*(5+8)) {
			require.Zero(t, requireFound(t, p, 1<<60))
		} else {
			require.Zero(t, requireRefuted(t, p, 1<<60))
			infeasible++
		}
	})
	require.NotZero(t, infeasible)
}

// The first item is in a cycle that raises it once, up to one above a multiple of the
// alignment, whenever it is at a multiple. And it is raised to many multiples, one
// after the other, for other causes. Some more items may lie below or above it.
func TestCyclesThatEnd(t *testing.T) {
	const causes = 20
	item := disjunct.Item{Size: 1, Align: 1}
	p := disjunct.Problem{
		Items: []disjunct.Item{item, {Size: 1, Align: 8}},
		Pairs: []disjunct.Pair{{I: 0, J: 1, Forbidden: []shape.Range{{Lo: -disjunct.Limit, Hi: 1}, {Lo: 7, Hi: disjunct.Limit}}}},
	}
	for k := range causes {
		p.Pairs = append(p.Pairs, atLeast(len(p.Items), 0, 8*int64(k+1)))
		p.Items = append(p.Items, disjunct.Item{Size: 1, Align: 1, Fixed: at(0)})
	}
	last := 0
	for range 4 {
		p.Pairs = append(p.Pairs, disjunct.Pair{I: last, J: len(p.Items), Forbidden: []shape.Range{{Lo: -1, Hi: 1}}})
		last = len(p.Items)
		p.Items = append(p.Items, item)
	}
	requireFound(t, p, 8*causes+9)
	requireRefuted(t, p, 8*causes+8)
}

func TestFencesFromBothSides(t *testing.T) {
	p := disjunct.Problem{
		Items: []disjunct.Item{{Size: 1, Align: 1}, {Size: 1, Align: 1, Fixed: at(10)}},
		Pairs: []disjunct.Pair{{I: 0, J: 1, Forbidden: []shape.Range{{Lo: -5, Hi: 3}, {Lo: 7, Hi: 20}}}},
	}
	require.Zero(t, requireFound(t, p, 20))
	p.Pairs[0] = disjunct.Pair{I: 1, J: 0, Forbidden: []shape.Range{{Lo: -20, Hi: -7}, {Lo: -3, Hi: 5}}}
	require.Zero(t, requireFound(t, p, 20))
}

// fixpoint raises offsets as long as a difference asks for it, up to a limit.
func fixpoint(p disjunct.Problem, limit int64) bool {
	offsets := make([]int64, len(p.Items))
	for again := true; again; {
		again = false
		for _, pair := range p.Pairs {
			least := offsets[pair.I] + pair.Forbidden[0].Hi
			for offsets[pair.J] < least {
				offsets[pair.J] += int64(p.Items[pair.J].Align)
				again = true
			}
			if offsets[pair.J] > limit {
				return false
			}
		}
	}
	return true
}

func TestCyclesThatRiseByOneByte(t *testing.T) {
	item := disjunct.Item{Size: 1, Align: 1}
	even := disjunct.Item{Size: 1, Align: 2}
	around := []disjunct.Pair{atLeast(0, 1, 1), atLeast(1, 2, 0), atLeast(2, 0, 0)}
	requireRefuted(t, disjunct.Problem{Items: []disjunct.Item{item, item, item}, Pairs: around}, 1<<60)
	// A sum of 0 rises only if an alignment adds to it all the time.
	around = []disjunct.Pair{atLeast(0, 1, 1), atLeast(1, 2, 0), atLeast(2, 0, -1)}
	requireFound(t, disjunct.Problem{Items: []disjunct.Item{item, even, item}, Pairs: around}, 1<<60)
	requireRefuted(t, disjunct.Problem{Items: []disjunct.Item{even, item, even}, Pairs: around}, 1<<60)
}
