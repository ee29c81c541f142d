package pack

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack/internal/exact"
	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// core is a problem in the forms that the engines work on. A form is nil if the
// problem does not have it, or is too large for it.
type core struct {
	problem Problem
	bound   Bound
	model   *model // nil if the problem is plain

	rect   *rect.Problem // what the rectangles stand for may have less in use
	rectOf []int         // by rectangle: its buffer, or its item
	unit   uint64        // bytes of a unit of rect

	small bool // enough for an exact search
	loose bool // what some tiles of an exact search stand for has less in use
}

// Above these an exact search has no chance, and its lists take too much memory.
const (
	maxTiles = 5_000
	maxPairs = 4_000_000 // of pieces that are in use at the same step
	maxApart = 250_000   // pairs that are apart at any time
)

// newCore makes the forms of a problem, and finds the strongest bound that takes
// no search. Where one buffer or group shows that there is no packing at any
// height, it returns the buffers instead.
func newCore(p Problem) (c *core, conflict []int, err error) {
	if err := p.validate(); err != nil {
		return nil, nil, err
	}
	if err := p.measure(); err != nil {
		return nil, nil, err
	}
	if p.plain() && slices.ContainsFunc(p.Buffers, func(b Buffer) bool { return b.Size > 0 }) {
		c, err = newPlainCore(p)
		return c, nil, err
	}
	m, conflict := newModel(p)
	if conflict != nil {
		return nil, conflict, nil
	}
	c, err = newModelCore(m)
	return c, nil, err
}

func newPlainCore(p Problem) (*core, error) {
	c := &core{problem: p}
	var rects []rect.Buffer
	var list []rounded
	largest := Bound{}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Size == 0 {
			continue
		}
		c.rectOf = append(c.rectOf, i)
		rects = append(rects, rect.Buffer{First: b.First, End: b.End, Size: b.Size, Align: b.Align})
		list = append(list, rounded{b.First, b.End, b.Size, b.Align})
		if b.Size > largest.Bytes {
			largest = Bound{Bytes: b.Size, First: b.First, End: b.End}
		}
	}
	uses := plainUses(p)
	live, err := maxLive(uses)
	if err != nil {
		return nil, err
	}
	c.bound = strongest(live, largest, alignedBound(list))
	if c.rect, c.unit, err = rect.Compress(rects); err != nil {
		return nil, err
	}
	c.small = len(rects) <= maxTiles && pairs(uses) <= maxPairs
	return c, nil
}

func newModelCore(m *model) (*core, error) {
	c := &core{problem: m.problem, model: m}
	var err error
	if c.bound, err = m.bound(); err != nil {
		return nil, err
	}
	c.small = len(m.items) <= maxTiles && pairs(m.uses()) <= maxPairs && len(m.aparts) <= maxApart
	for n := range m.items {
		c.loose = c.loose || !m.items[n].flat()
	}
	var rects []rect.Buffer
	rects, c.rectOf = m.hulls()
	if len(rects) > 0 {
		c.rect, c.unit, err = rect.Compress(rects)
	}
	return c, err
}

// hulls returns the items as rectangles over all that they have in use. A packing
// of those is one of the items; there are none where an item is fixed, or apart
// from others at any time.
func (m *model) hulls() (rects []rect.Buffer, of []int) {
	if len(m.aparts) > 0 {
		return nil, nil
	}
	for n := range m.items {
		it := &m.items[n]
		if it.fixed != nil {
			return nil, nil
		}
		if len(it.pieces) == 0 {
			continue
		}
		r := rect.Buffer{First: it.pieces[0].First, Size: it.size, Align: it.align}
		for _, p := range it.pieces {
			r.First, r.End = min(r.First, p.First), max(r.End, p.End)
		}
		rects, of = append(rects, r), append(of, n)
	}
	return rects, of
}

func strongest(bounds ...Bound) Bound {
	return slices.MaxFunc(bounds, func(a, b Bound) int { return cmp.Compare(a.Bytes, b.Bytes) })
}

// pairs counts the pairs that are in use at the same step.
func pairs(uses []use) uint64 {
	starts, ends := make([]uint64, len(uses)), make([]uint64, len(uses))
	for i, u := range uses {
		starts[i], ends[i] = u.first, u.end
	}
	slices.Sort(starts)
	slices.Sort(ends)
	var count uint64
	e := 0
	for i, at := range starts {
		for ends[e] <= at {
			e++
		}
		count += uint64(i - e)
	}
	return count
}

// tiles returns the problem for an exact search, for each tile its buffer or item,
// and how many bytes a unit of it is.
func (c *core) tiles() (p *exact.Problem, of []int, unit uint64) {
	if c.model == nil {
		return exact.FromRect(c.rect), c.rectOf, c.unit
	}
	p, of = c.model.tiles()
	return p, of, 1
}

// beside is the end of the highest item that is not one of some, which ascend: it
// takes nothing from others, and lies at its fixed offset or at 0.
func (c *core) beside(of []int) uint64 {
	var top uint64
	if c.model == nil {
		return top
	}
	for n := range c.model.items {
		it := &c.model.items[n]
		if _, stands := slices.BinarySearch(of, n); stands {
			continue
		}
		end := it.size
		if it.fixed != nil {
			end += *it.fixed // measured
		}
		top = max(top, end)
	}
	return top
}

// spread turns offsets in units, of what are some buffers or items, into those of
// all buffers.
func (c *core) spread(offsets []uint64, of []int, unit uint64) []uint64 {
	if c.model == nil {
		out := make([]uint64, len(c.problem.Buffers))
		for k, i := range of {
			out[i] = offsets[k] * unit
		}
		return out
	}
	out := make([]uint64, len(c.model.items))
	for i := range out {
		if at := c.model.items[i].fixed; at != nil {
			out[i] = *at
		}
	}
	for k, i := range of {
		out[i] = offsets[k] * unit
	}
	return c.model.offsets(out)
}
