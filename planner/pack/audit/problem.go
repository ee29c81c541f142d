package audit

import (
	"math/bits"

	"github.com/seqplan/seqplan/planner/pack"
)

// problem checks that the problem is one, and fills owner.
func (c *checker) problem() {
	for i := range c.p.Buffers {
		b := &c.p.Buffers[i]
		if b.First >= b.End {
			c.fault(Malformed, i, -1, "the lifetime [%d, %d) is empty", b.First, b.End)
			continue
		}
		if bits.OnesCount64(b.Align) != 1 {
			c.fault(Malformed, i, -1, "the alignment %d is not a power of two", b.Align)
			continue
		}
		c.gaps(i, b)
	}
	c.groups()
	n := len(c.p.Buffers)
	for k, pair := range c.p.Excluded {
		if i, j := pair[0], pair[1]; i == j || min(i, j) < 0 || max(i, j) >= n {
			c.fault(Malformed, -1, -1, "excluded pair %d is of the buffers %d and %d of %d", k, i, j, n)
		}
	}
}

// gaps reports the first fault of the gaps of a buffer.
func (c *checker) gaps(i int, b *pack.Buffer) {
	at := b.First
	for _, g := range b.Gaps {
		switch {
		case g.First >= g.End:
			c.fault(Malformed, i, -1, "the gap [%d, %d) is empty", g.First, g.End)
		case g.First < at:
			c.fault(Malformed, i, -1, "the gap [%d, %d) starts before step %d", g.First, g.End, at)
		case g.End > b.End:
			c.fault(Malformed, i, -1, "the gap [%d, %d) ends after the lifetime [%d, %d)", g.First, g.End, b.First, b.End)
		case g.Low > g.High || g.High > b.Size:
			c.fault(Malformed, i, -1, "the gap [%d, %d) leaves the bytes [%d, %d) of %d in use", g.First, g.End, g.Low, g.High, b.Size)
		default:
			at = g.End
			continue
		}
		return
	}
}

func (c *checker) groups() {
	n := len(c.p.Buffers)
	c.owner = make([]int32, n)
	for i := range c.owner {
		c.owner[i] = int32(i)
	}
	grouped := make([]bool, n)
	for k, group := range c.p.InPlace {
		for _, i := range group {
			switch {
			case i < 0 || i >= n:
				c.fault(Malformed, -1, -1, "in-place group %d has the buffer %d of %d", k, i, n)
				return
			case grouped[i]:
				c.fault(Malformed, i, -1, "it is in in-place group %d and in another one, or twice in it", k)
				return
			}
			grouped[i] = true
			c.owner[i] = int32(group[0]) // a member, so no other one has this number
		}
	}
}
