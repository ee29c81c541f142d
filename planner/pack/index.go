package pack

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// index finds the placed pieces that may be in the way of an item. Time is cut
// into windows with about as many first steps each, and a piece is in all that it
// touches.
type index struct {
	model   *model
	starts  []uint64        // of the windows, ascending; what is before the first is in it
	windows [][]shape.Piece // with the bytes where they are placed
	aparts  [][]apart       // by item, seen from it: i is the item
	placed  []bool
}

// windowSize is how many pieces start in a window.
const windowSize = 64

func newIndex(m *model) *index {
	ix := &index{model: m, aparts: make([][]apart, len(m.items)), placed: make([]bool, len(m.items))}
	var firsts []uint64
	for n := range m.items {
		for _, p := range m.items[n].pieces {
			firsts = append(firsts, p.First)
		}
	}
	slices.Sort(firsts)
	for k := 0; k < len(firsts); k += windowSize {
		ix.starts = append(ix.starts, firsts[k])
	}
	ix.starts = slices.Compact(ix.starts)
	ix.windows = make([][]shape.Piece, len(ix.starts))
	for _, a := range m.aparts {
		ix.aparts[a.i] = append(ix.aparts[a.i], a)
		ix.aparts[a.j] = append(ix.aparts[a.j], apart{a.j, a.i, a.sizeJ, a.sizeI})
	}
	return ix
}

// window returns the windows that a piece touches.
func (ix *index) window(p shape.Piece) [][]shape.Piece {
	from, ok := slices.BinarySearch(ix.starts, p.First)
	if !ok {
		from = max(from-1, 0)
	}
	to, _ := slices.BinarySearch(ix.starts, p.End)
	return ix.windows[from:to]
}

func (ix *index) insert(n int, offset uint64) {
	ix.placed[n] = true
	for _, p := range ix.model.items[n].pieces {
		windows := ix.window(p)
		at := shape.Piece{First: p.First, End: p.End, Low: offset + p.Low, High: offset + p.High}
		for w := range windows {
			windows[w] = append(windows[w], at)
		}
	}
}

// blocked returns the offsets that an item may not have, as open ranges: those at
// which it meets a placed one.
func (ix *index) blocked(n int, offsets []uint64) []shape.Range {
	var out []shape.Range
	for _, p := range ix.model.items[n].pieces {
		for _, window := range ix.window(p) {
			for _, q := range window {
				if q.First < p.End && p.First < q.End {
					out = append(out, shape.Range{Lo: int64(q.Low) - int64(p.High), Hi: int64(q.High) - int64(p.Low)})
				}
			}
		}
	}
	for _, a := range ix.aparts[n] {
		if ix.placed[a.j] {
			at := int64(offsets[a.j])
			out = append(out, shape.Range{Lo: at - int64(a.sizeI), Hi: at + int64(a.sizeJ)})
		}
	}
	return shape.Merge(out)
}

// inTheWay returns the buffers of an item and of a placed one that it meets at its
// offset, or nil if there is none.
func (ix *index) inTheWay(n int, offsets []uint64) []int {
	at := int64(offsets[n])
	if !slices.ContainsFunc(ix.blocked(n, offsets), func(r shape.Range) bool { return r.Lo < at && at < r.Hi }) {
		return nil
	}
	items := ix.model.items
	for other, placed := range ix.placed {
		if placed && ix.meet(n, other, at-int64(offsets[other])) {
			return slices.Sorted(slices.Values(slices.Concat(items[n].buffers, items[other].buffers)))
		}
	}
	return nil
}

// meet reports whether an item meets another one that it lies so far above.
func (ix *index) meet(n, other int, difference int64) bool {
	ranges := shape.Forbidden(ix.model.items[other].pieces, ix.model.items[n].pieces)
	for _, a := range ix.aparts[n] {
		if a.j == other {
			ranges = append(ranges, shape.Range{Lo: -int64(a.sizeI), Hi: int64(a.sizeJ)})
		}
	}
	return slices.ContainsFunc(ranges, func(r shape.Range) bool { return r.Lo < difference && difference < r.Hi })
}

// lowest returns the lowest aligned offset outside of some merged ranges.
func lowest(blocked []shape.Range, align uint64) uint64 {
	at := int64(0)
	for _, b := range blocked {
		if at <= b.Lo {
			break
		}
		if at < b.Hi {
			at = int64(rect.AlignUp(uint64(b.Hi), align))
		}
	}
	return uint64(at)
}
