package shape_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

const (
	steps = 10
	bytes = 8
)

// grid is which bytes are in use at which steps.
type grid [steps][bytes]bool

func draw(pieces []shape.Piece) (g grid) {
	for _, p := range pieces {
		for s := p.First; s < p.End; s++ {
			for b := p.Low; b < p.High; b++ {
				g[s][b] = true
			}
		}
	}
	return g
}

// clash says whether two grids share a byte at a step if the second one starts so
// many bytes after the first one.
func clash(a, b grid, difference int) bool {
	for s := range steps {
		for i := range bytes {
			if j := i - difference; j >= 0 && j < bytes && a[s][i] && b[s][j] {
				return true
			}
		}
	}
	return false
}

type buffer struct {
	size, first, end uint64
	gaps             []pack.Gap
}

func (b buffer) pieces() []shape.Piece { return shape.Pieces(b.size, b.first, b.end, b.gaps) }

func (b buffer) grid() (g grid) {
	for s := b.first; s < b.end; s++ {
		low, high := uint64(0), b.size
		for _, gap := range b.gaps {
			if gap.First <= s && s < gap.End {
				low, high = gap.Low, gap.High
			}
		}
		for i := low; i < high; i++ {
			g[s][i] = true
		}
	}
	return g
}

var buffers = rapid.Custom(func(t *rapid.T) buffer {
	at := rapid.SliceOfNDistinct(rapid.Uint64Range(0, steps), 2, 7, rapid.ID).Draw(t, "steps")
	slices.Sort(at)
	b := buffer{size: rapid.Uint64Range(0, bytes).Draw(t, "size"), first: at[0], end: at[len(at)-1]}
	for i := range len(at) - 1 {
		if rapid.Bool().Draw(t, "gap") {
			low := rapid.Uint64Range(0, b.size).Draw(t, "low")
			high := rapid.Uint64Range(low, b.size).Draw(t, "high")
			b.gaps = append(b.gaps, pack.Gap{First: at[i], End: at[i+1], Low: low, High: high})
		}
	}
	return b
})

// group is up to three buffers with one offset.
func group(t *rapid.T, name string) (pieces []shape.Piece, g grid) {
	members := rapid.SliceOfN(buffers, 1, 3).Draw(t, name)
	var shapes [][]shape.Piece
	for _, b := range members {
		shapes = append(shapes, b.pieces())
		one := b.grid()
		for s := range steps {
			for i := range bytes {
				g[s][i] = g[s][i] || one[s][i]
			}
		}
	}
	return shape.Union(shapes...), g
}

// requireShape checks what the functions of the package promise each other.
func requireShape(t *rapid.T, pieces []shape.Piece) {
	for i, p := range pieces {
		require.True(t, p.First < p.End && p.Low < p.High, "%v is empty", p)
		if i > 0 {
			before := pieces[i-1]
			require.True(t, before.First < p.First || before.First == p.First && before.High < p.Low, "order of %v", pieces)
		}
		for _, q := range pieces[:i] {
			require.False(t, q.First < p.End && p.First < q.End && q.Low <= p.High && p.Low <= q.High, "%v and %v", q, p)
			require.False(t, q.End == p.First && q.Low == p.Low && q.High == p.High, "%v goes on in %v", q, p)
		}
	}
}

func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := buffers.Draw(t, "buffer")
		require.Equal(t, b.grid(), draw(b.pieces()))
		requireShape(t, b.pieces())
	})
}

func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces, g := group(t, "group")
		require.Equal(t, g, draw(pieces))
		requireShape(t, pieces)
	})
}

func TestForbidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, gridA := group(t, "a")
		b, gridB := group(t, "b")
		ranges := shape.Forbidden(a, b)
		for i, r := range ranges {
			require.Less(t, r.Lo+1, r.Hi, "%v is empty", r)
			require.True(t, i == 0 || ranges[i-1].Hi <= r.Lo, "%v and %v touch", ranges[max(0, i-1)], r)
		}
		for d := -bytes - 2; d <= bytes+2; d++ {
			in := slices.ContainsFunc(ranges, func(r shape.Range) bool { return r.Lo < int64(d) && int64(d) < r.Hi })
			require.Equal(t, clash(gridA, gridB, d), in, "difference %d in %v", d, ranges)
		}
	})
}

func TestApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint64Range(0, bytes).Draw(t, "a"), rapid.Uint64Range(0, bytes).Draw(t, "b")
		var want []shape.Range // two that live at the same step
		if r, ok := shape.Apart(a, b); ok {
			want = append(want, r)
		}
		got := shape.Forbidden(buffer{size: a, end: 1}.pieces(), buffer{size: b, end: 1}.pieces())
		require.Equal(t, want, got[:len(got):len(got)])
	})
}

func TestSections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var shapes [][]shape.Piece
		for range rapid.IntRange(0, 5).Draw(t, "items") {
			pieces, _ := group(t, "item")
			shapes = append(shapes, pieces)
		}
		sections, ok := shape.Sections(nil, shapes)
		require.True(t, ok)
		parts := func(step uint64) (parts []shape.Part) {
			for i, s := range shapes {
				for _, p := range s {
					if p.First <= step && step < p.End {
						parts = append(parts, shape.Part{Item: i, Low: p.Low, High: p.High})
					}
				}
			}
			return parts
		}
		for i, s := range sections {
			require.Less(t, s.First, s.End)
			require.True(t, i == 0 || sections[i-1].End <= s.First)
			for step := s.First; step < s.End; step++ {
				require.ElementsMatch(t, parts(step), s.Parts)
			}
			require.True(t, slices.IsSortedFunc(s.Parts, func(a, b shape.Part) int { return a.Item - b.Item }))
		}
		for step := range uint64(steps) {
			here := parts(step)
			contained := slices.ContainsFunc(sections, func(s shape.Section) bool {
				return !slices.ContainsFunc(here, func(p shape.Part) bool { return !slices.Contains(s.Parts, p) })
			})
			require.True(t, contained || len(here) == 0, "step %d has %v", step, here)
		}
	})
}

func TestMerge(t *testing.T) {
	// The third one leaves no difference to the second, the fourth leaves 9.
	ranges := []shape.Range{{Lo: 9, Hi: 11}, {Lo: -1, Hi: 5}, {Lo: -4, Hi: 3}, {Lo: 4, Hi: 9}}
	require.Equal(t, []shape.Range{{Lo: -4, Hi: 9}, {Lo: 9, Hi: 11}}, shape.Merge(ranges))
}

func TestWhatFitsExactlyBetweenTwoWindows(t *testing.T) {
	a := []shape.Piece{{First: 0, End: 1, Low: 0, High: 4}, {First: 0, End: 1, Low: 6, High: 9}}
	b := []shape.Piece{{First: 0, End: 1, Low: 0, High: 2}}
	require.Equal(t, []shape.Range{{Lo: -2, Hi: 4}, {Lo: 4, Hi: 9}}, shape.Forbidden(a, b))
}
