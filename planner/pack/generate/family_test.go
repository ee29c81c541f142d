package generate_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// sum is a hash of everything that a generator returns.
func sum(p pack.Problem, offsets ...uint64) string {
	h := fnv.New64a()
	word := func(v uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, v)) }
	for _, b := range p.Buffers {
		word(uint64(b.First))
		word(uint64(b.End))
		word(b.Size)
		word(b.Align)
	}
	for _, o := range offsets {
		word(o)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// makers return the hash of one problem by seed.
func makers(t *testing.T) map[string]func(seed uint64) string {
	perfect := func(g generator, n, width, height int) func(uint64) string {
		return func(seed uint64) string {
			p, err := g(n, width, height, seed)
			require.NoError(t, err)
			return sum(p.Problem, p.Offsets...)
		}
	}
	m := map[string]func(uint64) string{
		"pinwheel fine":     perfect(generate.Pinwheel, 301, generate.FineWidth, generate.FineHeight),
		"pinwheel coarse":   perfect(generate.Pinwheel, 301, generate.CoarseSide, generate.CoarseSide),
		"guillotine fine":   perfect(generate.Guillotine, 300, generate.FineWidth, generate.FineHeight),
		"guillotine coarse": perfect(generate.Guillotine, 300, generate.CoarseSide, generate.CoarseSide),
		"tiny":              func(seed uint64) string { return sum(generate.Tiny(seed)) },
	}
	for _, f := range generate.Families() {
		m[f.String()] = func(seed uint64) string { return sum(generate.Random(f, 1000, seed)) }
	}
	return m
}

// Figures in the docs name a generator and a seed: they must keep their meaning.
func TestSeedsKeepTheirMeaning(t *testing.T) {
	want := map[string]string{
		"dense":             "ca0a2d5a032debd4",
		"few sizes":         "59fd32dad2106bb4",
		"guillotine coarse": "b1839dfa585e820a",
		"guillotine fine":   "f3831e83b0e656b5",
		"long short":        "50c048958c2fdd0e",
		"pareto":            "ca191faf03c8de97",
		"pinwheel coarse":   "6de2bcc493ef576f",
		"pinwheel fine":     "6f6a422777fcf71e",
		"tiny":              "96582eedb2d5a802",
		"uniform":           "3bc401848a82ae36",
	}
	got := map[string]string{}
	all := map[string]bool{}
	for name, make := range makers(t) {
		got[name] = make(1)
		require.Equal(t, got[name], make(1))
		for seed := range uint64(20) {
			all[make(seed)] = true
		}
	}
	require.Equal(t, want, got)
	require.Len(t, all, 20*len(want), "no two seeds give the same")
}

func TestFamilies(t *testing.T) {
	for _, f := range generate.Families() {
		for _, n := range []int{1, 2, 10, 1000, 20000} {
			p := generate.Random(f, n, 7)
			require.Len(t, p.Buffers, n)
			var sizes uint64
			for _, b := range p.Buffers {
				require.True(t, b.First < b.End, "%v %v", f, b)
				require.True(t, 1 <= b.Size && b.Size <= 1<<20 && b.Align == 1, "%v %v", f, b)
				require.True(t, f == generate.Dense || b.End <= uint64(n), "%v %v", f, b)
				sizes += b.Size
			}
			_, err := pack.LowerBound(p)
			require.NoError(t, err)
			require.LessOrEqual(t, sizes, uint64(n)<<20)
		}
		// Not solved by the first thing that comes to mind.
		for seed := range uint64(3) {
			r, err := pack.FirstFit{Order: pack.ByArea}.Pack(t.Context(), generate.Random(f, 1000, seed))
			require.NoError(t, err)
			require.Greater(t, float64(r.Height), 1.01*float64(r.Bound.Bytes), "%v seed %d", f, seed)
		}
		require.Empty(t, generate.Random(f, 0, 1).Buffers)
		require.Empty(t, generate.Random(f, -1, 1).Buffers)
	}
	require.Len(t, generate.Families(), 5)
	require.Empty(t, generate.Random(99, 10, 1).Buffers)
	require.Equal(t, "unknown", generate.Family(99).String())
}

// shape is what tells one family from another.
type shape struct {
	meanLength, meanSize float64
	longest              uint64
	sizes                int // distinct
}

func shapeOf(p pack.Problem) shape {
	var s shape
	sizes := map[uint64]bool{}
	for _, b := range p.Buffers {
		s.meanLength += float64(b.End-b.First) / float64(len(p.Buffers))
		s.meanSize += float64(b.Size) / float64(len(p.Buffers))
		s.longest = max(s.longest, b.End-b.First)
		sizes[b.Size] = true
	}
	s.sizes = len(sizes)
	return s
}

func TestParameters(t *testing.T) {
	const n, root = 40000, 200
	shapes := map[generate.Family]shape{}
	for _, f := range generate.Families() {
		shapes[f] = shapeOf(generate.Random(f, n, 3))
	}
	require.InEpsilon(t, 2*root, shapes[generate.Uniform].meanLength, 0.03)
	require.Equal(t, uint64(4*root), shapes[generate.Uniform].longest)
	require.InEpsilon(t, 1<<19, shapes[generate.Uniform].meanSize, 0.03)
	require.InEpsilon(t, 2*root, shapes[generate.Pareto].meanLength, 0.2)
	require.Greater(t, shapes[generate.Pareto].longest, uint64(n/4))
	require.Equal(t, 8, shapes[generate.FewSizes].sizes)
	require.InEpsilon(t, 1.5*root, shapes[generate.LongShort].meanLength, 0.1)
	require.Greater(t, shapes[generate.LongShort].longest, uint64(30*root))
	require.InEpsilon(t, 2*root, shapes[generate.Dense].meanLength, 0.03)
}

func TestDenseIsFull(t *testing.T) {
	const n, limit = 10000, 100 << 20
	p := generate.Random(generate.Dense, n, 5)
	var last uint64
	change := map[uint64]uint64{}
	for _, b := range p.Buffers {
		change[b.First] += b.Size
		change[b.End] -= b.Size
		last = max(last, b.First)
	}
	var live uint64
	for step := range last {
		live += change[step]
		require.LessOrEqual(t, live, uint64(limit))
		require.Greater(t, live, uint64(limit-1<<20), "step %d", step)
	}
}

func TestTiny(t *testing.T) {
	counts, aligns, empty := map[int]int{}, map[uint64]int{}, 0
	for seed := range uint64(2000) {
		p := generate.Tiny(seed)
		counts[len(p.Buffers)]++
		for _, b := range p.Buffers {
			require.True(t, b.First < b.End && b.End <= 6 && b.Size <= 6, "%v", b)
			aligns[b.Align]++
			if b.Size == 0 {
				empty++
			}
		}
		_, err := pack.LowerBound(p)
		require.NoError(t, err)
	}
	require.Len(t, counts, 8)
	require.NotZero(t, counts[1]*counts[8])
	require.Len(t, aligns, 3)
	require.NotZero(t, aligns[1]*aligns[2]*aligns[4])
	require.NotZero(t, empty)
}

func BenchmarkMillion(b *testing.B) {
	const n = 1_000_000
	for _, f := range generate.Families() {
		b.Run(f.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				generate.Random(f, n, 1)
			}
		})
	}
	for name, g := range map[string]generator{"pinwheel": generate.Pinwheel, "guillotine": generate.Guillotine} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := g(n+1, generate.FineWidth, generate.FineHeight, 1)
				require.NoError(b, err)
			}
		})
	}
}
