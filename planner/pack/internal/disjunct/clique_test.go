package disjunct_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
	"github.com/seqplan/seqplan/planner/pack/internal/disjunct"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

func at(offset uint64) *uint64 { return &offset }

// Each of the others conflicts with its own lid, which leaves it the bytes below.
func lids(below uint64, others ...pack.Buffer) pack.Problem {
	p := pack.Problem{Buffers: others}
	for i := range others {
		lid := pack.Buffer{First: 1 + uint64(i), End: 2 + uint64(i), Size: 100 - below, Align: 1, Offset: at(below)}
		p.Buffers = append(p.Buffers, lid)
		p.Buffers[i].First, p.Buffers[i].End, p.Buffers[i].Align = 0, 10, 1
		for j := range others {
			if j != i { // lends its bytes to the lids of the others
				gap := pack.Gap{First: 1 + uint64(j), End: 2 + uint64(j)}
				p.Buffers[i].Gaps = append(p.Buffers[i].Gaps, gap)
			}
		}
	}
	return p
}

func TestCliquesOverload(t *testing.T) {
	d, _, ok := convert(lids(8, pack.Buffer{Size: 3}, pack.Buffer{Size: 3}, pack.Buffer{Size: 3}))
	require.True(t, ok)
	require.Equal(t, uint64(100), d.Bound(work()))
	require.Zero(t, requireRefuted(t, d, 100), "3 of 3 bytes do not fit into 8")
	d, _, _ = convert(lids(9, pack.Buffer{Size: 3}, pack.Buffer{Size: 3}, pack.Buffer{Size: 3}))
	requireFound(t, d, 100)
}

func TestCliquesFindEdges(t *testing.T) {
	p := lids(7, pack.Buffer{Size: 3}, pack.Buffer{Size: 3})
	p.Buffers = append(p.Buffers, pack.Buffer{First: 0, End: 1, Size: 2, Align: 1})
	// The last one lies above both; nothing but their order is left to decide. If it
	// lies above them for a cause, it need not be tried.
	d, _, ok := convert(p)
	require.True(t, ok)
	require.LessOrEqual(t, requireFound(t, d, 100), uint64(1))
}

func TestBoundOfItemsThatMeetAtDifferentSteps(t *testing.T) {
	lend := func(step uint64) []pack.Gap { return []pack.Gap{{First: step, End: step + 1}} }
	p := pack.Problem{Buffers: []pack.Buffer{
		{End: 3, Size: 5, Align: 1, Gaps: lend(0)},
		{End: 3, Size: 6, Align: 1, Gaps: lend(1)},
		{End: 3, Size: 7, Align: 1, Gaps: lend(2)},
	}}
	d, _, _ := convert(p)
	require.Equal(t, uint64(13), d.Bound(disjunct.NewWork(t.Context(), 8)), "sections alone")
	require.Equal(t, uint64(18), d.Bound(work()))
	require.Zero(t, requireRefuted(t, d, 17))
	p.Excluded = [][2]int{{3, 0}, {1, 3}, {3, 2}}
	p.Buffers = append(p.Buffers, pack.Buffer{First: 8, End: 9, Size: 2, Align: 1})
	d, _, _ = convert(p)
	require.Equal(t, uint64(20), d.Bound(work()))
	p.Buffers[3].Offset = at(40)
	d, _, _ = convert(p)
	require.Equal(t, uint64(42), d.Bound(work()))
	require.Equal(t, uint64(9), (&disjunct.Problem{Items: []disjunct.Item{{Size: 9, Align: 1}}}).Bound(work()))
}

func TestBoundOfCliquesBesideTheSections(t *testing.T) {
	// Each one alone would take a larger neighbour than those of the best clique.
	sizes := []uint64{10, 6, 6, 11, 12, 12}
	p := pack.Problem{Excluded: [][2]int{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 4}, {2, 5}}}
	for i, size := range sizes {
		p.Buffers = append(p.Buffers, pack.Buffer{First: uint64(i), End: uint64(i) + 1, Size: size, Align: 1})
	}
	d, _, _ := convert(p)
	require.Equal(t, uint64(22), d.Bound(work()))
}

func TestSizesWhoseSumLeavesUint64(t *testing.T) {
	var p pack.Problem
	for range 16 {
		p.Buffers = append(p.Buffers, pack.Buffer{End: 1, Size: 1 << 60, Align: 1})
	}
	d, _, _ := convert(p)
	require.Less(t, uint64(disjunct.Limit), d.Bound(work()))
	require.Zero(t, requireRefuted(t, d, 1<<60))
}

