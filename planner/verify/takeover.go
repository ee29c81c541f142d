package verify

import "github.com/seqplan/seqplan/sequences"

// takeovers checks that nothing needs the content of a buffer after another one has
// taken over its storage. The step of the taker may still read it.
func (c *checker) takeovers() {
	if len(c.takers) == 0 {
		return
	}
	// That a scope does not reuse memory needs no content.
	needed := c.findAccesses(func(b *sequences.Buffer) bool { return b.Output || b.Keep })
	var checks []takeover
	for i := range c.seq.Buffers {
		base := sequences.BufferID(i)
		taker, taken := c.takers[base]
		if !taken {
			continue
		}
		at := int(c.seq.Buffers[taker].Step)
		for _, s := range needed[base].to {
			if s != at {
				checks = append(checks, takeover{query{from: s, to: at}, base, taker})
			}
		}
	}
	queries := make([]*query, len(checks))
	for i := range checks {
		queries[i] = &checks[i].query
	}
	newGraph(c.seq, true, nil).answer(queries)
	for _, t := range checks {
		if !t.ok {
			c.fault(NotInPlace, c.seq.Buffers[t.taker].Name, c.seq.Buffers[t.base].Name, t.from,
				"the content may be needed after step %d, which overwrites it", t.to)
		}
	}
}

// takeover is a use of a buffer that has to be before the step that overwrites it.
type takeover struct {
	query
	base, taker sequences.BufferID
}
