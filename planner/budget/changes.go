package budget

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// change is a family of sequences that differ in one value.
type change struct {
	Way
	low  uint64 // the smallest value that makes sense
	high uint64 // as it is, or the next value above it
	unit uint64 // Way.To is in units of values

	perEvent bool // the batch size is multiplied with values
	most     bool // what is written now stays, and the value is the largest that comes out
	at       func(v uint64) (*sequences.Sequence, error)
}

// batch is the change of the batch size.
func (c *checker) batch() []change {
	if c.seq.Batch == sequences.None {
		return nil
	}
	return []change{c.param(WayBatch, &c.seq.Params[c.seq.Batch])}
}

// params are the changes of the other parameters; that of a constant starts at 1.
func (c *checker) params() []change {
	var out []change
	for i := range c.seq.Params {
		if p := &c.seq.Params[i]; p.ID != c.seq.Batch {
			out = append(out, c.param(WayParam, p))
		}
	}
	return out
}

func (c *checker) param(kind WayKind, p *sequences.Param) change {
	ch := change{Way: Way{Kind: kind, Name: p.Name, From: p.Max, Place: placeOf(p.Pos)}, low: p.Min, high: p.Max, unit: 1}
	if p.Fixed() {
		ch.low = 1
	}
	ch.at = func(v uint64) (*sequences.Sequence, error) {
		low := p.Min
		if p.Fixed() {
			low = v
		}
		return planner.WithParam(c.seq, p.Name, low, v)
	}
	return ch
}

// maxima are the changes of what counts are at most. A max below the typical value would
// make most batches fail. No static region has a count in its sizes.
func (c *checker) maxima(b *sequences.Budget) []change {
	if !dynamic(b) || b.Basis == sequences.BudgetTypical {
		return nil
	}
	var out []change
	for i := range c.seq.Counts {
		most, typical := c.here.sizes.Count(sequences.CountID(i))
		least := uint64(1)
		if typical != nil {
			least = max(least, *typical)
		}
		if most != nil {
			out = append(out, c.count(WayMax, i, c.seq.Counts[i].Max, least, *most, func(c *sequences.Count, n *expr.Node) { c.Max = n }))
		}
	}
	return out
}

// typicals are the changes of the typical values of counts.
func (c *checker) typicals(b *sequences.Budget) []change {
	if !dynamic(b) || b.Basis == sequences.BudgetWorst {
		return nil
	}
	var out []change
	for i := range c.seq.Counts {
		if _, v := c.here.sizes.Count(sequences.CountID(i)); v != nil {
			out = append(out, c.count(WayTypical, i, c.seq.Counts[i].Typical, 1, *v, func(c *sequences.Count, n *expr.Node) { c.Typical = n }))
		}
	}
	return out
}

// dynamic reports whether a budget may have dynamic buffers in it.
func dynamic(b *sequences.Budget) bool {
	return b.Kind != sequences.BudgetPool && b.Kind != sequences.BudgetCapacity
}

// count is the change of a figure of a count.
func (c *checker) count(kind WayKind, i int, old *expr.Node, least, now uint64, set func(*sequences.Count, *expr.Node)) change {
	ch := c.formula(old, least, now, 1)
	ch.Way = Way{Kind: kind, Name: c.seq.Counts[i].Name, From: now, Now: expr.Format(old), Place: placeOf(old.Pos)}
	ch.at = func(v uint64) (*sequences.Sequence, error) {
		seq := *c.seq
		seq.Counts = slices.Clone(seq.Counts)
		set(&seq.Counts[i], c.value(ch.perEvent, v, old.Pos))
		return &seq, nil
	}
	return ch
}

// formula is a change of a formula from a value to a smaller one, at the least some value,
// in units of some bytes. What grows with the batch stays in proportion to it.
func (c *checker) formula(old *expr.Node, least, now, unit uint64) change {
	if !c.perEvent(old) {
		return change{low: least, high: now, unit: unit}
	}
	batch := &c.seq.Params[c.seq.Batch]
	up := func(v uint64) uint64 { return v/batch.Max + min(1, v%batch.Max) }
	return change{perEvent: true, low: up(least), high: up(now), unit: batch.Max * unit}
}

// value is the formula that a change writes.
func (c *checker) value(perEvent bool, v uint64, pos sequences.Pos) *expr.Node {
	lit := &expr.Node{Kind: expr.Lit, Pos: pos, Value: v, Ref: -1}
	if !perEvent {
		return lit
	}
	batch := &expr.Node{Kind: expr.Param, Pos: pos, Ident: c.seq.Params[c.seq.Batch].Name, Ref: int(c.seq.Batch)}
	return &expr.Node{Kind: expr.Mul, Pos: pos, Ref: -1, Args: []*expr.Node{batch, lit}}
}

// perEvent reports whether a formula has the batch size in it, directly or through a count
// or a buffer.
func (c *checker) perEvent(n *expr.Node) bool {
	if n == nil || c.seq.Batch == sequences.None || c.seq.Params[c.seq.Batch].Max == 0 {
		return false
	}
	if known, ok := c.growing[n]; ok {
		return known
	}
	grows := slices.Contains(expr.Refs(n, expr.Param), int(c.seq.Batch))
	for _, i := range expr.Refs(n, expr.Count) {
		grows = grows || c.perEvent(c.seq.Counts[i].Typical) || c.perEvent(c.seq.Counts[i].Max)
	}
	for _, i := range expr.Refs(n, expr.CountOf) {
		grows = grows || c.perEvent(c.seq.Buffers[i].Count)
	}
	c.growing[n] = grows
	return grows
}
