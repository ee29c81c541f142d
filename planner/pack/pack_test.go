package pack_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
)

func packers() pack.Portfolio { return append(pack.Greedy(), pack.Greedy()) }

// requireValid checks a result the obvious way, pair by pair.
func requireValid(t require.TestingT, p pack.Problem, r pack.Result) {
	require.Len(t, r.Offsets, len(p.Buffers))
	var height uint64
	for i, b := range p.Buffers {
		require.Zero(t, r.Offsets[i]%b.Align, "alignment of buffer %d", i)
		height = max(height, r.Offsets[i]+b.Size)
		for j, c := range p.Buffers[:i] {
			together := b.First < c.End && c.First < b.End && b.Size > 0 && c.Size > 0
			apart := r.Offsets[i]+b.Size <= r.Offsets[j] || r.Offsets[j]+c.Size <= r.Offsets[i]
			require.True(t, !together || apart, "buffers %d and %d overlap in %v at %v", j, i, p, r.Offsets)
		}
	}
	require.Equal(t, height, r.Height)
	require.Equal(t, r.Height == r.Bound.Bytes, r.Status == pack.Optimal)
}

// maxLive is the lower bound counted step by step.
func maxLive(p pack.Problem, steps int) (most uint64, at int) {
	for s := range steps {
		var live uint64
		for _, b := range p.Buffers {
			if b.First <= uint64(s) && uint64(s) < b.End {
				live += b.Size
			}
		}
		if live > most {
			most, at = live, s
		}
	}
	return most, at
}

func problems(maxBuffers, steps int, maxSize uint64, maxAlignLog int) *rapid.Generator[pack.Problem] {
	return rapid.Custom(func(t *rapid.T) pack.Problem {
		var p pack.Problem
		for range rapid.IntRange(0, maxBuffers).Draw(t, "buffers") {
			first := rapid.IntRange(0, steps-1).Draw(t, "first")
			p.Buffers = append(p.Buffers, pack.Buffer{
				First: uint64(first),
				End:   uint64(rapid.IntRange(first+1, steps).Draw(t, "end")),
				Size:  rapid.Uint64Range(0, maxSize).Draw(t, "size"),
				Align: 1 << rapid.IntRange(0, maxAlignLog).Draw(t, "align"),
			})
		}
		return p
	})
}

func TestPackersAreValidAndDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems(60, 40, 1000, 4).Draw(t, "problem")
		bound, at := maxLive(p, 40)
		for _, packer := range packers() {
			before := slices.Clone(p.Buffers)
			r, err := packer.Pack(t.Context(), p)
			require.NoError(t, err)
			requireValid(t, p, r)
			require.Equal(t, bound, r.Bound.Bytes)
			if bound > 0 {
				require.EqualValues(t, at, r.Bound.First)
			}
			again, err := packer.Pack(t.Context(), p)
			require.NoError(t, err)
			require.Equal(t, r, again)
			require.Equal(t, before, p.Buffers, "the problem is not changed")
		}
	})
}

// Windows only matter where lifetimes are short against the whole: compare with
// the pairwise check on instances that have many of them.
func TestWindows(t *testing.T) {
	for seed := range uint64(8) {
		p := Random(rand.New(rand.NewPCG(seed, 0)), 400, 3000, 1+int(seed)*20, 256)
		for _, packer := range packers() {
			r, err := packer.Pack(t.Context(), p)
			require.NoError(t, err)
			requireValid(t, p, r)
		}
	}
}

// optimum finds the lowest packing of a tiny problem by trying every offset.
func optimum(p pack.Problem, from uint64) uint64 {
	offsets := make([]uint64, len(p.Buffers))
	var fits func(i int, capacity uint64) bool
	fits = func(i int, capacity uint64) bool {
		if i == len(p.Buffers) {
			return true
		}
		b := p.Buffers[i]
	next:
		for o := uint64(0); o+b.Size <= capacity; o += b.Align {
			for j, c := range p.Buffers[:i] {
				if b.First < c.End && c.First < b.End && o < offsets[j]+c.Size && offsets[j] < o+b.Size {
					continue next
				}
			}
			offsets[i] = o
			if fits(i+1, capacity) {
				return true
			}
		}
		return false
	}
	for !fits(0, from) {
		from++
	}
	return from
}

func TestAgainstExhaustiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems(6, 6, 4, 2).Draw(t, "problem")
		for i := range p.Buffers {
			p.Buffers[i].Size = max(1, p.Buffers[i].Size)
		}
		low, err := pack.LowerBound(p)
		require.NoError(t, err)
		best := optimum(p, low.Bytes)
		for _, packer := range packers() {
			r, err := packer.Pack(t.Context(), p)
			require.NoError(t, err)
			require.LessOrEqual(t, r.Bound.Bytes, best)
			require.LessOrEqual(t, best, r.Height)
			if r.Status == pack.Optimal {
				require.Equal(t, best, r.Height)
			}
		}
	})
}

func TestPortfolioTakesTheFirstOfTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problems(30, 20, 50, 3).Draw(t, "problem")
		got, err := pack.Greedy().Pack(t.Context(), p)
		require.NoError(t, err)
		var want pack.Result
		var nodes uint64
		for i, packer := range pack.Greedy() {
			r, err := packer.Pack(t.Context(), p)
			require.NoError(t, err)
			nodes += r.Nodes
			if i == 0 || r.Height < want.Height {
				want = r
			}
			if want.Height == want.Bound.Bytes {
				break
			}
		}
		want.Nodes = nodes
		require.Equal(t, want, got)
	})
}

