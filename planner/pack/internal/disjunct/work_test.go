package disjunct_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// counted is a context that counts how often it is asked, and may be cancelled.
type counted struct {
	context.Context
	asked, most int
}

func (c *counted) Err() error {
	if c.asked++; c.asked > c.most {
		return context.Canceled
	}
	return nil
}

// lookEvery is the work between two looks at the context, and above that of any one
// thing.
const lookEvery = 1 << 20

// draw is a random number below n.
func draw(n uint64, key ...uint64) uint64 { return splitmix.Hash(key...) % n }

// many is items with one window each, most of them alive at once.
func many(n uint64) disjunct.Problem {
	var p pack.Problem
	for i := range n {
		first := draw(n, i)
		b := pack.Buffer{First: first, End: first + 10 + draw(n, i, 1), Size: 10 + draw(90, i, 2), Align: 1}
		b.Gaps = []pack.Gap{{First: first + 2, End: first + 5, Low: 3, High: 7}}
		p.Buffers = append(p.Buffers, b)
	}
	d, _, _ := convert(p)
	return d
}

// windows is items alive at once that change their windows all the time.
func windows(n, gaps uint64) disjunct.Problem {
	var p pack.Problem
	for i := range n {
		b := pack.Buffer{End: gaps * 1000, Size: 1000 + draw(8000, i), Align: 1}
		first := uint64(0)
		for k := range gaps {
			end := k*1000 + 1000
			if k < gaps-1 {
				end -= draw(900, i, k)
			}
			low := draw(b.Size, i, k, 1)
			b.Gaps = append(b.Gaps, pack.Gap{First: first, End: end, Low: low, High: min(b.Size, low+1+draw(b.Size/3, i, k, 2))})
			first = end
		}
		p.Buffers = append(p.Buffers, b)
	}
	d, _, _ := convert(p)
	return d
}

// shreds is items with very many forbidden ranges.
func shreds(n, ranges int) disjunct.Problem {
	var p disjunct.Problem
	for i := range n {
		p.Items = append(p.Items, disjunct.Item{Size: 1, Align: 1})
		for j := range i {
			pair := disjunct.Pair{I: j, J: i}
			for k := range ranges {
				at := int64(4 * (k - ranges/2))
				pair.Forbidden = append(pair.Forbidden, shape.Range{Lo: at - 2, Hi: at + 1})
			}
			p.Pairs = append(p.Pairs, pair)
		}
	}
	return p
}

// What is not counted shows as more nodes for the same work.
var hostile = map[string]struct {
	problem  func() disjunct.Problem
	capacity uint64 // where a search does not end
	nodes    uint64 // of a search with the work below
}{
	"many items":   {func() disjunct.Problem { return many(300) }, 10_000, 20},
	"many windows": {func() disjunct.Problem { return windows(30, 50) }, 42_000, 12},
	"many ranges":  {func() disjunct.Problem { return shreds(40, 1000) }, 40, 40},
}

const hostileWork = 40_000_000

func TestHostileShapesEnd(t *testing.T) {
	for name, tc := range hostile {
		t.Run(name, func(t *testing.T) {
			p := tc.problem()
			w := disjunct.NewWork(t.Context(), hostileWork)
			_, outcome, nodes := disjunct.Search(w, &p, tc.capacity)
			require.Equal(t, disjunct.Budget, outcome)
			require.LessOrEqual(t, w.Spent(), uint64(hostileWork+4*lookEvery))
			require.LessOrEqual(t, nodes, tc.nodes)

			p = tc.problem()
			w = disjunct.NewWork(t.Context(), hostileWork)
			best := disjunct.Minimise(w, &p, 0, 1<<40)
			require.LessOrEqual(t, w.Spent(), uint64(hostileWork+4*lookEvery))
			require.False(t, best.Optimal())

			ctx := &counted{Context: t.Context(), most: 3}
			p = tc.problem()
			w = disjunct.NewWork(ctx, 1<<60)
			_, outcome, _ = disjunct.Search(w, &p, tc.capacity)
			require.Equal(t, disjunct.Budget, outcome)
			require.LessOrEqual(t, w.Spent(), uint64(5*lookEvery), "three looks and what was begun")

			ctx = &counted{Context: t.Context()}
			p = tc.problem()
			w = disjunct.NewWork(ctx, 1<<60)
			best = disjunct.Minimise(w, &p, 7, 1<<40)
			require.Nil(t, best.Offsets)
			require.LessOrEqual(t, w.Spent(), uint64(2*lookEvery))
		})
	}
}

