package planner

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// Sizes are the sizes of a sequence as its plan has them, without a packing.
type Sizes struct{ b *bounder }

// Size is what is known of the size of one buffer, in bytes.
type Size struct {
	Class   Class
	Max     uint64    // the largest size, unless Proof is ProofNone
	Proof   ProofKind // ProofNone: a count in it has no max
	Typical *uint64   // of a dynamic buffer: with every count typical, at the largest parameter values
}

// ErrNoBound is the error of a size that may leave uint64, or that nobody can bound.
var ErrNoBound = errors.New("the size has no proved bound")

// SizesOf bounds the sizes of a sequence over the ranges of its parameters.
func SizesOf(seq *sequences.Sequence) *Sizes { return &Sizes{boundSizes(seq, classify(seq))} }

// Buffer returns the size of a buffer. The error of a static one without bound wraps
// ErrNoBound; a sequence that has a plan has none.
func (s *Sizes) Buffer(id sequences.BufferID) (Size, error) {
	size := &s.b.sizes[id]
	if size.proof == "" {
		return Size{}, fmt.Errorf("%q: %w", s.b.seq.Buffers[id].Name, ErrNoBound)
	}
	return Size{Class: s.b.classes[id].class, Max: size.max, Proof: size.proof, Typical: size.typical}, nil
}

// Count returns the largest value of a count and its typical one, both at the largest
// parameter values; nil if it has none.
func (s *Sizes) Count(id sequences.CountID) (largest, typical *uint64) {
	c := &s.b.counts[id]
	if c.max.ok {
		largest = &c.max.Hi
	}
	return largest, c.typical
}

// pointsPerPart is how many points are tried in the time of one part otherwise.
const pointsPerPart = 64

// Work is about how much it took to find the sizes: how often a part of an expression was
// evaluated.
func (s *Sizes) Work() uint64 {
	points := uint64(1) // of an enumeration, which has an end
	for _, r := range s.b.box {
		points = min(points*min(r.Max-r.Min, expr.MaxPoints)+points, expr.MaxPoints)
	}
	work := uint64(0)
	for i := range s.b.elements {
		parts := uint64(0)
		expr.Walk(s.b.seq.Buffers[i].Count, func(*expr.Node) bool { parts++; return true })
		if s.b.elements[i].Proof == expr.ProofEnumerated {
			parts *= 1 + points/pointsPerPart
		}
		work += parts
	}
	return work
}

// Class returns the class of a buffer.
func (s *Sizes) Class(id sequences.BufferID) Class { return s.b.classes[id].class }

// Eval returns the value of an expression at the largest parameter values, with every count
// typical.
func (s *Sizes) Eval(n *expr.Node) (uint64, error) { return s.b.typical.eval(n) }