func TestTable(t *testing.T) {
	for _, tc := range []struct {
		name    string
		buffers []pack.Buffer
		height  uint64
	}{
		{"empty", nil, 0},
		{"all zero", []pack.Buffer{{First: 0, End: 1, Size: 0, Align: 256}, {First: 0, End: 3, Size: 0, Align: 1}}, 0},
		{"touching lifetimes share", []pack.Buffer{{First: 0, End: 2, Size: 8, Align: 8}, {First: 2, End: 4, Size: 8, Align: 8}}, 8},
		{"a shared step keeps apart", []pack.Buffer{{First: 0, End: 3, Size: 8, Align: 8}, {First: 2, End: 4, Size: 8, Align: 8}}, 16},
		{"alignment leaves a hole", []pack.Buffer{{First: 0, End: 1, Size: 20, Align: 1}, {First: 0, End: 1, Size: 16, Align: 16}}, 48},
		{"over 4 GiB", []pack.Buffer{{First: 0, End: 2, Size: 5 << 30, Align: 256}, {First: 1, End: 2, Size: 5 << 30, Align: 256}}, 10 << 30},
		{"the sum of all leaves uint64, no step does", []pack.Buffer{
			{First: 0, End: 1, Size: math.MaxUint64, Align: 1}, {First: 1, End: 2, Size: math.MaxUint64, Align: 1},
		}, math.MaxUint64},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pack.Problem{Buffers: tc.buffers}
			r, err := pack.Greedy().Pack(t.Context(), p)
			require.NoError(t, err)
			requireValid(t, p, r)
			require.Equal(t, tc.height, r.Height)
		})
	}
}

func TestBestFitTakesTheSmallestGap(t *testing.T) {
	// Sorted by start: a pillar with gaps of 4 and 2 above it, then a small one.
	p := pack.Problem{Buffers: []pack.Buffer{
		{First: 0, End: 1, Size: 9, Align: 1}, {First: 0, End: 3, Size: 8, Align: 1}, {First: 0, End: 1, Size: 7, Align: 1}, {First: 0, End: 3, Size: 6, Align: 1}, {First: 1, End: 3, Size: 5, Align: 1}, {First: 2, End: 3, Size: 4, Align: 1},
	}}
	first, err := pack.FirstFit{Order: pack.ByStart}.Pack(t.Context(), p)
	require.NoError(t, err)
	best, err := pack.BestFit{Order: pack.ByStart}.Pack(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, []uint64{0, 9, 17, 24, 0, 5}, first.Offsets)
	require.Equal(t, []uint64{0, 9, 17, 24, 17, 0}, best.Offsets)
}

func TestInvalid(t *testing.T) {
	for name, tc := range map[string]struct {
		buffers []pack.Buffer
		err     error
	}{
		"empty lifetime":     {[]pack.Buffer{{First: 1, End: 1, Size: 8, Align: 8}}, pack.ErrInvalid},
		"negative lifetime":  {[]pack.Buffer{{First: 2, End: 1, Size: 8, Align: 8}}, pack.ErrInvalid},
		"alignment 0":        {[]pack.Buffer{{First: 0, End: 1, Size: 8, Align: 0}}, pack.ErrInvalid},
		"alignment 3":        {[]pack.Buffer{{First: 0, End: 1, Size: 8, Align: 3}}, pack.ErrInvalid},
		"starts overflow":    {[]pack.Buffer{{First: 0, End: 1, Size: math.MaxUint64, Align: 1}, {First: 0, End: 1, Size: 1, Align: 1}}, checked.ErrOverflow},
		"live overflow":      {[]pack.Buffer{{First: 0, End: 2, Size: math.MaxUint64, Align: 1}, {First: 1, End: 2, Size: 1, Align: 1}}, checked.ErrOverflow},
		"alignment overflow": {[]pack.Buffer{{First: 0, End: 1, Size: math.MaxUint64 - 5, Align: 1}, {First: 0, End: 1, Size: 1, Align: 1 << 62}, {First: 0, End: 1, Size: 1, Align: 1 << 63}}, checked.ErrOverflow},
	} {
		t.Run(name, func(t *testing.T) {
			p := pack.Problem{Buffers: tc.buffers}
			for _, packer := range packers() {
				_, err := packer.Pack(t.Context(), p)
				if name == "alignment overflow" && err == nil {
					continue // a lucky order is fine, a wrapped offset is not
				}
				require.ErrorIs(t, err, tc.err)
			}
		})
	}
	_, err := pack.Portfolio{}.Pack(t.Context(), pack.Problem{})
	require.ErrorIs(t, err, pack.ErrInvalid)
	_, err = pack.FirstFit{Order: 99}.Pack(t.Context(), pack.Problem{})
	require.ErrorIs(t, err, pack.ErrInvalid)
}

// Random draws n buffers over the given number of steps, with lifetimes up to
// twice the mean and sizes up to 64 times align.
func Random(r *rand.Rand, n, steps, mean int, align uint64) pack.Problem {
	var p pack.Problem
	for range n {
		first := r.IntN(steps)
		end := min(steps, first+1+r.IntN(2*mean))
		p.Buffers = append(p.Buffers, pack.Buffer{First: uint64(first), End: uint64(end), Size: align * (1 + r.Uint64N(64)), Align: align})
	}
	return p
}

func BenchmarkGreedy(b *testing.B) {
	for _, tc := range []struct {
		name           string
		n, steps, mean int
	}{
		{"447", 447, 110, 10},
		{"20000 short", 20000, 5000, 20},
		{"20000 dense", 20000, 5000, 1200}, // about 60 million overlapping pairs
	} {
		p := Random(rand.New(rand.NewPCG(1, 2)), tc.n, tc.steps, tc.mean, 256)
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				r, err := pack.Greedy().Pack(b.Context(), p)
				require.NoError(b, err)
				b.ReportMetric(float64(r.Height)/float64(r.Bound.Bytes), "height/bound")
			}
		})
	}
}
