package audit

import (
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
)

// maxLooks is how many buffers are looked at to derive a bound, times steps.
const maxLooks = 200_000_000

// bound checks that the claimed bound follows from its steps.
func (c *checker) bound() {
	b := c.r.Bound
	if b.Bytes == 0 {
		return // no packing is lower
	}
	if b.First >= b.End {
		c.fault(WrongBound, -1, -1, "its steps [%d, %d) are none", b.First, b.End)
		return
	}
	var most uint64
	known := true
	switch b.Kind {
	case pack.MaxLive, pack.Alignment:
		most, known = c.most(b)
	case pack.Placed:
		most = c.fixedTop(b)
	case pack.Refuted:
		known = false // it would take the search again
	default:
		c.fault(WrongBound, -1, -1, "its kind is %d", b.Kind)
	}
	if known && most < b.Bytes {
		c.fault(WrongBound, -1, -1, "%s in the steps [%d, %d) needs %d bytes, not %d", b.Kind, b.First, b.End, most, b.Bytes)
	}
}

// most returns the largest need of one step, or of one buffer, in the steps of the
// bound. It gives up, with false, where that takes too long and what it has seen is
// not enough.
func (c *checker) most(b pack.Bound) (uint64, bool) {
	var most uint64
	steps := []uint64{b.First}
	aligns := []uint64{1}
	ofOwner := c.aligns()
	for i := range c.p.Buffers {
		buffer := &c.p.Buffers[i]
		if buffer.First >= b.End || buffer.End <= b.First {
			continue
		}
		most = max(most, buffer.Size) // it is inside the height, whatever is in use of it
		for w := range windows(buffer) {
			if b.First < w.first && w.first < b.End {
				steps = append(steps, w.first)
			}
		}
		if b.Kind == pack.Alignment {
			aligns = append(aligns, ofOwner[c.owner[i]])
		}
	}
	slices.Sort(steps)
	slices.Sort(aligns)
	steps, aligns = slices.Compact(steps), slices.Compact(aligns)
	for k, step := range steps {
		if most >= b.Bytes {
			break
		}
		if k > 0 && k > maxLooks/len(c.p.Buffers)/len(aligns) {
			return 0, false
		}
		uses := c.inUse(step, ofOwner)
		for _, a := range aligns {
			most = max(most, Need(uses, a))
		}
	}
	return most, true
}

// fixedTop returns the largest end of a buffer in the steps of the bound that can be
// in one place only.
func (c *checker) fixedTop(b pack.Bound) uint64 {
	fixed := make(map[int32]uint64) // by owner
	for i := range c.p.Buffers {
		if at := c.p.Buffers[i].Offset; at != nil {
			fixed[c.owner[i]] = max(fixed[c.owner[i]], *at)
		}
	}
	var top uint64
	for i := range c.p.Buffers {
		buffer := &c.p.Buffers[i]
		at, ok := fixed[c.owner[i]]
		if ok && buffer.First < b.End && b.First < buffer.End {
			// A sum that leaves uint64 means that there is no packing at all.
			top = max(top, at, at+buffer.Size)
		}
	}
	return top
}
