package skyline

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// This file looks at the parts from inside: from outside a wrong part may just
// make packings worse.

func problems() *rapid.Generator[*rect.Problem] {
	return rapid.Custom(func(t *rapid.T) *rect.Problem {
		width := rapid.Int32Range(1, 200).Draw(t, "sections")
		longest := rapid.Int32Range(1, width).Draw(t, "longest")
		p := &rect.Problem{Sections: width}
		for range rapid.IntRange(1, 80).Draw(t, "n") {
			first := rapid.Int32Range(0, width-1).Draw(t, "first")
			p.Rects = append(p.Rects, rect.Rect{
				First: first, End: rapid.Int32Range(first+1, min(width, first+longest)).Draw(t, "end"),
				Size: rapid.Uint64Range(1, 40).Draw(t, "size"), Align: 1 << rapid.IntRange(0, 2).Draw(t, "align"),
			})
		}
		p.Rects[0].First, p.Rects[0].End = 0, width
		return p
	})
}

func drawRNG(t *rapid.T) *rng { return &rng{key: rapid.Uint64().Draw(t, "seed")} }

func goOn() bool { return false }

func disjoint(t *rapid.T, s *shape, offsets []uint64) {
	for i, o := range offsets {
		require.Zero(t, o&s.mask[i])
		for k, q := range offsets[:i] {
			together := s.first[i] < s.end[k] && s.first[k] < s.end[i]
			require.False(t, together && o < q+s.size[k] && q < o+s.size[i], "%d and %d", i, k)
		}
	}
}

func TestPicker(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShape(problems().Draw(t, "problem"))
		p := newPicker(s.index, s.size)
		draw := drawRNG(t)
		for i := range p.keys {
			p.keys[i] = uint32(1 + draw.below(20))
		}
		p.sum()
		for range 60 {
			i := draw.below(len(p.keys))
			if p.keys[i] > 0 {
				p.take(i)
			} else {
				p.put(i, uint32(1+draw.below(20)))
			}
			a := int32(draw.below(int(s.sections())))
			b := a + 1 + int32(draw.below(int(s.sections()-a)))
			c := a + int32(draw.below(int(b-a)))
			d, most := c, uint64(1+draw.below(50))
			if draw.below(3) == 0 {
				c, d = b-1, a
			}
			var key uint32
			for k, f := range s.first {
				if e := s.end[k]; f >= a && f <= c && e > d && e <= b && s.size[k] <= most {
					key = max(key, p.keys[k])
				}
			}
			k := p.best(a, c, d, b, most)
			require.Equal(t, key > 0, k >= 0)
			if k >= 0 {
				require.Equal(t, key, p.keys[k])
				require.True(t, s.first[k] >= a && s.first[k] <= c && s.end[k] > d && s.end[k] <= b && s.size[k] <= most)
			}
			count := 0
			s.index.touching(a, b, func(int32) { count++ })
			for k, f := range s.first {
				if f < b && s.end[k] > a {
					count--
				}
			}
			require.Zero(t, count)
		}
	})
}

// A window is packed again between what crosses its borders, with the excess that
// is told.
func TestWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShape(problems().Draw(t, "problem"))
		draw := drawRNG(t)
		p := newPass(s, drawn(draw), 1)
		require.True(t, p.run(done, goOn))
		disjoint(t, s, p.offsets)
		offsets := p.offsets
		require.Equal(t, s.heightOf(offsets), slices.Max(s.tops(offsets)))
		for range 4 {
			first := int32(draw.below(int(s.sections())))
			w := s.cut(first, first+1+int32(draw.below(int(s.sections()-first))), offsets)
			target := uint64(1 + draw.below(int(s.heightOf(offsets))))
			for _, look := range []bool{false, true} {
				p := newPass(w, drawn(draw), target)
				g := p.goal
				start := g.excessOf(w.totals)
				if look {
					o := drawnAhead(draw)
					o.soft, o.commit, o.horizon = 0, 2, 5
					require.True(t, p.look(o, draw.next(), done, goOn))
				} else {
					require.True(t, p.run(done, goOn))
				}
				for k, i := range w.id {
					offsets[i] = p.offsets[k]
				}
				disjoint(t, s, offsets)
				tops := w.tops(p.offsets)
				require.Equal(t, s.tops(offsets)[first:int(first)+len(tops)], tops)
				require.Equal(t, g.excessOf(tops), start+p.excess)
			}
		}
	})
}

