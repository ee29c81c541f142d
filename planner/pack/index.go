package pack

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// placedPiece is a piece of an item that has its place.
type placedPiece struct {
	shape.Piece
	item int
}

// index finds the placed pieces that may be in the way of an item. Time is cut
// into windows with about as many first steps each, and a piece is in all that it
// touches.
type index struct {
	model   *model
	starts  []uint64 // of the windows, ascending; what is before the first is in it
	windows [][]placedPiece
	aparts  [][]apart // by item, seen from it: i is the item
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
	ix.windows = make([][]placedPiece, len(ix.starts))
	for _, a := range m.aparts {
		ix.aparts[a.i] = append(ix.aparts[a.i], a)
		ix.aparts[a.j] = append(ix.aparts[a.j], apart{a.j, a.i, a.sizeJ, a.sizeI})
	}
	return ix
}

// window returns the windows that a piece touches.
func (ix *index) window(p shape.Piece) [][]placedPiece {
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
		at := placedPiece{shape.Piece{First: p.First, End: p.End, Low: offset + p.Low, High: offset + p.High}, n}
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
	inside := func(r shape.Range) bool { return r.Lo < at && at < r.Hi }
	if !slices.ContainsFunc(ix.blocked(n, offsets), inside) {
		return nil
	}
	alone := *ix
	for other, placed := range ix.placed {
		if !placed {
			continue
		}
		alone.windows = make([][]placedPiece, len(ix.windows))
		alone.placed = make([]bool, len(ix.placed))
		alone.insert(other, offsets[other])
		if slices.ContainsFunc(alone.blocked(n, offsets), inside) {
			return slices.Sorted(slices.Values(slices.Concat(ix.model.items[n].buffers, ix.model.items[other].buffers)))
		}
	}
	return nil
}

// lowest returns the lowest aligned offset outside of some merged ranges.
func lowest(blocked []shape.Range, align uint64) uint64 {
	at := int64(0)
	for _, b := range blocked {
		if at <= b.Lo {
			break
		}
		if at < b.Hi {
			at = int64(alignUp(uint64(b.Hi), align))
		}
	}
	return uint64(at)
}

// alignUp cannot wrap: prepare has bounded all sums.
func alignUp(v, align uint64) uint64 { return (v + align - 1) &^ (align - 1) }
