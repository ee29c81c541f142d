package exact_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/oracle"
	"github.com/seqplan/seqplan/planner/pack/internal/packtest"
)

func orders() []exact.Order {
	return []exact.Order{
		{Letters: []exact.Letter{exact.Width, exact.Area, exact.Total}},
		{Letters: []exact.Letter{exact.Total, exact.Size}},
		{Letters: []exact.Letter{exact.Sum}},
	}
}

func graph(t testing.TB, p *exact.Problem) *exact.Graph {
	g, _ := exact.NewGraph(t.Context(), p, math.MaxUint64)
	require.NotNil(t, g)
	return g
}

// requireValid checks offsets pair by pair, in the sections.
func requireValid(t testing.TB, p *exact.Problem, offsets []uint64, capacity uint64) {
	heights := make([][]uint64, len(p.Tiles))
	for i := range p.Tiles {
		a := &p.Tiles[i]
		require.LessOrEqual(t, offsets[i]+a.Top, capacity)
		require.Zero(t, offsets[i]%a.Align)
		require.True(t, a.Fixed == exact.Free || a.Fixed == offsets[i])
		heights[i] = make([]uint64, p.Sections)
		for _, u := range a.Uses {
			heights[i][u.Section] = u.Height
		}
		for j := range i {
			for k, h := range heights[i] {
				if g := heights[j][k]; h > 0 && g > 0 {
					require.True(t, offsets[i]+h <= offsets[j] || offsets[j]+g <= offsets[i], "tiles %d and %d in section %d", j, i, k)
				}
			}
		}
	}
}

// Every order and every choice finds a packing at the optimum and refutes the
// height below it.
func TestEveryWayIsExact(t *testing.T) {
	for seed := range uint64(3000) {
		plain := generate.Tiny(seed)
		best, feasible := oracle.Optimum(plain)
		require.True(t, feasible)
		p, unit := packtest.Tiles(t, plain)
		if len(p.Tiles) == 0 {
			continue
		}
		require.LessOrEqual(t, p.Bound()*unit, best, "seed %d", seed)
		s := exact.NewSearcher(graph(t, p))
		for _, order := range orders() {
			for choice := range exact.NumChoices {
				o := exact.Options{Capacity: best / unit, Nodes: 1 << 20, Order: order, Choice: choice}
				r := s.Search(t.Context(), o)
				require.Equal(t, exact.Found, r.Outcome, "seed %d", seed)
				requireValid(t, p, r.Offsets, o.Capacity)
				o.Capacity = (best - 1) / unit
				require.Equal(t, exact.Refuted, s.Search(t.Context(), o).Outcome, "seed %d", seed)
			}
		}
	}
}

// uneven makes tiles with different heights in their sections, some that leave
// sections out, fixed offsets, alignments, and sections out of order.
func uneven(r *rand.Rand) *exact.Problem {
	p := &exact.Problem{Tiles: make([]exact.Tile, 2+r.IntN(4)), Ordered: 1 + r.IntN(4)}
	p.Sections = p.Ordered + r.IntN(2)
	for i := range p.Tiles {
		tile := &p.Tiles[i]
		*tile = exact.Tile{Align: 1 << r.IntN(3), Fixed: exact.Free}
		for k := range p.Sections {
			if r.IntN(2) == 0 {
				tile.Uses = append(tile.Uses, exact.Use{Section: int32(k), Height: 1 + r.Uint64N(4)})
			}
		}
		if len(tile.Uses) == 0 {
			tile.Uses = []exact.Use{{Section: 0, Height: 1}}
		}
		for _, u := range tile.Uses {
			tile.Size = max(tile.Size, u.Height)
		}
		tile.Top = tile.Size
		if r.IntN(6) == 0 {
			tile.Fixed = tile.Align * r.Uint64N(4)
		}
	}
	return p
}

// brute tries every offset.
func brute(p *exact.Problem, capacity uint64, offsets []uint64) bool {
	i := len(offsets)
	if i == len(p.Tiles) {
		return true
	}
	a := &p.Tiles[i]
next:
	for at := uint64(0); at+a.Top <= capacity; at += a.Align {
		if a.Fixed != exact.Free && at != a.Fixed {
			continue
		}
		for j, other := range offsets {
			for _, u := range a.Uses {
				for _, v := range p.Tiles[j].Uses {
					if u.Section == v.Section && at < other+v.Height && other < at+u.Height {
						continue next
					}
				}
			}
		}
		if brute(p, capacity, append(offsets, at)) {
			return true
		}
	}
	return false
}

