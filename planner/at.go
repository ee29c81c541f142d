package planner

import (
	"fmt"

	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// Point evaluates the static expressions of a sequence at one value of each
// parameter.
type Point struct{ e *evaluator }

// At returns the point of the given parameter values, in the order of
// seq.Params. Values outside the declared ranges are refused.
func At(seq *sequences.Sequence, params []uint64) (*Point, error) {
	if len(params) != len(seq.Params) {
		return nil, fmt.Errorf("%d parameter values for %d parameters", len(params), len(seq.Params))
	}
	for i, p := range seq.Params {
		if params[i] < p.Min || params[i] > p.Max {
			return nil, fmt.Errorf("%s = %d is outside its range %d ... %d", p.Name, params[i], p.Min, p.Max)
		}
	}
	return &Point{newEvaluator(seq, params)}, nil
}

// Bytes returns the size of a static buffer in bytes.
func (p *Point) Bytes(b sequences.BufferID) (uint64, error) { return p.e.bytes(b) }

// Eval returns the value of a static expression.
func (p *Point) Eval(n *expr.Node) (uint64, error) { return p.e.eval(n) }
