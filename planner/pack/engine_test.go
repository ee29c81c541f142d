package pack_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// at returns a pointer to a copy.
func at(v uint64) *uint64 { return &v }

// solve packs and audits.
func solve(t *testing.T, e pack.Engine, p pack.Problem) pack.Result {
	t.Helper()
	r, err := e.Pack(t.Context(), p)
	require.NoError(t, err)
	require.NoError(t, audit.Check(p, r))
	return r
}

func TestSpecialCases(t *testing.T) {
	for _, tc := range []struct {
		name    string
		buffers []pack.Buffer
		height  uint64
	}{
		{"empty", nil, 0},
		{"all zero", []pack.Buffer{{First: 0, End: 1, Size: 0, Align: 256}, {First: 0, End: 3, Size: 0, Align: 1}}, 0},
		{"touching lifetimes share", []pack.Buffer{{First: 0, End: 2, Size: 8, Align: 8}, {First: 2, End: 4, Size: 8, Align: 8}}, 8},
		{"a shared step keeps apart", []pack.Buffer{{First: 0, End: 3, Size: 8, Align: 8}, {First: 2, End: 4, Size: 8, Align: 8}}, 16},
		{"alignment leaves a hole", []pack.Buffer{{First: 0, End: 1, Size: 20, Align: 16}, {First: 0, End: 1, Size: 16, Align: 16}}, 36},
		{"over 4 GiB", []pack.Buffer{{First: 0, End: 2, Size: 5 << 30, Align: 256}, {First: 1, End: 2, Size: 5 << 30, Align: 256}}, 10 << 30},
		{"the last steps", []pack.Buffer{{First: math.MaxUint64 - 1, End: math.MaxUint64, Size: 3, Align: 1}, {First: 0, End: math.MaxUint64, Size: 4, Align: 1}}, 7},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pack.Problem{Buffers: tc.buffers}
			for _, e := range []pack.Effort{pack.Quick, pack.Normal, pack.Max} {
				r := solve(t, pack.Engine{Effort: e}, p)
				require.Equal(t, pack.Optimal, r.Status)
				require.Equal(t, tc.height, r.Height)
			}
		})
	}
}

func TestInvalid(t *testing.T) {
	good := pack.Buffer{First: 0, End: 4, Size: 8, Align: 8}
	with := func(change func(*pack.Buffer)) pack.Problem {
		b := good
		change(&b)
		return pack.Problem{Buffers: []pack.Buffer{good, b}}
	}
	gap := func(g ...pack.Gap) pack.Problem { return with(func(b *pack.Buffer) { b.Gaps = g }) }
	for name, p := range map[string]pack.Problem{
		"empty lifetime":     with(func(b *pack.Buffer) { b.First = 4 }),
		"negative lifetime":  with(func(b *pack.Buffer) { b.First = 5 }),
		"alignment 0":        with(func(b *pack.Buffer) { b.Align = 0 }),
		"alignment 3":        with(func(b *pack.Buffer) { b.Align = 3 }),
		"gap outside":        gap(pack.Gap{First: 3, End: 5}),
		"empty gap":          gap(pack.Gap{First: 3, End: 3}),
		"gaps out of order":  gap(pack.Gap{First: 2, End: 3}, pack.Gap{First: 1, End: 2}),
		"window outside":     gap(pack.Gap{First: 1, End: 2, Low: 0, High: 9}),
		"window inside out":  gap(pack.Gap{First: 1, End: 2, Low: 3, High: 2}),
		"group out of range": {Buffers: []pack.Buffer{good}, InPlace: [][]int{{0, 1}}},
		"group below range":  {Buffers: []pack.Buffer{good}, InPlace: [][]int{{-1}}},
		"in two groups":      {Buffers: []pack.Buffer{good, good}, InPlace: [][]int{{0}, {0, 1}}},
		"pair out of range":  {Buffers: []pack.Buffer{good}, Excluded: [][2]int{{0, 1}}},
		"pair with itself":   {Buffers: []pack.Buffer{good}, Excluded: [][2]int{{0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, packer := range []pack.Packer{pack.Engine{}, pack.FirstFit{}} {
				_, err := packer.Pack(t.Context(), p)
				require.ErrorIs(t, err, pack.ErrInvalid)
			}
			_, err := pack.LowerBound(p)
			require.ErrorIs(t, err, pack.ErrInvalid)
		})
	}
	for name, p := range map[string]pack.Problem{
		"sizes":         {Buffers: []pack.Buffer{{First: 0, End: 1, Size: 1 << 59, Align: 1}, {First: 1, End: 2, Size: 1 << 59, Align: 1}}},
		"one size":      {Buffers: []pack.Buffer{{First: 0, End: 1, Size: math.MaxUint64, Align: 1}}},
		"rounded sizes": {Buffers: []pack.Buffer{{First: 0, End: 1, Size: 1, Align: 1 << 60}}},
		"fixed offset":  {Buffers: []pack.Buffer{{First: 0, End: 1, Size: 1, Align: 1, Offset: at(math.MaxUint64)}}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, packer := range []pack.Packer{pack.Engine{}, pack.FirstFit{}} {
				_, err := packer.Pack(t.Context(), p)
				require.ErrorIs(t, err, checked.ErrOverflow)
				var size *pack.SizeError
				require.ErrorAs(t, err, &size)
				require.Equal(t, len(p.Buffers)-1, size.Buffer)
			}
		})
	}
	_, err := pack.Engine{Effort: 9}.Pack(t.Context(), pack.Problem{})
	require.ErrorIs(t, err, pack.ErrInvalid)
	_, err = pack.FirstFit{Order: 9}.Pack(t.Context(), pack.Problem{})
	require.ErrorIs(t, err, pack.ErrInvalid)
}