// Nothing is left of what is undone.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newShape(problems().Draw(t, "problem"))
		draw := drawRNG(t)
		all := newPass(s, drawn(draw), 1)
		require.True(t, all.run(done, goOn))
		first := int32(draw.below(int(s.sections())))
		w := s.cut(first, first+1+int32(draw.below(int(s.sections()-first))), all.offsets)
		p := newPass(w, drawn(draw), 1)
		p.trail = &trail{}
		a, did := int32(0), lifted
		for range draw.below(20) {
			a, did = p.step(a)
		}
		before, keep := p.dump(), len(p.trail.changes)
		for range draw.below(20) {
			if did != finished {
				a, did = p.step(a)
			}
		}
		p.undo(keep)
		require.Equal(t, before, p.dump())
	})
}

// dump copies what a pass may change and must find again.
func (p *pass) dump() []any {
	var d []any
	for a, n := int32(0), p.sections(); a < n; a = p.right[a] {
		d = append(d, a, p.floor[a], p.right[a], p.left[p.right[a]])
	}
	d = append(d, slices.Clone(p.pick.keys))
	for _, m := range p.pick.maxes {
		d = append(d, slices.Clone(m))
	}
	for s := range p.sections() {
		d = append(d, p.rem.at(s))
	}
	d = append(d, slices.Clone(p.rem.blocks))
	if g := p.hang; g != nil {
		d = append(d, slices.Clone(g.next), slices.Clone(g.under))
		for _, k := range g.head {
			for ; k >= 0; k = g.link[k] {
				d = append(d, k)
			}
			d = append(d, "next")
		}
	}
	return d
}

func TestPassesStop(t *testing.T) {
	p := &rect.Problem{Sections: 1}
	for range 5000 {
		p.Rects = append(p.Rects, rect.Rect{First: 0, End: 1, Size: 1, Align: 1})
	}
	s := newShape(p)
	c := choices()[1]
	o := drawnAhead(&rng{})
	require.True(t, newPass(s, c, 1).run(done, goOn))
	require.False(t, newPass(s, c, 1).run(30_000, goOn))
	require.False(t, newPass(s, c, 1).run(done, func() bool { return true }))
	require.True(t, newPass(s, c, 1).look(o, 0, done, goOn))
	require.False(t, newPass(s, c, 1).look(o, 0, 30_000, goOn))
	require.False(t, newPass(s, c, 1).look(o, 0, done, func() bool { return true }))
}

// A task that no longer counts is told so, and one that counts is not.
func TestInOrder(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	started, told := make(chan bool), make([]bool, 4)
	n := inOrder(t.Context(), 4, func(i int, stop func() bool) bool {
		switch i {
		case 1:
			<-started
			return true
		case 2:
			close(started)
			for n := 0; !told[i] && n < 10_000_000; n++ {
				told[i] = stop()
				runtime.Gosched()
			}
		default:
			told[i] = stop()
		}
		return false
	})
	require.Equal(t, 2, n)
	require.False(t, told[0])
	require.True(t, told[2])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, 3, inOrder(ctx, 3, func(int, func() bool) bool { panic("runs") }))
}

func TestSpans(t *testing.T) {
	p := &rect.Problem{Sections: 3000}
	for i := range int32(2990) {
		p.Rects = append(p.Rects, rect.Rect{First: i, End: i + 11, Size: 1, Align: 1})
	}
	s := newShape(p)
	tops := make([]uint64, 3000)
	for i := range tops {
		tops[i] = uint64(i % 100)
	}
	for round := range uint64(20) {
		r := &runner{shape: s, goal: 90}
		spans := r.spans(tops, round)
		require.NotEmpty(t, spans)
		for i, a := range spans {
			require.True(t, 0 <= a.first && a.first < a.end && a.end <= 3000)
			require.Greater(t, slices.Max(tops[a.first:a.end]), r.goal)
			for _, b := range spans[:i] {
				require.False(t, a.first < b.end && b.first < a.end, "%v %v", a, b)
			}
		}
	}
}
