package budget

import (
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// estimate is about how large the static region of a scope becomes: the most bytes that live
// at once with the lifetimes of the plan. It only says where to look; what is found is tried
// with plans.
func (c *checker) estimate(p *point, scope sequences.Scope) (uint64, error) {
	storage, err := c.storage(p, scope)
	if err != nil {
		return 0, err
	}
	change := make([]uint64, len(p.seq.Steps)+1) // modulo 2^64: what starts minus what ends
	add := func(at planner.Interval, bytes uint64) {
		change[at.First] += bytes
		change[at.End] -= bytes
	}
	var all uint64
	for id, bytes := range storage {
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
	return checked.Add(most, uint64(c.plan.Pools[scope].Reserved))
}

// storage returns the bytes of the static storage of a scope, aligned, by the buffer that has
// it first.
func (c *checker) storage(p *point, scope sequences.Scope) (map[sequences.BufferID]uint64, error) {
	out := map[sequences.BufferID]uint64{}
	for i := range p.seq.Buffers {
		b := &p.seq.Buffers[i]
		if b.Scope != scope || p.sizes.of(b.ID).dynamic {
			continue
		}
		n, _, err := p.bytes(b.ID, sequences.BudgetAny)
		if err == nil {
			n, err = checked.AlignUp(n, uint64(b.Align))
		}
		if err != nil {
			return nil, err
		}
		first := b.ID
		for p.seq.Buffers[first].InPlaceOf != sequences.None {
			first = p.seq.Buffers[first].InPlaceOf
		}
		out[first] = max(out[first], n)
	}
	return out, nil
}
