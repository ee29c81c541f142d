package verify

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// streams checks what needs the order of several streams, whatever bytes are shared: that
// a step is behind those that write what it uses, that the device places the dynamic
// buffers in the order of the file, and that it gives none back, since the step at which
// it would may run before others that use the buffer.
func (c *checker) streams() {
	if len(c.seq.Streams) <= 1 || len(c.layout.Program) < abi.HeaderWords+abi.StepWords*len(c.seq.Steps) {
		return
	}
	var needs []need
	last := -1 // the last step that allocates
	sizes := newWalk(c.seq)
	for s := range c.seq.Steps {
		step := &c.seq.Steps[s]
		for _, b := range used(c.seq, step) {
			if w := int(c.seq.Buffers[b].Step); w >= 0 && w < s {
				needs = append(needs, need{query{from: w, to: s}, c.seq.Buffers[b].Name, "it may be used before it is written"})
			}
		}
		entry := c.layout.Program[abi.HeaderWords+s*abi.StepWords:]
		if entry[1] > 0 {
			c.fault(BadProgram, step.Name, "", s, "it releases buffers while steps of other streams may use them")
		}
		if entry[3] > 0 {
			if last >= 0 {
				needs = append(needs, need{query{from: last, to: s}, step.Name, "the device may place its buffers before those of an earlier step"})
			}
			last = s
		}
		for _, b := range slices.Concat(step.Writes, step.Scratch) {
			for _, v := range c.seq.Buffers[b].Views {
				if w := int(c.seq.Buffers[v].Step); w >= 0 && w < s {
					needs = append(needs, need{query{from: w, to: s}, c.seq.Buffers[v].Name, "there may be pointers into it before it is written"})
				}
			}
			if !c.dynamic[b] {
				continue
			}
			sizes.meeting = func(at sequences.BufferID, s int) {
				if w := int(c.seq.Buffers[at].Step); w >= 0 {
					needs = append(needs, need{query{from: w, to: s}, c.seq.Buffers[at].Name, "a count in it may be loaded before it is written"})
				}
			}
			sizes.restart()
			sizes.size(b, s)
		}
	}
	queries := make([]*query, len(needs))
	for i := range needs {
		queries[i] = &needs[i].query
	}
	newGraph(c.seq, true, nil).answer(queries)
	for _, n := range needs {
		if !n.ok {
			c.fault(Race, n.name, "", n.to, "%s, which %s does", n.what, c.stepName(n.from))
		}
	}
}

// need is a step that has to be before another one.
type need struct {
	query
	name, what string
}
