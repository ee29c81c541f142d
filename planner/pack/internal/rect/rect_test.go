package rect_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

func draw(t *rapid.T) []rect.Buffer {
	step := rapid.SampledFrom([]uint64{1, 3, 4, 24}).Draw(t, "step")
	buffers := make([]rect.Buffer, rapid.IntRange(0, 10).Draw(t, "buffers"))
	for i := range buffers {
		b := &buffers[i]
		b.First = rapid.Uint64Range(0, 12).Draw(t, "first")
		b.End = b.First + rapid.Uint64Range(1, 6).Draw(t, "length")
		b.Size = step * rapid.Uint64Range(1, 9).Draw(t, "size")
		b.Align = 1 << rapid.IntRange(0, 5).Draw(t, "log align")
	}
	return buffers
}

// Two buffers share a section if they share a step, and no section says less than
// another one.
func TestCompress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buffers := draw(t)
		p, unit, err := rect.Compress(buffers)
		require.NoError(t, err)
		require.Len(t, p.Rects, len(buffers))
		alive := make([]uint64, p.Sections) // rectangles, as bits
		totals := make([]uint64, p.Sections)
		for i, r := range p.Rects {
			require.True(t, 0 <= r.First && r.First < r.End && r.End <= p.Sections, "%v", r)
			require.Equal(t, buffers[i].Size, r.Size*unit)
			require.Equal(t, max(unit, buffers[i].Align), r.Align*unit)
			for k := r.First; k < r.End; k++ {
				alive[k] |= 1 << i
				totals[k] += r.Size
			}
			for j, q := range p.Rects[:i] {
				require.Equal(t, meet(buffers[i], buffers[j]), r.First < q.End && q.First < r.End, "%d and %d of %v", j, i, buffers)
			}
		}
		for k, a := range alive {
			for l, b := range alive {
				require.True(t, k == l || a&^b != 0, "section %d is in %d of %v", k, l, buffers)
			}
		}
		require.Equal(t, totals, p.Totals())
	})
}

func meet(a, b rect.Buffer) bool { return a.First < b.End && b.First < a.End }

// However the buffers are pushed down, each lies at a multiple of the unit, and no
// larger unit would do for all of them.
func TestUnitDividesEveryOffset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		buffers := draw(t)
		_, unit, err := rect.Compress(buffers)
		require.NoError(t, err)
		offsets := make([]uint64, len(buffers))
		for i, b := range buffers {
			for again := true; again; {
				again = false
				for j, c := range buffers[:i] {
					if meet(b, c) && offsets[i] < offsets[j]+c.Size && offsets[j] < offsets[i]+b.Size {
						offsets[i] = rect.AlignUp(offsets[j]+c.Size, b.Align)
						again = true
					}
				}
			}
			require.Zero(t, offsets[i]%unit, "buffer %d of %v", i, buffers)
		}
		var sizes, align uint64
		for _, b := range buffers {
			sizes, align = rect.GCD(sizes, b.Size), max(align, b.Align)
		}
		if sizes > 0 && sizes%align == 0 {
			require.Equal(t, sizes, unit)
		}
	})
}

func TestGrid(t *testing.T) {
	for _, tc := range []struct{ step, largest, grid uint64 }{
		{6, 1, 6},
		{6, 2, 6},
		{6, 4, 2},
		{24, 8, 24},
		{24, 16, 8},
		{5, 4, 1},
		{4, 64, 4},
	} {
		require.Equal(t, tc.grid, rect.Grid(tc.step, tc.largest), "%d and %d", tc.step, tc.largest)
	}
}

func TestCompressChecksSums(t *testing.T) {
	one := func(size, align uint64) rect.Buffer { return rect.Buffer{End: 1, Size: size, Align: align} }
	for name, buffers := range map[string][]rect.Buffer{
		"a size":       {one(1<<63, 1)},
		"sizes":        {one(1<<62, 1), one(1<<62, 1)},
		"rounded":      {one(1, 1<<63)},
		"beyond":       {one(math.MaxUint64, 2)},
		"beyond, last": {one(1, 1), one(math.MaxUint64, 1)},
	} {
		_, _, err := rect.Compress(buffers)
		require.ErrorIs(t, err, checked.ErrOverflow, name)
	}
	p, unit, err := rect.Compress([]rect.Buffer{one(1<<62, 1), one(1<<62-1, 1)})
	require.NoError(t, err)
	require.Equal(t, uint64(1), unit)
	require.Equal(t, []uint64{math.MaxInt64}, p.Totals())
}

func TestHeight(t *testing.T) {
	p := &rect.Problem{Sections: 2, Rects: []rect.Rect{
		{First: 0, End: 1, Size: 7, Align: 1},
		{First: 0, End: 2, Size: 2, Align: 1},
		{First: 1, End: 2, Size: 3, Align: 1},
	}}
	require.Equal(t, []uint64{9, 5}, p.Totals())
	require.Equal(t, uint64(9), p.Height([]uint64{0, 7, 4}))
	require.Equal(t, uint64(10), p.Height([]uint64{3, 0, 2}))
	require.Zero(t, (&rect.Problem{}).Height(nil))
	require.Empty(t, (&rect.Problem{}).Totals())
}
