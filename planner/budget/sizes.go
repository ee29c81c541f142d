package budget

import (
	"errors"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// sizes are the sizes of the buffers of a sequence, as the planner bounds them, without a
// plan. Each is found when it is asked for.
type sizes struct {
	seq      *sequences.Sequence
	box      expr.Box
	counts   []figures
	buffers  []size
	typicals []element // by BufferID
	last     *sizer    // at the largest parameters, every count typical
}

// figures are the declared bounds of a count at the largest parameters; nil if it has none.
type figures struct{ max, typical *uint64 }

// size is what is known of one buffer, in bytes.
type size struct {
	known        bool
	err          error // it has no bounds
	elements     expr.Bounds
	dynamic      bool
	unbounded    bool // a count in it has no max
	max, typical *uint64
}

type element struct {
	known bool
	value uint64
	err   error
}

var errNoValue = errors.New("the count has no such value")

// newSizes bounds the counts.
func newSizes(seq *sequences.Sequence) (*sizes, error) {
	s := &sizes{
		seq: seq, counts: make([]figures, len(seq.Counts)),
		buffers: make([]size, len(seq.Buffers)), typicals: make([]element, len(seq.Buffers)),
	}
	for _, p := range seq.Params {
		s.box = append(s.box, expr.Range{Min: p.Min, Max: p.Max})
	}
	s.last = &sizer{s}
	for i := range seq.Counts {
		c, f := &seq.Counts[i], &s.counts[i]
		most := ^uint64(0)
		if c.Max != nil {
			bounds, err := s.analyze(c.Max)
			if err != nil {
				return nil, err
			}
			f.max = &bounds.Hi
			if most, err = expr.Eval(c.Max, s.last); err != nil {
				return nil, err
			}
		}
		if c.Typical != nil {
			v, err := expr.Eval(c.Typical, s.last)
			if err != nil {
				return nil, err
			}
			v = min(v, most) // a batch never has more
			f.typical = &v
		}
	}
	return s, nil
}

// analyze bounds an expression over the ranges of the parameters.
func (s *sizes) analyze(n *expr.Node) (expr.Bounds, error) {
	return expr.Analyze(n, s.box, expr.AnalysisEnv{
		Count: func(ref int) (expr.Bounds, error) {
			if m := s.counts[ref].max; m != nil {
				return expr.Bounds{Hi: *m, Dynamic: true}, nil
			}
			t := s.seq.Types[s.seq.Buffers[s.seq.Counts[ref].At].Type]
			return expr.Bounds{Hi: ^uint64(0) >> (64 - 8*min(uint64(t.Size), 8)), Dynamic: true}, nil
		},
		CountOf: func(ref int) (expr.Bounds, error) {
			of := s.of(sequences.BufferID(ref))
			return of.elements, of.err
		},
	})
}

// of returns the size of a buffer.
func (s *sizes) of(id sequences.BufferID) *size {
	out := &s.buffers[id]
	if out.known {
		return out
	}
	out.known = true
	b := &s.seq.Buffers[id]
	for _, ref := range expr.Refs(b.Count, expr.Count) {
		out.dynamic = true
		out.unbounded = out.unbounded || s.counts[ref].max == nil
	}
	for _, ref := range expr.Refs(b.Count, expr.CountOf) {
		of := s.of(sequences.BufferID(ref))
		out.dynamic = out.dynamic || of.dynamic
		out.unbounded = out.unbounded || of.unbounded
	}
	elem := uint64(s.seq.Types[b.Type].Size)
	if out.elements, out.err = s.analyze(b.Count); out.err == nil && !out.unbounded {
		if n, err := checked.Mul(out.elements.Hi, elem); err == nil {
			out.max = &n
		} else {
			out.err = err
		}
	}
	if out.dynamic {
		elements, err := s.last.elements(id)
		if err == nil {
			elements, err = checked.Mul(elements, elem)
		}
		if err == nil {
			out.typical = &elements
		}
	}
	return out
}

// sizer evaluates expressions at the largest parameters, with every count typical.
type sizer struct{ *sizes }

// Param implements expr.Env.
func (e *sizer) Param(ref int) (uint64, error) { return e.seq.Params[ref].Max, nil }

// Count implements expr.Env.
func (e *sizer) Count(ref int) (uint64, error) {
	if t := e.counts[ref].typical; t != nil {
		return *t, nil
	}
	return 0, errNoValue
}

// CountOf implements expr.Env.
func (e *sizer) CountOf(ref int) (uint64, error) { return e.elements(sequences.BufferID(ref)) }

func (e *sizer) elements(id sequences.BufferID) (uint64, error) {
	at := &e.typicals[id]
	if !at.known {
		v, err := expr.Eval(e.seq.Buffers[id].Count, e)
		*at = element{true, v, err}
	}
	return at.value, at.err
}
