package report

import (
	"context"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// changer changes the life of one static buffer of a plan.
type changer struct {
	*usage
	plan *planner.Plan
	pool *planner.Pool
	pack *packing // nil for a plan that was read
	id   int
}

// fall is by how much the lower bound of the pool falls at most if the buffer has another
// life, a part of its own; an empty one means that there is no buffer.
func (c *changer) fall(life planner.Interval) sequences.Bytes {
	b := &c.plan.Buffers[c.id]
	before := c.parts[c.id]
	c.parts[c.id] = cut(b, life, roundUp(b.Max, c.base))
	_, bound := peakOf(c.live())
	c.parts[c.id] = before
	return less(c.pool.LowerBound, max(bound, c.fixed(life), c.set(life)))
}

// gone says that a life is that of no buffer.
func gone(life planner.Interval) bool { return life.First >= life.End }

// fixed is where the last buffer with a fixed offset ends.
func (c *changer) fixed(life planner.Interval) (end sequences.Bytes) {
	for i := range c.plan.Buffers {
		b := &c.plan.Buffers[i]
		if b.Class == planner.Static && b.Scope == c.pool.Scope && b.FixedOffset != nil && (i != c.id || !gone(life)) {
			end = max(end, add(*b.FixedOffset, b.Max))
		}
	}
	return end
}

// storage has the buffers that lie in the storage of the buffer.
func (c *changer) storage() []int {
	return c.storages[slices.IndexFunc(c.storages, func(s []int) bool { return slices.Contains(s, c.id) })]
}

// inSet is what the storage of the buffer adds to what the set behind the bound has in use.
func (c *changer) inSet() (most sequences.Bytes) {
	storage := c.storage()
	for _, a := range c.pool.AtPeak {
		if slices.ContainsFunc(storage, func(i int) bool { return c.plan.Buffers[i].Name == a.Name }) {
			most = max(most, roundUp(a.Bytes, c.base))
		}
	}
	return most
}

// set is what the set of buffers needs that the lower bound comes from, if that is of buffers
// that nothing orders.
func (c *changer) set(life planner.Interval) sequences.Bytes {
	if c.pool.BoundBy != planner.BoundByOrder {
		return 0 // they are alive at one step
	}
	bytes := atPeak(c.pool)
	if of := c.inSet(); of > 0 && (gone(life) || !c.stays(life)) {
		return less(bytes, of)
	}
	return bytes
}

// stays tells that the buffer may share bytes with none of the set for sure. What begins
// behind its new end may be behind it.
func (c *changer) stays(life planner.Interval) bool {
	for _, a := range c.pool.AtPeak {
		i := slices.IndexFunc(c.plan.Buffers, func(b planner.Buffer) bool { return b.Name == a.Name })
		b := &c.plan.Buffers[i]
		if len(b.Lent) > 0 || i != c.id && b.Lifetime.First >= life.End {
			return false
		}
	}
	return true
}

// packed packs the pool, with little effort, and returns its height. The bound may be above
// what the packer sees: it is asked for that height first.
func (c *changer) packed(life planner.Interval, bound sequences.Bytes) *sequences.Bytes {
	problem := c.problem(life)
	for _, capacity := range []*uint64{(*uint64)(&bound), nil} {
		problem.Capacity = capacity
		r, err := pack.Engine{Effort: pack.Quick}.Pack(context.Background(), problem)
		if err == nil && r.Offsets != nil {
			return (*sequences.Bytes)(&r.Height)
		}
	}
	return nil
}

// problem is the packing problem of the pool. Where it is not known whether two buffers are
// in order they are kept apart.
func (c *changer) problem(life planner.Interval) pack.Problem {
	n := c.pack.Of[c.id]
	old := c.pack.Buffers[n]
	out := c.pack.Problem
	out.Buffers, out.Excluded = slices.Clone(out.Buffers), slices.Clip(out.Excluded)
	for k := range out.Buffers {
		out.Buffers[k].Hint = nil
	}
	b := &out.Buffers[n]
	if gone(life) && c.plan.Buffers[c.id].FixedOffset != nil {
		b.Offset = nil
	}
	now, size := planner.Interval{}, sequences.Bytes(0)
	for _, i := range c.storage() {
		own := life
		if i != c.id {
			own = OwnLife(&c.plan.Buffers[i], c.steps)
		}
		switch {
		case c.pack.Of[i] != n || gone(own):
			continue
		case gone(now):
			now = own
		}
		now = planner.Interval{First: min(now.First, own.First), End: max(now.End, own.End)}
		size = max(size, roundUp(c.plan.Buffers[i].Max, c.base))
	}
	if gone(now) {
		b.Size, b.Align, b.Gaps = 0, 1, nil
		return out
	}
	b.First, b.End, b.Size, b.Gaps = uint64(now.First), uint64(now.End), min(b.Size, uint64(size)), nil
	for _, g := range old.Gaps {
		if g.First, g.End = max(g.First, b.First), min(g.End, b.End); g.First < g.End {
			g.Low, g.High = min(g.Low, b.Size), min(g.High, b.Size)
			b.Gaps = append(b.Gaps, g)
		}
	}
	if len(c.plan.Streams) == 0 {
		return out
	}
	c.pack.others(n, func(k int, excluded bool) {
		o := &out.Buffers[k]
		met, meet := old.First < o.End && o.First < old.End, b.First < o.End && o.First < b.End
		if met && !meet && !excluded && !c.behind(k, now) {
			out.Excluded = append(out.Excluded, [2]int{min(n, k), max(n, k)})
		}
	})
	return out
}

// behind tells that a buffer of the packing is behind all uses in a life of the buffer for
// sure: they are on its stream.
func (c *changer) behind(k int, life planner.Interval) bool {
	first := c.pack.first(k)
	stream := streamOf(c.plan, int(c.plan.Buffers[first].Step))
	if stream < 0 || c.plan.Buffers[first].Step < life.End || c.plan.Buffers[c.id].Step < 0 {
		return false
	}
	return !slices.ContainsFunc(c.plan.Buffers[c.id].Uses, func(u planner.Use) bool {
		return u.Step < life.End && streamOf(c.plan, int(u.Step)) != stream
	})
}