// Fresh perfect packings are proven optimal.
func TestPerfectPackings(t *testing.T) {
	for seed := range uint64(3) {
		for _, n := range []int{101, 301, 1001} {
			for _, width := range []int{generate.FineWidth, generate.CoarseSide} {
				height := map[int]int{generate.FineWidth: generate.FineHeight, generate.CoarseSide: generate.CoarseSide}[width]
				p, err := generate.Pinwheel(n, width, height, seed)
				require.NoError(t, err)
				require.Equal(t, pack.Optimal, solve(t, pack.Engine{}, p.Problem).Status, "pinwheel %d seed %d", n, seed)
				p, err = generate.Guillotine(n, width, height, seed)
				require.NoError(t, err)
				require.Equal(t, pack.Optimal, solve(t, pack.Engine{}, p.Problem).Status, "guillotine %d seed %d", n, seed)
			}
		}
	}
}

func TestHints(t *testing.T) {
	// Three of a size, alive at once: any order is optimal, and the hints choose one.
	p := pack.Problem{}
	for _, hint := range []uint64{16, 0, 8} {
		p.Buffers = append(p.Buffers, pack.Buffer{First: 0, End: 1, Size: 8, Align: 8, Hint: at(hint)})
	}
	require.Equal(t, []uint64{16, 0, 8}, solve(t, pack.Engine{}, p).Offsets)
	// Hints that cannot be kept together are kept in part, in order.
	p.Buffers[1].Hint = at(16)
	require.Equal(t, []uint64{16, 0, 8}, solve(t, pack.Engine{}, p).Offsets)
	// A hint that costs height, and one that is not aligned, count for nothing.
	p.Buffers[0].Hint, p.Buffers[1].Hint, p.Buffers[2].Hint = at(24), at(4), at(math.MaxUint64)
	r := solve(t, pack.Engine{}, p)
	require.Equal(t, uint64(24), r.Height)
	// What takes no bytes can be anywhere.
	p = pack.Problem{Buffers: []pack.Buffer{{First: 0, End: 1, Align: 8, Hint: at(8)}, {First: 0, End: 1, Size: 16, Align: 8}}}
	require.Equal(t, []uint64{8, 0}, solve(t, pack.Engine{}, p).Offsets)
	// A packing that was optimal once stays as it is.
	q := generate.Random(generate.Uniform, 300, 1)
	first := solve(t, pack.Engine{}, q)
	require.Equal(t, pack.Optimal, first.Status)
	for i := range q.Buffers {
		q.Buffers[i].Hint = &first.Offsets[i]
	}
	require.Equal(t, first.Offsets, solve(t, pack.Engine{Seed: 5}, q).Offsets)
}

