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
	unit    uint64 // bytes of a unit of rect and exact
	rect    *rect.Problem
	exact   *exact.Problem
	loose   bool  // the tiles of exact have bytes in use that the buffers do not have
	of      []int // by rectangle or tile: its buffer, or its item
}

// Above these an exact search has no chance, and its lists take too much memory.
const (
	maxTiles = 12_000
	maxPairs = 4_000_000 // of pieces that are in use at the same step
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
	if p.plain() {
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
		c.of = append(c.of, i)
		rects = append(rects, rect.Buffer{First: b.First, End: b.End, Size: b.Size, Align: b.Align})
		list = append(list, rounded{b.First, b.End, b.Size, b.Align})
		if b.Size > largest.Bytes {
			largest = Bound{Bytes: b.Size, First: b.First, End: b.End}
		}
	}
	live, err := maxLive(plainUses(p))
	if err != nil {
		return nil, err
	}
	c.bound = strongest(live, largest, alignedBound(list))
	if c.rect, c.unit, _, err = rect.Compress(rects); err != nil {
		return nil, err
	}
	if len(rects) <= maxTiles && pairs(plainUses(p)) <= maxPairs {
		c.exact = exact.FromRect(c.rect)
	}
	return c, nil
}

func newModelCore(m *model) (*core, error) {
	c := &core{problem: m.problem, model: m, unit: 1}
	var err error
	if c.bound, err = m.bound(); err != nil {
		return nil, err
	}
	if len(m.items) <= maxTiles && pairs(m.uses())+uint64(len(m.aparts)) <= maxPairs {
		c.exact, c.of = m.tiles()
	}
	for n := range m.items {
		c.loose = c.loose || !m.items[n].flat()
	}
	return c, nil
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

// spread turns the offsets of rectangles or tiles into those of buffers.
func (c *core) spread(offsets []uint64) []uint64 {
	n := len(c.problem.Buffers)
	if c.model != nil {
		n = len(c.model.items)
	}
	out := make([]uint64, n)
	for k, i := range c.of {
		out[i] = offsets[k] * c.unit
	}
	if c.model == nil {
		return out
	}
	for i := range out {
		if at := c.model.items[i].fixed; at != nil {
			out[i] = *at
		}
	}
	return c.model.offsets(out)
}
