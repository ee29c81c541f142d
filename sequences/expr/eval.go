package expr

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
)

// Errors of trees that cannot be evaluated at all.
var (
	ErrUnresolved = errors.New("expression holds an unresolved name")
	ErrMalformed  = errors.New("malformed expression")
)

// Env gives the values of the leaves of an expression.
type Env interface {
	Param(ref int) (uint64, error)
	Count(ref int) (uint64, error)
	CountOf(ref int) (uint64, error) // elements of a buffer
}

// EvalError is a failed evaluation. Err is ErrOverflow, ErrNegative or
// ErrDivZero of package checked, ErrUnresolved, ErrMalformed, or what the Env
// returned.
type EvalError struct {
	Node *Node // the operation or leaf that failed
	Err  error
}

func (e *EvalError) Error() string { return fmt.Sprintf("%s: %v", excerpt(e.Node), e.Err) }

func (e *EvalError) Unwrap() error { return e.Err }

// Eval computes the value of an expression. Arguments are evaluated from left
// to right, all of them; the first failure, an *EvalError, ends the evaluation.
func Eval(n *Node, env Env) (uint64, error) {
	if !n.wellFormed() {
		return 0, &EvalError{n, ErrMalformed}
	}
	var v uint64
	var err error
	switch {
	case n.Kind == Lit:
		return n.Value, nil
	case n.Kind == Param:
		v, err = env.Param(n.Ref)
	case n.Kind == Count:
		v, err = env.Count(n.Ref)
	case n.Kind == CountOf:
		v, err = env.CountOf(n.Ref)
	case n.Kind > Max:
		err = ErrUnresolved
	default:
		return evalOp(n, env)
	}
	if err != nil {
		return 0, &EvalError{n, err}
	}
	return v, nil
}

func evalOp(n *Node, env Env) (uint64, error) {
	acc, err := Eval(n.Args[0], env)
	if err != nil {
		return 0, err
	}
	for _, arg := range n.Args[1:] {
		v, err := Eval(arg, env)
		if err != nil {
			return 0, err
		}
		if acc, err = apply(n.Kind, acc, v); err != nil {
			return 0, &EvalError{n, err}
		}
	}
	return acc, nil
}

// apply is one operation on two values.
func apply(kind Kind, a, b uint64) (uint64, error) {
	switch kind {
	case Add:
		return checked.Add(a, b)
	case Sub:
		return checked.Sub(a, b)
	case Mul:
		return checked.Mul(a, b)
	case Div:
		return checked.Div(a, b)
	case Mod:
		return checked.Mod(a, b)
	case CeilDiv:
		return checked.CeilDiv(a, b)
	case AlignUp:
		return checked.AlignUp(a, b)
	case Min:
		return min(a, b), nil
	case Max:
		return max(a, b), nil
	}
	return 0, ErrMalformed
}
