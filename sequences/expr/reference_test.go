package expr

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// values are the values of all leaves. It is an Env.
type values struct{ params, counts, buffers []uint64 }

func (v values) Param(ref int) (uint64, error)   { return v.params[ref], nil }
func (v values) Count(ref int) (uint64, error)   { return v.counts[ref], nil }
func (v values) CountOf(ref int) (uint64, error) { return v.buffers[ref], nil }

// refEval is the reference: every operation on unbounded integers, by its
// definition, and the result checked afterwards.
func refEval(n *Node, env Env) (*big.Int, error) {
	var leaf uint64
	var err error
	switch n.Kind {
	case Lit:
		leaf = n.Value
	case Param:
		leaf, err = env.Param(n.Ref)
	case Count:
		leaf, err = env.Count(n.Ref)
	case CountOf:
		leaf, err = env.CountOf(n.Ref)
	default:
		acc, err := refEval(n.Args[0], env)
		for _, arg := range n.Args[1:] {
			if err != nil {
				return nil, err
			}
			var v *big.Int
			if v, err = refEval(arg, env); err == nil {
				acc, err = refApply(n.Kind, acc, v)
			}
		}
		return acc, err
	}
	return new(big.Int).SetUint64(leaf), err
}

func refApply(kind Kind, a, b *big.Int) (*big.Int, error) {
	r := new(big.Int)
	if b.Sign() == 0 && (kind == Div || kind == Mod || kind == CeilDiv || kind == AlignUp) {
		return nil, checked.ErrDivZero
	}
	roundedUp := func() *big.Int { // ceil(a / b) = (a + b - 1) / b
		return new(big.Int).Quo(new(big.Int).Add(a, new(big.Int).Sub(b, big.NewInt(1))), b)
	}
	switch kind {
	case Add:
		r.Add(a, b)
	case Sub:
		r.Sub(a, b)
	case Mul:
		r.Mul(a, b)
	case Div:
		r.Quo(a, b)
	case Mod:
		r.Rem(a, b)
	case CeilDiv:
		r = roundedUp()
	case AlignUp:
		r.Mul(roundedUp(), b)
	case Min, Max:
		if (a.Cmp(b) < 0) == (kind == Min) {
			r.Set(a)
		} else {
			r.Set(b)
		}
	default:
		return nil, fmt.Errorf("reference: kind %v", kind)
	}
	switch {
	case r.Sign() < 0:
		return nil, checked.ErrNegative
	case r.BitLen() > 64:
		return nil, checked.ErrOverflow
	}
	return r, nil
}

var errCountOverMax = errors.New("count over max")

// runCode interprets a size program by the words of package abi. memory holds
// what OpLoad finds, eight bytes each, from offset 0. most is the deepest stack.
func runCode(words, params, memory []uint64) (v uint64, most int, err error) {
	kinds := map[abi.Op]Kind{
		abi.OpAdd: Add, abi.OpSub: Sub, abi.OpMul: Mul, abi.OpDiv: Div, abi.OpMod: Mod,
		abi.OpCeilDiv: CeilDiv, abi.OpAlignUp: AlignUp, abi.OpMin: Min, abi.OpMax: Max,
	}
	var stack []uint64
	pop := func() uint64 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return v
	}
	for at := 0; at < len(words); {
		op := abi.Op(words[at])
		imm := words[at+1 : at+1+op.Immediates()]
		at += 1 + op.Immediates()
		switch op.Code() {
		case abi.OpConst:
			stack = append(stack, imm[0])
		case abi.OpParam:
			stack = append(stack, params[op.A()])
		case abi.OpLoad:
			stack = append(stack, memory[imm[0]/8+pop()])
		case abi.OpCheckMax:
			bound := pop()
			if stack[len(stack)-1] > bound {
				return 0, most, errCountOverMax
			}
		default:
			kind, ok := kinds[op.Code()]
			if !ok {
				return 0, most, fmt.Errorf("op %v", op)
			}
			b := new(big.Int).SetUint64(pop())
			a := new(big.Int).SetUint64(pop())
			r, err := refApply(kind, a, b)
			if err != nil {
				return 0, most, err
			}
			stack = append(stack, r.Uint64())
		}
		most = max(most, len(stack))
	}
	if len(stack) != 1 {
		return 0, most, fmt.Errorf("%d values left on the stack", len(stack))
	}
	return stack[0], most, nil
}
