package skyline_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
	"github.com/seqplan/seqplan/planner/pack/internal/skyline"
)

// hostile are shapes on which something simple takes the square of n.
func hostile(n int) map[string]*rect.Problem {
	out := map[string]*rect.Problem{}
	add := func(name string, sections int, of func(i int) (first, length int, size uint64)) {
		p := &rect.Problem{Sections: int32(sections)}
		for i := range n {
			first, length, size := of(i)
			p.Rects = append(p.Rects, rect.Rect{First: int32(first), End: int32(min(sections, first+length)), Size: size, Align: 1})
		}
		out[name] = p
	}
	random := func(i, k, below int) int { return int(splitmix.Hash(uint64(i), uint64(k)) % uint64(below)) }
	add("one section", 1, func(i int) (int, int, uint64) { return 0, 1, 1 + uint64(random(i, 0, 1000)) })
	add("equal", n, func(i int) (int, int, uint64) { return i, 1, 7 })
	add("all alive", n, func(i int) (int, int, uint64) { return 0, n, 1 + uint64(random(i, 0, 1000)) })
	add("nested", 2*n, func(i int) (int, int, uint64) { return i, 2 * (n - i), 1 + uint64(random(i, 0, 1000)) })
	add("pyramid", n, func(i int) (int, int, uint64) { return n / 2, 1 + i/2, 1 + uint64(random(i, 0, 1000)) })
	add("staircase", 2*n, func(i int) (int, int, uint64) { return i, n, 1 + uint64(random(i, 0, 1000)) })
	add("short staircase", n, func(i int) (int, int, uint64) { return i, 300, 1 + uint64(i) })
	add("comb", n, func(i int) (int, int, uint64) {
		if i%2 == 0 {
			return i, 1, uint64(n)
		}
		return 0, n, 1
	})
	add("long", n, func(i int) (int, int, uint64) {
		return random(i, 0, n), n/3 + random(i, 1, n/3), 1 + uint64(random(i, 2, 1000))
	})
	add("any length", n, func(i int) (int, int, uint64) {
		return random(i, 0, n), 1 << random(i, 1, 17), 1 << random(i, 2, 20)
	})
	for _, p := range out { // every section has a rectangle
		p.Rects[0].First, p.Rects[0].End = 0, p.Sections
	}
	return out
}

// Nothing hidden grows with the square of the number of rectangles.
func TestWorkIsBounded(t *testing.T) {
	const n = 20_000
	for name, p := range hostile(n) {
		for _, work := range []uint64{0, 50_000_000} {
			r := skyline.Pack(t.Context(), p, skyline.Options{Work: work, Target: bound(p)})
			require.Empty(t, fault(p, r.Offsets), name)
			require.LessOrEqual(t, r.Work, 3*work+4000*n, name)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	const n = 100_000
	for name, p := range hostile(n) {
		for _, work := range []uint64{0, 4_000_000_000} {
			b.Run(fmt.Sprintf("%s/%d", name, work), func(b *testing.B) {
				var r skyline.Result
				for b.Loop() {
					r = skyline.Pack(b.Context(), p, skyline.Options{Work: work, Target: bound(p)})
				}
				b.ReportMetric(over(p, r), "height/bound")
				b.ReportMetric(float64(r.Work), "work")
			})
		}
	}
}
