package verify

import "github.com/seqplan/seqplan/sequences"

// takeovers checks that nothing needs the content of a buffer after another one
// has taken over its storage. The step of the taker may still read it.
func (c *checker) takeovers() {
	if len(c.takers) == 0 {
		return
	}
	needed := c.needed()
	for i := range c.seq.Buffers {
		base := sequences.BufferID(i)
		taker, taken := c.takers[base]
		if !taken {
			continue
		}
		b, t := &c.seq.Buffers[base], &c.seq.Buffers[taker]
		if last := needed[base] - 1; last > int(t.Step) {
			c.fault(NotInPlace, t.Name, b.Name, last, "the content is needed after step %d, which overwrites it", t.Step)
		}
	}
}

// needed returns for each buffer the step after the last one that needs its
// content: uses by steps, views, counts, and the end of the batch for what is
// persistent or an output. That a scope does not reuse memory needs no content.
func (c *checker) needed() []int {
	n := len(c.seq.Steps)
	w := &walk{
		seq: c.seq, met: make([]bool, len(c.seq.Buffers)),
		sized: make([]bool, len(c.seq.Buffers)), lives: make([]life, len(c.seq.Buffers)),
	}
	for i := range c.seq.Buffers {
		if b := &c.seq.Buffers[i]; b.Output || b.Keep {
			w.meet(sequences.BufferID(i), n)
		}
	}
	for s := n - 1; s >= 0; s-- {
		w.step(s, c.dynamic)
	}
	ends := make([]int, len(w.lives))
	for i, l := range w.lives {
		ends[i] = l.end
	}
	return ends
}
