package budget

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// buffers are the changes of the sizes of the culprits, each with all that have their formula
// from the same place of the file. What is sized by them follows.
func (c *checker) buffers(b *sequences.Budget, culprits []Culprit) []change {
	var out []change
	seen := map[sequences.Pos]bool{}
	for _, culprit := range culprits {
		at := c.seq.Buffers[c.byName[culprit.Name]].CountPos
		if seen[at] {
			continue
		}
		seen[at] = true
		if ch, ok := c.size(b, c.byName[culprit.Name]); ok {
			out = append(out, ch)
		}
	}
	return out
}

// size is the change of the formula of a buffer. It names the largest of those that have it.
func (c *checker) size(b *sequences.Budget, id sequences.BufferID) (change, bool) {
	elements := func(id sequences.BufferID) uint64 {
		bytes, _, err := c.here.bytes(id, b.Basis)
		if err != nil {
			return 0
		}
		return bytes / c.elem(id)
	}
	alike := c.alike[c.seq.Buffers[id].CountPos]
	for _, other := range alike {
		if elements(other) > elements(id) {
			id = other
		}
	}
	buffer, now := &c.seq.Buffers[id], elements(id)
	if now == 0 {
		return change{}, false
	}
	ch := c.formula(buffer.Count, 1, now, c.elem(id))
	ch.Way = Way{
		Kind: WayBuffer, Name: buffer.Name, From: now * c.elem(id), Now: buffer.CountText,
		Template: c.template(id), Instances: several(len(alike)), Place: placeOf(buffer.CountPos),
	}
	ch.most = len(alike) > 1 || ch.Template != "" || !c.number(buffer.Count, ch.perEvent)
	ch.at = func(v uint64) (*sequences.Sequence, error) {
		seq := *c.seq
		seq.Buffers = slices.Clone(seq.Buffers)
		for _, id := range alike {
			old := seq.Buffers[id].Count
			seq.Buffers[id].Count = c.value(ch.perEvent, v, old.Pos)
			if ch.most {
				seq.Buffers[id].Count = &expr.Node{Kind: expr.Min, Pos: old.Pos, Ref: -1, Args: []*expr.Node{old, seq.Buffers[id].Count}}
			}
		}
		return &seq, nil
	}
	return ch, true
}

// template is what the step of a buffer is an instance of; empty if it is none.
func (c *checker) template(id sequences.BufferID) string {
	step := c.seq.Buffers[id].Step
	if step == sequences.None {
		return ""
	}
	return c.seq.Steps[step].Template
}

// elem is the size of an element of a buffer.
func (c *checker) elem(id sequences.BufferID) uint64 {
	return uint64(c.seq.Types[c.seq.Buffers[id].Type].Size)
}

// number reports whether a formula is what value writes, so that a smaller value in its place
// is never more than it.
func (c *checker) number(n *expr.Node, perEvent bool) bool {
	if !perEvent {
		return n.Kind == expr.Lit
	}
	return n.Kind == expr.Mul && n.Args[1].Kind == expr.Lit && n.Args[0].Kind == expr.Param && n.Args[0].Ref == int(c.seq.Batch)
}