func TestCapacity(t *testing.T) {
	p := generate.Random(generate.Uniform, 200, 3)
	best := solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Optimal, best.Status)
	p.Capacity = at(best.Height + best.Height/2)
	r := solve(t, pack.Engine{}, p)
	require.LessOrEqual(t, r.Height, *p.Capacity)
	p.Capacity = at(best.Height)
	require.Equal(t, pack.Optimal, solve(t, pack.Engine{}, p).Status)
	p.Capacity = at(best.Height - 1)
	r = solve(t, pack.Engine{}, p)
	require.Equal(t, pack.Infeasible, r.Status)
	require.True(t, r.Minimal)
	require.Nil(t, r.Offsets)
	var sum uint64
	for _, i := range r.Conflict {
		sum += p.Buffers[i].Size
	}
	require.Greater(t, sum, *p.Capacity)
}

func TestCancelled(t *testing.T) {
	p := generate.Random(generate.Dense, 400, 3)
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	e := pack.Engine{Effort: pack.Max, Progress: func(pack.Progress) {
		if calls++; calls == 2 {
			cancel()
		}
	}}
	r, err := e.Pack(ctx, p)
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.NoError(t, audit.Check(p, r))
	r, err = pack.Engine{}.Pack(ctx, p) // before it starts
	require.NoError(t, err)
	require.True(t, r.Interrupted)
	require.NoError(t, audit.Check(p, r))
	mixed := generate.Random(generate.Dense, 1000, 3)
	mixed.InPlace = [][]int{{0, 1}}
	r, err = pack.FirstFit{}.Pack(ctx, mixed)
	require.NoError(t, err)
	require.NoError(t, audit.Check(mixed, r))
}

func TestProgress(t *testing.T) {
	var last pack.Progress
	p := generate.Random(generate.Dense, 150, 2)
	r := solve(t, pack.Engine{Effort: pack.Quick, Progress: func(p pack.Progress) {
		require.LessOrEqual(t, p.Bound, p.Height)
		require.LessOrEqual(t, last.Bound, p.Bound)
		require.LessOrEqual(t, last.Nodes, p.Nodes)
		require.True(t, last.Height == 0 || p.Height <= last.Height)
		last = p
	}}, p)
	require.Equal(t, r.Height, last.Height)
	require.Equal(t, r.Bound.Bytes, last.Bound)
	require.Equal(t, r.Nodes, last.Nodes)
}

// mixedOf adds features to a random problem.
func mixedOf(p pack.Problem) pack.Problem {
	for i := range p.Buffers {
		b := &p.Buffers[i]
		b.Align = 1 << (i % 9)
		switch {
		case i%5 == 0 && b.End-b.First > 2:
			b.Gaps = []pack.Gap{{First: b.First + 1, End: b.End - 1, Low: b.Size / 3 * uint64(i%2), High: b.Size / 2}}
		case i%31 == 0:
			b.Hint = at(uint64(i) << 12)
		}
	}
	p.InPlace = [][]int{{1, 2}, {3, 4, 6}}
	p.Excluded = [][2]int{{7, 8}, {8, 9}, {7, 9}, {11, 20}}
	return p
}

func TestSameOnAnyNumberOfCores(t *testing.T) {
	for name, p := range map[string]pack.Problem{
		"dense":   generate.Random(generate.Dense, 150, 3),
		"pareto":  generate.Random(generate.Pareto, 2000, 3),
		"mixed":   mixedOf(generate.Random(generate.Uniform, 60, 4)),
		"perfect": func() pack.Problem { p, _ := generate.Guillotine(300, 256, 256, 1); return p.Problem }(),
	} {
		t.Run(name, func(t *testing.T) {
			var results []pack.Result
			for _, cores := range []int{1, 2, 7} {
				before := runtime.GOMAXPROCS(cores)
				results = append(results, solve(t, pack.Engine{Effort: pack.Quick, Seed: 3}, p))
				runtime.GOMAXPROCS(before)
			}
			require.Equal(t, results[0], results[1])
			require.Equal(t, results[0], results[2])
		})
	}
}

func TestProblemIsNotChanged(t *testing.T) {
	p := mixedOf(generate.Random(generate.Uniform, 40, 4))
	before := slices.Clone(p.Buffers)
	solve(t, pack.Engine{Effort: pack.Quick}, p)
	require.Equal(t, before, p.Buffers)
	require.Equal(t, [][]int{{1, 2}, {3, 4, 6}}, p.InPlace)
}
