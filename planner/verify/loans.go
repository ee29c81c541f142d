package verify

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// blocks lists what a static buffer has in use: bytes, and the accesses to them from one
// gap or shrink to the next. top is the end of its bytes.
func (c *checker) blocks(b sequences.BufferID, offset, top uint64) []*block {
	buffer := &c.seq.Buffers[b]
	whole := block{buffer: b, offset: offset, top: top}
	if c.always(buffer) {
		whole.accesses = accesses{[]int{-1}, []int{len(c.seq.Steps)}}
		return []*block{&whole}
	}
	if len(buffer.Gaps)+len(buffer.Shrinks) == 0 {
		whole.accesses = accesses{c.uses[b].from, c.landed(b, c.uses[b].to)}
		return []*block{&whole}
	}
	sizes := c.shrunk(b)
	cuts := []uint64{0, top - offset}
	for _, g := range buffer.Gaps {
		cuts = append(cuts, uint64(g.Low), uint64(g.High))
	}
	cuts = append(cuts, sizes...)
	slices.Sort(cuts)
	var out []*block
	for i, low := range cuts[:len(cuts)-1] {
		if high := cuts[i+1]; low < high && high <= top-offset {
			out = append(out, c.phases(b, sizes, block{buffer: b, offset: offset + low, top: offset + high}, low)...)
		}
	}
	return out
}

// phases cuts the accesses to some bytes of a buffer, which start at low in it, where
// they are lent. Behind a shrink that gives them back there are none.
func (c *checker) phases(b sequences.BufferID, sizes []uint64, bytes block, low uint64) []*block {
	buffer := &c.seq.Buffers[b]
	users := c.users(b)
	for k, s := range buffer.Shrinks {
		if sizes[k] <= low {
			users = slices.DeleteFunc(users, func(u int) bool { return u > int(s.After) })
		}
	}
	var out []*block
	add := func(users []int) {
		if len(users) > 0 {
			one := bytes
			one.accesses = accesses{slices.Clone(users), c.landed(b, slices.Clone(users))}
			out = append(out, &one)
		}
	}
	for _, g := range buffer.Gaps {
		if uint64(g.Low) <= low && low < uint64(g.High) {
			continue // it keeps them
		}
		n := 0
		for n < len(users) && users[n] <= int(g.After) {
			n++
		}
		add(users[:n])
		users = users[n:]
	}
	add(users)
	return out
}

// shrunk returns the largest sizes of a buffer behind its shrinks that the points show.
func (c *checker) shrunk(b sequences.BufferID) []uint64 {
	buffer := &c.seq.Buffers[b]
	out := make([]uint64, len(buffer.Shrinks))
	for _, v := range c.values {
		before, err := v.bytes(b)
		for k := range buffer.Shrinks {
			var n, size uint64
			if err == nil {
				n, err = v.eval(buffer.Shrinks[k].Count)
			}
			if err == nil {
				size, err = checked.Mul(n, uint64(c.seq.Types[buffer.Type].Size))
			}
			if err != nil || size > before {
				c.fault(TooSmall, buffer.Name, "", int(buffer.Shrinks[k].After), "it shrinks from %d to %d bytes at the parameters %v: %v", before, size, v.params, err)
				return out
			}
			out[k], before = max(out[k], size), size
		}
	}
	return out
}
