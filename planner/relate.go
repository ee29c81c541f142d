package planner

import (
	"errors"
	"math"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// relation proves that one expression is never less than another one, whatever
// the parameters and the counts are. It treats a count as one more parameter,
// with the range up to its max, or to what its element type holds.
type relation struct {
	seq *sequences.Sequence
	box expr.Box // the parameters, then the counts

	known map[sequences.BufferID]result // of the elements of the buffers
}

type result struct {
	bounds expr.Bounds
	err    error
}

// newRelation uses the bounds of the counts that a bounder has found.
func newRelation(b *bounder) *relation {
	r := &relation{seq: b.seq, known: map[sequences.BufferID]result{}}
	r.box = append(r.box, b.box...)
	for i := range b.seq.Counts {
		most := b.counts[i].max.Hi
		if !b.counts[i].max.ok {
			most = b.countLimit(sequences.CountID(i))
		}
		r.box = append(r.box, expr.Range{Min: 0, Max: most})
	}
	return r
}

// countLimit is the largest value that the element of a count holds.
func (b *bounder) countLimit(id sequences.CountID) uint64 {
	size := b.seq.Types[b.seq.Buffers[b.seq.Counts[id].At].Type].Size
	if size >= 8 {
		return math.MaxUint64
	}
	return 1<<(8*size) - 1
}

// atLeast returns nil if a is never less than b. Else the error is that of
// expr.Analyze for the difference.
func (r *relation) atLeast(a, b *expr.Node) error {
	_, err := r.analyze(&expr.Node{Kind: expr.Sub, Pos: b.Pos, Args: []*expr.Node{a, b}})
	return err
}

func (r *relation) analyze(n *expr.Node) (expr.Bounds, error) {
	return expr.Analyze(r.substitute(n), r.box, expr.AnalysisEnv{CountOf: r.elements})
}

// elements implements the CountOf of an expr.AnalysisEnv.
func (r *relation) elements(ref int) (expr.Bounds, error) {
	id := sequences.BufferID(ref)
	v, ok := r.known[id]
	if !ok {
		r.known[id] = result{err: errors.New("the size depends on itself")} // until it is known
		v.bounds, v.err = r.analyze(r.seq.Buffers[id].Count)
		r.known[id] = v
	}
	return v.bounds, v.err
}

// substitute replaces the counts of an expression by their parameters.
func (r *relation) substitute(n *expr.Node) *expr.Node {
	if n.Kind == expr.Count {
		return &expr.Node{Kind: expr.Param, Pos: n.Pos, Ident: n.Ident, Ref: len(r.seq.Params) + n.Ref}
	}
	if len(n.Args) == 0 {
		return n
	}
	out := *n
	out.Args = make([]*expr.Node, len(n.Args))
	for i, arg := range n.Args {
		out.Args[i] = r.substitute(arg)
	}
	return &out
}

// fits reports whether the bytes of b are provably never more than those of base.
func (r *relation) fits(b, base *sequences.Buffer) bool {
	size, room := r.seq.Types[b.Type].Size, r.seq.Types[base.Type].Size
	if size <= room && expr.Equal(r.lookThrough(b.Count), r.lookThrough(base.Count)) {
		return true
	}
	bytes := func(id sequences.BufferID, size sequences.Bytes) *expr.Node {
		return &expr.Node{Kind: expr.Mul, Args: []*expr.Node{
			{Kind: expr.CountOf, Ref: int(id)}, {Kind: expr.Lit, Value: uint64(size)},
		}}
	}
	return r.atLeast(bytes(base.ID, room), bytes(b.ID, size)) == nil
}

// lookThrough replaces an expression that is the count of another buffer by the
// count expression of that one.
func (r *relation) lookThrough(n *expr.Node) *expr.Node {
	for n.Kind == expr.CountOf { // ends: the reader refuses cycles
		n = r.seq.Buffers[n.Ref].Count
	}
	return n
}
