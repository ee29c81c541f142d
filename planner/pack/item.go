package pack

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// item is what gets one offset: a buffer, or the buffers of an in-place group.
type item struct {
	buffers []int         // ascending
	pieces  []shape.Piece // what it has in use; none if it takes nothing from anyone
	size    uint64        // to its last byte, in use or not
	align   uint64
	fixed   *uint64
}

// apart is two items that may never share a byte, but for what lies behind the
// given sizes.
type apart struct {
	i, j         int // i < j
	sizeI, sizeJ uint64
}

// model is a problem as items.
type model struct {
	problem Problem
	items   []item
	of      []int   // by buffer: its item
	aparts  []apart // ascending, each pair of items once
}

// newModel groups the buffers of a valid problem. Where one item alone shows that
// there is no packing, it returns the buffers that do instead.
func newModel(p Problem) (m *model, conflict []int) {
	m = &model{problem: p, of: make([]int, len(p.Buffers))}
	for i := range m.of {
		m.of[i] = -1
	}
	for _, group := range p.InPlace {
		m.add(group)
	}
	for i := range p.Buffers {
		if m.of[i] < 0 {
			m.add([]int{i})
		}
	}
	slices.SortFunc(m.items, func(a, b item) int { return cmp.Compare(a.buffers[0], b.buffers[0]) })
	for n := range m.items {
		for _, i := range m.items[n].buffers {
			m.of[i] = n
		}
		if conflict := m.merge(&m.items[n]); conflict != nil {
			return nil, conflict
		}
	}
	if conflict := m.keepApart(); conflict != nil {
		return nil, conflict
	}
	return m, nil
}

func (m *model) add(buffers []int) {
	if len(buffers) == 0 {
		return
	}
	it := item{buffers: slices.Sorted(slices.Values(buffers))}
	for _, i := range buffers {
		m.of[i] = len(m.items)
	}
	m.items = append(m.items, it)
}

// merge makes one shape of the buffers of an item.
func (m *model) merge(it *item) (conflict []int) {
	var shapes [][]shape.Piece
	it.align = 1
	fixedBy := -1
	for _, i := range it.buffers {
		b := &m.problem.Buffers[i]
		it.size, it.align = max(it.size, b.Size), max(it.align, b.Align)
		if b.Offset != nil && it.fixed == nil {
			it.fixed, fixedBy = b.Offset, i
		}
		if b.Offset != nil && *b.Offset != *it.fixed {
			return []int{fixedBy, i}
		}
		if pieces := shape.Pieces(b.Size, b.First, b.End, b.Gaps); len(pieces) > 0 {
			shapes = append(shapes, pieces)
		}
	}
	if it.fixed != nil {
		for _, i := range it.buffers {
			if *it.fixed%m.problem.Buffers[i].Align != 0 {
				return slices.Compact(slices.Sorted(slices.Values([]int{fixedBy, i})))
			}
		}
	}
	switch len(shapes) {
	case 0:
	case 1:
		it.pieces = shapes[0]
	default:
		it.pieces = shape.Union(shapes...)
	}
	return nil
}

// keepApart turns excluded pairs of buffers into pairs of items.
func (m *model) keepApart() (conflict []int) {
	for _, pair := range m.problem.Excluded {
		a := apart{m.of[pair[0]], m.of[pair[1]], m.problem.Buffers[pair[0]].Size, m.problem.Buffers[pair[1]].Size}
		if a.sizeI == 0 || a.sizeJ == 0 {
			continue
		}
		if a.i == a.j {
			return slices.Sorted(slices.Values(pair[:]))
		}
		if a.i > a.j {
			a = apart{a.j, a.i, a.sizeJ, a.sizeI}
		}
		m.aparts = append(m.aparts, a)
	}
	slices.SortFunc(m.aparts, func(a, b apart) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	out := m.aparts[:0]
	for _, a := range m.aparts {
		if last := len(out) - 1; last >= 0 && out[last].i == a.i && out[last].j == a.j {
			out[last].sizeI, out[last].sizeJ = max(out[last].sizeI, a.sizeI), max(out[last].sizeJ, a.sizeJ)
		} else {
			out = append(out, a)
		}
	}
	m.aparts = out
	return nil
}

// flat reports whether an item has its first byte in use whenever it has any, and
// nothing else than one window.
func (it *item) flat() bool {
	for k, p := range it.pieces {
		if p.Low > 0 || k > 0 && p.First < it.pieces[k-1].End {
			return false
		}
	}
	return true
}

// shapes lists what the items have in use.
func (m *model) shapes() [][]shape.Piece {
	shapes := make([][]shape.Piece, len(m.items))
	for n := range m.items {
		shapes[n] = m.items[n].pieces
	}
	return shapes
}

// offsets spreads offsets of items to the buffers.
func (m *model) offsets(of []uint64) []uint64 {
	out := make([]uint64, len(m.of))
	for i, n := range m.of {
		out[i] = of[n]
	}
	return out
}