// Two halves lie below a whole, and each less than two halves below it. The clique
// sees that all three rise by a byte, again and again.
func TestCliquesThatRiseByOneByte(t *testing.T) {
	const half, whole = 1 << 50, 1 << 51
	p := disjunct.Problem{
		Items: []disjunct.Item{
			{Size: half, Align: 1},
			{Size: half, Align: 1},
			{Size: whole, Align: 1},
			{Size: 1, Align: 1, Fixed: at(whole + half/2)},
		},
		Pairs: []disjunct.Pair{atLeast(0, 3, half), atLeast(1, 3, half)},
		Sections: []shape.Section{{End: 1, Parts: []shape.Part{
			{Item: 0, High: half},
			{Item: 1, High: half},
			{Item: 2, High: whole},
		}}},
	}
	near := []shape.Range{{Lo: -disjunct.Limit, Hi: 1 - whole}, {Lo: -half, Hi: whole}}
	p.Pairs = append(p.Pairs, disjunct.Pair{I: 2, J: 0, Forbidden: near}, disjunct.Pair{I: 2, J: 1, Forbidden: near})
	p.Pairs = append(p.Pairs, disjunct.Pair{I: 0, J: 1, Forbidden: []shape.Range{{Lo: -half, Hi: half}}})
	requireRefuted(t, p, 1<<60)
	near[0].Hi = -whole
	requireFound(t, p, 1<<60)
}

// What failed decides what is tried next. Without that most of these need more than
// a hundred times as many nodes.
const maxMiddle = 4121 // nodes; a change that needs fewer lowers it

func TestMiddleSizes(t *testing.T) {
	total := 0
	for seed := range uint64(10) {
		d, _, _ := convert(generate.Random(generate.Uniform, 60, seed))
		bound := d.Bound(work())
		w := work()
		offsets, outcome, nodes := disjunct.Search(w, &d, bound)
		require.Equal(t, disjunct.Found, outcome, "seed %d", seed)
		requirePacking(t, d, offsets, bound)
		total += int(nodes)
		if seed >= 3 {
			continue
		}
		again, _, nodesAgain := disjunct.Search(work(), &d, bound)
		require.Equal(t, offsets, again)
		require.Equal(t, nodes, nodesAgain)
		less := disjunct.NewWork(t.Context(), w.Spent()/2)
		offsets, outcome, _ = disjunct.Search(less, &d, bound)
		require.Equal(t, disjunct.Budget, outcome)
		require.Nil(t, offsets)
	}
	require.LessOrEqual(t, total, maxMiddle)
}

func TestMinimiseTriesTheBoundFirst(t *testing.T) {
	d, _, _ := convert(generate.Random(generate.Uniform, 60, 1))
	_, outcome, nodes := disjunct.Search(work(), &d, d.Bound(work()))
	require.Equal(t, disjunct.Found, outcome)
	best := disjunct.Minimise(work(), &d, 0, 4*d.Bound(work()))
	require.True(t, best.Optimal())
	require.Equal(t, nodes, best.Nodes)
}

// ring is five groups of items in a ring: items of one group and of neighbours
// conflict. No clique is larger than two groups, but they need two and a half.
func ring(members int) disjunct.Problem {
	var p pack.Problem
	for i := range 5 * members {
		p.Buffers = append(p.Buffers, pack.Buffer{First: uint64(i), End: uint64(i) + 1, Size: 1, Align: 1})
		for j := range i {
			if d := (i - j) % 5; d == 0 || d == 1 || d == 4 {
				p.Excluded = append(p.Excluded, [2]int{i, j})
			}
		}
	}
	d, _, _ := convert(p)
	return d
}

func TestMinimiseBelowTheUpperBound(t *testing.T) {
	p := ring(2)
	best := disjunct.Minimise(work(), &p, 0, 10)
	require.True(t, best.Optimal())
	require.Equal(t, uint64(5), best.Upper)
	requirePacking(t, ring(2), best.Offsets, 5)
	p = ring(6)
	w := disjunct.NewWork(t.Context(), 100_000_000)
	best = disjunct.Minimise(w, &p, 0, 20)
	require.Equal(t, uint64(12), best.Lower)
	require.Equal(t, uint64(15), best.Upper)
	require.LessOrEqual(t, w.Spent(), uint64(101_000_000))
	require.Greater(t, w.Spent(), uint64(50_000_000))
}
