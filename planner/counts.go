package planner

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// countFigures bounds the declared max of a count and evaluates its typical
// value.
func (b *bounder) countFigures(id sequences.CountID) {
	count := &b.seq.Counts[id]
	c := &b.counts[id]
	if count.Max != nil {
		bounds, err := b.analyze(count.Max)
		if err != nil {
			b.report(fmt.Sprintf("the max of %q", count.Name), err)
		} else {
			c.max = analyzed{bounds, true}
			b.checkElement(id, bounds)
		}
	}
	if count.Typical == nil {
		return
	}
	if _, err := b.analyze(count.Typical); err != nil {
		b.report(fmt.Sprintf("the typical value of %q", count.Name), err)
		return
	}
	at := newEvaluator(b.seq, largest(b.seq))
	typical, err := at.eval(count.Typical)
	if err != nil {
		return // it was proved to have a value
	}
	c.typical = &typical
	if !c.max.ok {
		return
	}
	if most, err := at.eval(count.Max); err == nil && typical > most {
		b.warn(CodeTypical, count.Typical.Pos, "the typical value of %q is %d, above its max %d%s", count.Name, typical, most, b.point(at.params))
		typical = most // a batch never has more
	}
}

// checkElement checks that the element that holds a count can hold its max.
func (b *bounder) checkElement(id sequences.CountID, most expr.Bounds) {
	count := &b.seq.Counts[id]
	buffer := &b.seq.Buffers[count.At]
	if limit := b.countLimit(id); most.Hi > limit {
		b.diag(CodeElement, count.Max.Pos, "the max of %q is up to %d%s, but an element of %q is %s and holds at most %d",
			count.Name, most.Hi, b.point(most.At), buffer.Name, b.seq.Types[buffer.Type].Name, limit)
	}
}

// countIndexes proves that every count lies inside its buffer: that the elements
// are never fewer than index + 1.
func (b *bounder) countIndexes() {
	related := newRelation(b)
	for i := range b.seq.Counts {
		count := &b.seq.Counts[i]
		buffer := &b.seq.Buffers[count.At]
		if _, err := b.analyze(count.Index); err != nil {
			b.report(fmt.Sprintf("the index of %q", count.Name), err)
			continue
		}
		pos := count.Index.Pos
		elements := &expr.Node{Kind: expr.CountOf, Pos: pos, Ident: buffer.Name, Ref: int(count.At)}
		next := &expr.Node{Kind: expr.Add, Pos: pos, Args: []*expr.Node{count.Index, {Kind: expr.Lit, Pos: pos, Value: 1}}}
		err := related.atLeast(elements, next)
		switch fault := new(expr.Fault); {
		case err == nil:
		case b.classes[count.At].class == Dynamic:
			b.warn(CodeIndexUnchecked, pos,
				"%q lies in %q, whose size is known on the device only: its index is checked there", count.Name, buffer.Name)
		case !b.elements[count.At].ok:
			// Reported where the size of the buffer is.
		case errors.As(err, &fault) && fault.At != nil:
			b.indexOutside(count, fault.At[:len(b.seq.Params)])
		default:
			b.diags = append(b.diags, sequences.Diagnostic{
				Pos: pos, Code: CodeIndexUnproven, Severity: diag.Error,
				Message: fmt.Sprintf("cannot prove that %q lies inside %q for all parameter values", count.Name, buffer.Name),
				Hint:    "write the index and the count of the buffer with the same terms",
			})
		}
	}
}

// indexOutside reports a point at which a count lies outside its buffer.
func (b *bounder) indexOutside(count *sequences.Count, at []uint64) {
	e := newEvaluator(b.seq, at)
	index, err := e.eval(count.Index)
	elements, err2 := e.elements(count.At)
	if err != nil || err2 != nil {
		return // both were proved to have a value
	}
	b.diag(CodeIndex, count.Index.Pos, "%q lies at index %d of %q, which has %d elements%s",
		count.Name, index, b.seq.Buffers[count.At].Name, elements, b.point(at))
}