func TestCliquesStopGrowing(t *testing.T) {
	p := windows(30, 50)
	all := work()
	bound := p.Bound(all)
	for _, limit := range []uint64{0, 1000, 1_000_000} {
		p := windows(30, 50)
		w := disjunct.NewWork(t.Context(), limit)
		require.LessOrEqual(t, p.Bound(w), bound)
		require.LessOrEqual(t, w.Spent(), limit/4+10_000, "a quarter, and what was begun")
		w = disjunct.NewWork(t.Context(), limit)
		p.Bound(w)
		require.Zero(t, w.Spent(), "no more work than before")
		require.Equal(t, bound, p.Bound(work()), "grown again")
	}
	again := disjunct.NewWork(t.Context(), 1<<40)
	require.Equal(t, bound, p.Bound(again))
	require.Zero(t, again.Spent(), "grown once")
	p = windows(30, 50)
	w := disjunct.NewWork(&counted{Context: t.Context(), most: 1}, 1<<60)
	p.Bound(w)
	require.LessOrEqual(t, w.Spent(), uint64(2*lookEvery))
	require.Greater(t, all.Spent(), uint64(4*lookEvery))
}

// A lack of work is no contradiction. What all of it is says that each part counts.
func TestWorkEndsAnywhere(t *testing.T) {
	for name, tc := range map[string]struct {
		problem  disjunct.Problem
		capacity uint64
		outcome  disjunct.Outcome
		work     uint64
	}{
		"ring":    {ring(1), 2, disjunct.Refuted, 1484},
		"windows": {windows(4, 6), 9000, disjunct.Refuted, 5887},
		"cycle":   {cycle(), 1 << 60, disjunct.Refuted, 1695},
		"found":   {windows(4, 6), 20000, disjunct.Found, 13007},
	} {
		t.Run(name, func(t *testing.T) {
			p := tc.problem
			all := work()
			_, outcome, _ := disjunct.Search(all, &p, tc.capacity)
			require.Equal(t, tc.outcome, outcome)
			require.Equal(t, tc.work, all.Spent())
			for limit := range all.Spent() {
				p := tc.problem
				_, early, _ := disjunct.Search(disjunct.NewWork(t.Context(), limit), &p, tc.capacity)
				if early != disjunct.Budget {
					require.Equal(t, outcome, early, "within %d", limit)
				}
			}
		})
	}
}

func cycle() disjunct.Problem {
	item := disjunct.Item{Size: 1, Align: 1}
	around := []disjunct.Pair{atLeast(0, 1, 1), atLeast(1, 2, 0), atLeast(2, 0, 0)}
	return disjunct.Problem{Items: []disjunct.Item{item, item, item}, Pairs: around}
}

func TestTooManyWindows(t *testing.T) {
	const items, windows, each = 300, 1 << 20, 32
	p := disjunct.Problem{Items: make([]disjunct.Item, items)}
	parts := make([]shape.Part, items)
	for i := range items {
		p.Items[i] = disjunct.Item{Size: 1, Align: 1}
		parts[i] = shape.Part{Item: i, High: 1}
	}
	for range windows/items + 1000 {
		p.Sections = append(p.Sections, shape.Section{End: 1, Parts: parts})
	}
	const limit = each * (items + windows)
	w := disjunct.NewWork(t.Context(), limit)
	_, outcome, _ := disjunct.Search(w, &p, items)
	require.Equal(t, disjunct.Budget, outcome)
	require.LessOrEqual(t, w.Spent(), uint64(limit+lookEvery))
}
