package planner

import (
	"errors"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// errNoValue marks a count without the value that was asked for.
var errNoValue = errors.New("the count has no such value")

// evaluator evaluates expressions at one point: a value for each parameter and,
// where count is not nil, for each count. The elements of a buffer are computed
// once, however often count_of names it.
type evaluator struct {
	seq    *sequences.Sequence
	params []uint64
	count  func(sequences.CountID) (uint64, error)
	known  map[sequences.BufferID]evaluated
}

type evaluated struct {
	value uint64
	err   error
}

func newEvaluator(seq *sequences.Sequence, params []uint64) *evaluator {
	return &evaluator{seq: seq, params: params, known: map[sequences.BufferID]evaluated{}}
}

// eval returns the value of an expression.
func (e *evaluator) eval(n *expr.Node) (uint64, error) { return expr.Eval(n, e) }

// Param implements expr.Env.
func (e *evaluator) Param(ref int) (uint64, error) { return e.params[ref], nil }

// Count implements expr.Env.
func (e *evaluator) Count(ref int) (uint64, error) {
	if e.count == nil {
		return 0, errNoValue
	}
	return e.count(sequences.CountID(ref))
}

// CountOf implements expr.Env.
func (e *evaluator) CountOf(ref int) (uint64, error) { return e.elements(sequences.BufferID(ref)) }

// elements returns the number of elements of a buffer.
func (e *evaluator) elements(b sequences.BufferID) (uint64, error) {
	if v, ok := e.known[b]; ok {
		return v.value, v.err
	}
	value, err := e.eval(e.seq.Buffers[b].Count)
	e.known[b] = evaluated{value, err}
	return value, err
}

// bytes returns the size of a buffer in bytes.
func (e *evaluator) bytes(b sequences.BufferID) (uint64, error) {
	elements, err := e.elements(b)
	if err != nil {
		return 0, err
	}
	return checked.Mul(elements, uint64(e.seq.Types[e.seq.Buffers[b].Type].Size))
}

// largest returns the parameter values at the upper ends of the ranges.
func largest(seq *sequences.Sequence) []uint64 {
	at := make([]uint64, len(seq.Params))
	for i, p := range seq.Params {
		at[i] = p.Max
	}
	return at
}
