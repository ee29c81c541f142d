package budget

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// eachKind is how many ways of each kind are kept.
const eachKind = 2

// ways looks for changes that bring a budget back under its limit, of each kind those that
// change least.
func (c *checker) ways(b *sequences.Budget, r *Result) {
	type candidate struct {
		search
		guess uint64
	}
	kinds := [][]change{c.batch(), c.params(), c.counts(b), c.buffers(b, r.Culprits)}
	for _, changes := range kinds {
		var list []candidate
		for _, ch := range changes {
			s := search{c, b, ch}
			v, ok, err := s.guess()
			if err != nil {
				r.Cut = true
				break
			}
			if ok {
				list = append(list, candidate{s, v})
			} else if ch.Kind == WayBatch && packed(b) {
				list = append(list, candidate{s, ch.low})
			}
		}
		slices.SortStableFunc(list, func(a, b candidate) int {
			return compareRatios(b.guess, b.change.high, a.guess, a.change.high)
		})
		kept := 0
		for _, s := range list {
			if kept == eachKind {
				break
			}
			if s.change.Kind == WayMax && slices.ContainsFunc(r.Ways, func(w Way) bool { return w.Kind == WayTypical && w.Name == s.change.Name }) {
				continue // a batch never has more, so a lower max lowers the typical value
			}
			w, ok, err := s.largest(s.guess)
			if err != nil {
				r.Cut = true
				break
			}
			if ok && s.valid(w) {
				r.Ways = append(r.Ways, w)
				kept++
			}
		}
		if len(changes) > 0 && changes[0].Kind == WayBatch {
			r.NoBatch = len(r.Ways) == 0 && !r.Cut
		}
	}
	slices.SortStableFunc(r.Ways, func(a, b Way) int { return compareRatios(b.To, b.From, a.To, a.From) })
}

// compareRatios compares a/b with c/d.
func compareRatios(a, b, c, d uint64) int {
	hi, lo := bits.Mul64(a, d)
	hi2, lo2 := bits.Mul64(c, b)
	return cmp.Or(cmp.Compare(hi, hi2), cmp.Compare(lo, lo2))
}

// valid reports whether the planner takes the sequence of a way: a smaller buffer may be too
// small for a count in it.
func (s *search) valid(w Way) bool {
	seq, err := s.change.at(w.To / s.change.unit)
	return err == nil && !planner.Check(seq).HasErrors()
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
	ch := change{Way: Way{Kind: kind, Name: p.Name, Place: placeOf(p.Pos)}, low: p.Min, high: p.Max, unit: 1}
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

// counts are the changes of the figures of counts: first the typical values. No static
// region has a count in its sizes.
func (c *checker) counts(b *sequences.Budget) []change {
	if b.Kind == sequences.BudgetPool || b.Kind == sequences.BudgetCapacity {
		return nil
	}
	var out []change
	for i := range c.seq.Counts {
		count, f := &c.seq.Counts[i], c.here.sizes.counts[i]
		add := func(kind WayKind, value *uint64, set func(*sequences.Count, *expr.Node)) {
			if value == nil {
				return
			}
			out = append(out, change{
				Way: Way{Kind: kind, Name: count.Name, Place: placeOf(count.Pos)}, low: 1, high: *value, unit: 1,
				at: func(v uint64) (*sequences.Sequence, error) {
					seq := *c.seq
					seq.Counts = slices.Clone(seq.Counts)
					set(&seq.Counts[i], &expr.Node{Kind: expr.Lit, Pos: count.Pos, Value: v, Ref: -1})
					return &seq, nil
				},
			})
		}
		if b.Basis != sequences.BudgetWorst {
			add(WayTypical, f.typical, func(c *sequences.Count, n *expr.Node) { c.Typical = n })
		}
		if b.Basis != sequences.BudgetTypical {
			add(WayMax, f.max, func(c *sequences.Count, n *expr.Node) { c.Max = n })
		}
	}
	return out
}

// buffers are the changes of the sizes of the culprits. What is sized by one follows it.
func (c *checker) buffers(b *sequences.Budget, culprits []Culprit) []change {
	var out []change
	for _, culprit := range culprits {
		i := slices.IndexFunc(c.seq.Buffers, func(b sequences.Buffer) bool { return b.Name == culprit.Name })
		buffer := &c.seq.Buffers[i]
		bytes, _, err := c.here.bytes(buffer.ID, b.Basis)
		unit := uint64(c.seq.Types[buffer.Type].Size)
		if err != nil || bytes == 0 {
			continue
		}
		out = append(out, change{
			Way: Way{Kind: WayBuffer, Name: buffer.Name, Place: placeOf(buffer.Pos)}, low: 1, high: bytes / unit, unit: unit,
			at: func(v uint64) (*sequences.Sequence, error) {
				seq := *c.seq
				seq.Buffers = slices.Clone(seq.Buffers)
				most := &expr.Node{Kind: expr.Lit, Pos: buffer.Pos, Value: v, Ref: -1}
				seq.Buffers[i].Count = &expr.Node{Kind: expr.Min, Pos: buffer.Count.Pos, Ref: -1, Args: []*expr.Node{buffer.Count, most}}
				return &seq, nil
			},
		})
	}
	return out
}
