package planner

import "github.com/seqplan/seqplan/sequences"

// closure finds the buffers that a step uses when it uses some: those
// themselves, and what they hold pointers into, in turn.
type closure struct {
	seq   *sequences.Sequence
	stamp []int // the round in which a buffer was last reached
	round int
	list  []sequences.BufferID
}

func newClosure(seq *sequences.Sequence) *closure {
	return &closure{seq: seq, stamp: make([]int, len(seq.Buffers))}
}

// of returns the closure of the given lists, in order of discovery. The result
// is valid until the next call.
func (c *closure) of(lists ...[]sequences.BufferID) []sequences.BufferID {
	c.round++
	c.list = c.list[:0]
	for _, list := range lists {
		c.reach(list)
	}
	for i := 0; i < len(c.list); i++ {
		c.reach(c.seq.Buffers[c.list[i]].Views)
	}
	return c.list
}

func (c *closure) reach(list []sequences.BufferID) {
	for _, b := range list {
		if c.stamp[b] != c.round {
			c.stamp[b] = c.round
			c.list = append(c.list, b)
		}
	}
}
