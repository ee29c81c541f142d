package verify

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// accesses are steps that use a buffer. -1 stands for what fills an input, the number of
// steps for the end of the batch.
//
// Of a buffer the first one is its write. All others are behind that by the order of the
// file, whatever the policy: see streams.
type accesses struct {
	from, to []int // those behind no other one, and the last one of each stream and of the host
}

// findAccesses collects the accesses of all buffers. On each stream it walks the steps
// backward; the first time that a buffer is met is its last use, and that of all that it
// points into. toEnd says which buffers are needed at the end of the batch.
func (c *checker) findAccesses(toEnd func(*sequences.Buffer) bool) []accesses {
	seq := c.seq
	uses := make([]accesses, len(seq.Buffers))
	lines := make([][]int, len(seq.Streams)+1) // the steps of each stream, then those of the host
	for s, step := range seq.Steps {
		line := len(seq.Streams)
		if !step.Host {
			line = int(step.Stream)
		}
		lines[line] = append(lines[line], s)
	}
	last := newWalk(seq)
	last.meeting = func(b sequences.BufferID, s int) { uses[b].to = append(uses[b].to, s) }
	for i := range seq.Buffers {
		uses[i].from = []int{int(seq.Buffers[i].Step)}
		if seq.Buffers[i].Step == sequences.None {
			uses[i].to = []int{-1}
		}
	}
	for _, steps := range lines {
		last.restart()
		for _, s := range slices.Backward(steps) {
			last.step(s, c.dynamic)
		}
	}
	last.restart()
	for i := range seq.Buffers {
		if toEnd(&seq.Buffers[i]) {
			last.meet(sequences.BufferID(i), len(seq.Steps))
		}
	}
	return uses
}

// landed adds to accesses the host steps until which the device may still be at them.
func (c *checker) landed(b sequences.BufferID, steps []int) []int {
	for _, s := range slices.Clone(steps) {
		if at := c.landing(b, s); at > 0 {
			steps = append(steps, at)
		}
	}
	return steps
}

// landing is the host step until which the device may still be at its use of a buffer
// in a step; 0 if there is none.
func (c *checker) landing(b sequences.BufferID, s int) int {
	if c.seq.Buffers[b].Scope != sequences.Host || s < 0 || s >= len(c.seq.Steps) || c.seq.Steps[s].Host {
		return 0
	}
	return c.landings[s]
}

// findLandings finds for each step the last host step behind it that writes host
// memory before the next wait.
func (c *checker) findLandings() {
	c.landings = make([]int, len(c.seq.Steps))
	at := 0
	for s := len(c.seq.Steps) - 1; s >= 0; s-- {
		c.landings[s] = at
		switch {
		case c.layout.Steps[s].Wait:
			at = 0
		case at == 0 && c.seq.Steps[s].Host && writesHost(c.seq, &c.seq.Steps[s]):
			at = s
		}
	}
}

// users lists the steps that use a buffer, all of them and ascending.
func (c *checker) users(b sequences.BufferID) []int {
	if c.direct == nil {
		c.findDirect()
	}
	seen := map[sequences.BufferID]bool{}
	var out []int
	var visit func(b sequences.BufferID)
	visit = func(b sequences.BufferID) {
		if seen[b] {
			return
		}
		seen[b] = true
		out = append(out, c.direct[b]...)
		if b := &c.seq.Buffers[b]; b.Output || c.always(b) {
			out = append(out, len(c.seq.Steps))
		}
		for _, h := range c.holders[b] {
			visit(h)
		}
	}
	visit(b)
	slices.Sort(out)
	return slices.Compact(out)
}

// findDirect lists for every buffer the steps that name it or load a count in it, and
// the buffers that hold pointers into it.
func (c *checker) findDirect() {
	seq := c.seq
	c.direct, c.holders = make([][]int, len(seq.Buffers)), make([][]sequences.BufferID, len(seq.Buffers))
	for i := range seq.Buffers {
		if seq.Buffers[i].Step == sequences.None {
			c.direct[i] = append(c.direct[i], -1)
		}
		for _, v := range seq.Buffers[i].Views {
			c.holders[v] = append(c.holders[v], sequences.BufferID(i))
		}
	}
	for s := range seq.Steps {
		step := &seq.Steps[s]
		for _, b := range used(seq, step) {
			if int(seq.Buffers[b].Step) <= s {
				c.direct[b] = append(c.direct[b], s)
			}
		}
		sized := map[sequences.BufferID]bool{}
		var size func(b sequences.BufferID)
		size = func(b sequences.BufferID) {
			if sized[b] {
				return
			}
			sized[b] = true
			for _, n := range expr.Refs(seq.Buffers[b].Count, expr.Count) {
				c.direct[seq.Counts[n].At] = append(c.direct[seq.Counts[n].At], s)
			}
			for _, other := range expr.Refs(seq.Buffers[b].Count, expr.CountOf) {
				size(sequences.BufferID(other))
			}
		}
		for _, list := range [][]sequences.BufferID{step.Writes, step.Scratch} {
			for _, b := range list {
				if c.dynamic[b] {
					size(b)
				}
			}
		}
	}
}

// always reports whether a static buffer has its bytes for itself in the whole batch.
func (c *checker) always(b *sequences.Buffer) bool {
	return b.Keep || c.seq.Scope(b.Scope).Reuse == sequences.ReuseOff
}
