package sequences

import (
	"github.com/seqplan/seqplan/sequences/expr"
)

// builder makes the model of a file without errors.
type builder struct {
	*file
	ids   []BufferID // by index in the file; None if dropped
	nodes int        // of all expressions
}

func (f *file) build(dropped []bool) *Sequence {
	b := &builder{file: f, ids: make([]BufferID, len(f.buffers))}
	kept := 0
	for i := range f.buffers {
		b.ids[i] = None
		if !dropped[i] {
			b.ids[i] = BufferID(kept)
			kept++
		}
	}
	s := &Sequence{
		Name: f.name, Device: f.scopes[Device], Host: f.scopes[Host], Workers: f.workers,
		Streams: f.streams,
		Params:  f.params, Batch: f.batch, Types: f.types,
		Counts: make([]Count, len(f.counts)), Buffers: make([]Buffer, 0, kept),
		Steps: make([]Step, len(f.steps)), Groups: make([]Group, len(f.groups)),
	}
	for i, c := range f.counts {
		s.Counts[i] = Count{
			ID: CountID(i), Name: c.name.value, At: b.ids[c.atBuffer], Pos: c.name.place().Pos,
			Index: b.expression(c.index), Max: b.expression(c.max), Typical: b.expression(c.typical),
		}
	}
	for i := range f.groups {
		s.Groups[i] = Group{ID: GroupID(i), Name: f.groups[i].name.value, Members: b.list(f.groups[i].members), Pos: f.groups[i].name.place().Pos}
	}
	for i := range f.buffers {
		if !dropped[i] {
			s.Buffers = append(s.Buffers, b.buffer(i))
		}
	}
	for _, g := range s.Groups {
		for _, m := range g.Members {
			s.Buffers[m].Groups = append(s.Buffers[m].Groups, g.ID)
		}
	}
	for i, d := range f.steps {
		step := Step{
			ID: StepID(i), Name: d.name.value, Host: d.host, Stream: d.stream, After: d.after,
			Reads: b.refs(d.reads), Writes: b.list(d.writes), Scratch: b.list(d.scratch), Pos: d.name.place().Pos,
		}
		if use := d.name.use; use != nil {
			step.Template = use.template
		}
		for _, g := range d.barriers {
			step.Barriers = append(step.Barriers, GroupID(g))
		}
		s.Steps[i] = step
	}
	s.Outputs = b.refs(f.outputs)
	s.Budgets = b.budgetModel()
	return s
}

func (b *builder) buffer(i int) Buffer {
	d := &b.file.buffers[i]
	t := b.types[d.typ]
	out := Buffer{
		ID: b.ids[i], Name: d.name.value, Kind: d.kind, Scope: d.scope, Type: t.ID,
		Count: b.expression(d.count), CountText: d.countText, CountPos: d.count.written(),
		Align: max(Bytes(d.align), b.scopes[d.scope].Align, t.Align),
		Step:  StepID(d.step), Views: b.refs(d.views), InPlaceOf: None,
		Offset: (*Bytes)(d.offset), Hint: (*Bytes)(d.hint),
		Keep: d.keep, Output: d.output, Pos: d.name.place().Pos,
	}
	for _, g := range d.gaps {
		out.Gaps = append(out.Gaps, Gap{After: StepID(g.after), Before: StepID(g.before), Low: Bytes(g.low), High: Bytes(g.high), Pos: g.node.place().Pos})
	}
	for _, s := range d.shrinks {
		out.Shrinks = append(out.Shrinks, Shrink{After: StepID(s.after), Count: b.expression(s.count), CountText: s.countText, Pos: s.node.place().Pos})
	}
	if d.inPlace != nil {
		out.InPlaceOf = b.ids[d.inPlace.id]
	}
	return out
}

func (b *builder) refs(refs []bufferRef) []BufferID {
	var out []BufferID
	for _, r := range refs {
		out = append(out, b.ids[r.id])
	}
	return out
}

// list maps buffers and leaves out those that are dropped.
func (b *builder) list(ids []int) []BufferID {
	var out []BufferID
	for _, id := range ids {
		if b.ids[id] != None {
			out = append(out, b.ids[id])
		}
	}
	return out
}

// expression writes an expression with resolved references, and the functions of
// groups and sizes in terms of the others.
func (b *builder) expression(s *size) *expr.Node {
	if s == nil {
		return nil
	}
	if need := b.need(s); need > maxNodes || b.nodes+need > maxAllNodes {
		if need > maxNodes {
			b.errorf(s.place(s.from), CodeExprSize, "the expression has %d terms when its groups are written out, more than %d", need, maxNodes)
		} else {
			b.errorf(s.place(s.from), CodeExprSize, "the expressions of the file have more than %d terms when their groups are written out", maxAllNodes)
		}
		return nil
	} else {
		b.nodes += need
	}
	return b.rewrite(s, s.root)
}

// need is the number of nodes that an expression will have.
func (b *builder) need(s *size) int {
	need := 0
	expr.Walk(s.root, func(n *expr.Node) bool {
		switch n.Kind {
		case expr.SizeOf:
			need += 3
		case expr.SumCounts:
			g, _ := b.groupSpace.find(n.Ident)
			need += max(1, 2*len(b.file.groups[g].members)-1)
		default:
			need++
		}
		return true
	})
	return need
}

func (b *builder) rewrite(s *size, n *expr.Node) *expr.Node {
	pos := s.place(s.from + n.Pos.Col - 1).Pos
	lit := func(v uint64) *expr.Node { return &expr.Node{Kind: expr.Lit, Pos: pos, Value: v, Ref: -1} }
	countOf := func(i int) *expr.Node {
		return &expr.Node{Kind: expr.CountOf, Pos: pos, Ident: b.bufferName(i), Ref: int(b.ids[i])}
	}
	switch n.Kind {
	case expr.Name:
		if i, ok := b.paramSpace.find(n.Ident); ok {
			return &expr.Node{Kind: expr.Param, Pos: pos, Ident: n.Ident, Ref: i}
		}
		i, _ := b.countSpace.find(n.Ident)
		return &expr.Node{Kind: expr.Count, Pos: pos, Ident: n.Ident, Ref: i}
	case expr.CountOf:
		i, _ := b.bufferSpace.find(n.Ident)
		return countOf(i)
	case expr.SizeOf:
		i, _ := b.bufferSpace.find(n.Ident)
		return &expr.Node{Kind: expr.Mul, Pos: pos, Ref: -1, Args: []*expr.Node{countOf(i), lit(uint64(b.types[b.file.buffers[i].typ].Size))}}
	case expr.SumCounts:
		g, _ := b.groupSpace.find(n.Ident)
		var sum *expr.Node
		for _, m := range b.file.groups[g].members {
			if sum == nil {
				sum = countOf(m)
			} else {
				sum = &expr.Node{Kind: expr.Add, Pos: pos, Ref: -1, Args: []*expr.Node{sum, countOf(m)}}
			}
		}
		if sum == nil {
			return lit(0)
		}
		return sum
	case expr.Members:
		g, _ := b.groupSpace.find(n.Ident)
		return lit(uint64(len(b.file.groups[g].members)))
	}
	out := *n
	out.Pos = pos
	out.Args = nil
	for _, a := range n.Args {
		out.Args = append(out.Args, b.rewrite(s, a))
	}
	return &out
}
