package budget

import (
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// estimate is about how large the static region of a scope becomes: the most bytes that live
// at once with the lifetimes of the plan, or those of the buffers that no order lets share,
// if these are more. It only says where to look; what is found is tried with plans.
func (c *checker) estimate(p *point, scope sequences.Scope) (uint64, error) {
	storage, err := c.storage(p, scope)
	if err != nil {
		return 0, err
	}
	live, err := c.live(storage, len(p.seq.Steps))
	if err != nil {
		return 0, err
	}
	pool := &c.plan.Pools[scope]
	if pool.BoundBy == planner.BoundByOrder {
		live = max(live, c.together(storage, pool))
	}
	return checked.Add(live, uint64(pool.Reserved))
}

// together is what the buffers need that are behind the lower bound of a pool.
func (c *checker) together(storage map[sequences.BufferID]uint64, pool *planner.Pool) uint64 {
	var sum uint64
	c.atPeak(pool, func(id sequences.BufferID, bytes uint64, _ Basis) {
		sum = add(sum, min(bytes, storage[c.first(id)]))
	})
	return sum
}

// live is the most bytes of storage that live at once in the order of the file.
func (c *checker) live(storage map[sequences.BufferID]uint64, steps int) (uint64, error) {
	change := make([]uint64, steps+1) // modulo 2^64: what starts minus what ends
	add := func(at planner.Interval, bytes uint64) {
		change[at.First] += bytes
		change[at.End] -= bytes
	}
	var all uint64
	for id, bytes := range storage {
		var err error
		if all, err = checked.Add(all, bytes); err != nil {
			return 0, err
		}
		b := &c.plan.Buffers[id]
		add(b.Lifetime, bytes)
		for _, l := range b.Lent {
			if left := uint64(l.High - l.Low); left < bytes {
				add(l.Interval, left-bytes)
			}
		}
	}
	var live, most uint64
	for _, n := range change {
		live += n
		most = max(most, live)
	}
	return most, nil
}

// first is the buffer that has the storage of a buffer first.
func (c *checker) first(id sequences.BufferID) sequences.BufferID {
	for c.seq.Buffers[id].InPlaceOf != sequences.None {
		id = c.seq.Buffers[id].InPlaceOf
	}
	return id
}

// storage returns the bytes of the static storage of a scope, aligned, by the buffer that has
// it first.
func (c *checker) storage(p *point, scope sequences.Scope) (map[sequences.BufferID]uint64, error) {
	out := map[sequences.BufferID]uint64{}
	for i := range p.seq.Buffers {
		b := &p.seq.Buffers[i]
		if b.Scope != scope || p.dynamic(b.ID) {
			continue
		}
		n, _, err := p.bytes(b.ID, sequences.BudgetAny)
		if err == nil {
			n, err = checked.AlignUp(n, uint64(b.Align))
		}
		if err != nil {
			return nil, err
		}
		first := c.first(b.ID)
		out[first] = max(out[first], n)
	}
	return out, nil
}