func TestUnevenAgainstBruteForce(t *testing.T) {
	found := 0
	for seed := range uint64(4000) {
		p := uneven(rand.New(rand.NewPCG(seed, 1)))
		s := exact.NewSearcher(graph(t, p))
		for capacity := uint64(1); capacity < 24; capacity++ {
			want := exact.Refuted
			if brute(p, capacity, nil) {
				want = exact.Found
			}
			o := exact.Options{Capacity: capacity, Nodes: 1 << 20, Order: orders()[seed%3], Choice: exact.Choice(seed) % exact.NumChoices}
			r := s.Search(t.Context(), o)
			require.Equal(t, want, r.Outcome, "seed %d capacity %d", seed, capacity)
			if want == exact.Found {
				requireValid(t, p, r.Offsets, capacity)
				require.LessOrEqual(t, p.Bound(), capacity, "seed %d", seed)
				found++
				break
			}
		}
	}
	require.Greater(t, found, 3000)
}

// Going back restores all that a step has changed.
func TestBackRestoresTheState(t *testing.T) {
	steps := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 2))
		before, after := exact.Walk(uneven(r), 8+r.Uint64N(16), r.IntN)
		require.Equal(t, before, after, "seed %d", seed)
		steps += len(before)
	}
	require.Greater(t, steps, 10_000)
}

// A search does not depend on those before it.
func TestSearchesAreIndependent(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Dense, 60, 3))
	o := exact.Options{Nodes: 3000, Order: orders()[0]}
	for _, total := range p.Totals() {
		o.Capacity = max(o.Capacity, total)
	}
	used := exact.NewSearcher(graph(t, p))
	for range 3 {
		require.Equal(t, exact.NewSearcher(graph(t, p)).Search(t.Context(), o), used.Search(t.Context(), o))
		other := o
		other.Capacity, other.Choice = o.Capacity+o.Capacity/20, exact.Tight
		used.Search(t.Context(), other)
	}
}

func TestBudgetAndCancel(t *testing.T) {
	p, _ := packtest.Tiles(t, generate.Random(generate.Dense, 200, 3))
	o := exact.Options{Nodes: 5000, Order: orders()[0]}
	for _, total := range p.Totals() {
		o.Capacity = max(o.Capacity, total)
	}
	r := exact.NewSearcher(graph(t, p)).Search(t.Context(), o)
	require.Equal(t, exact.OutOfBudget, r.Outcome)
	require.Equal(t, o.Nodes, r.Nodes)
	require.NotZero(t, r.Area)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = exact.NewSearcher(graph(t, p)).Search(ctx, o)
	require.Equal(t, exact.OutOfBudget, r.Outcome)
	require.Less(t, r.Nodes, o.Nodes)
}

// Plain tiles are linked in another way than uneven ones: both find the same.
func TestLinksOfPlainTiles(t *testing.T) {
	for seed := range uint64(50) {
		p, _ := packtest.Tiles(t, generate.Random(generate.Pareto, 60, seed))
		o := exact.Options{Nodes: 2000, Order: orders()[0]}
		for _, total := range p.Totals() {
			o.Capacity = max(o.Capacity, total)
		}
		want := exact.NewSearcher(graph(t, p)).Search(t.Context(), o)
		// A section with one short tile more makes the whole uneven.
		p.Tiles = append(p.Tiles, exact.Tile{
			Uses: []exact.Use{{Section: int32(p.Sections), Height: 2}, {Section: int32(p.Sections + 1), Height: 1}},
			Size: 2, Top: 2, Align: 1, Fixed: exact.Free,
		})
		p.Sections += 2
		p.Ordered += 2
		got := exact.NewSearcher(graph(t, p)).Search(t.Context(), o)
		require.Equal(t, want.Outcome, got.Outcome)
		if want.Outcome == exact.Found {
			require.Equal(t, want.Offsets, got.Offsets[:len(got.Offsets)-1])
		}
	}
}
