package expr

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// Errors of Compile: the size program is over a limit of the ABI.
var (
	ErrStack    = fmt.Errorf("size program needs more than %d values on the stack", abi.MaxStack)
	ErrCodeSize = fmt.Errorf("size program is longer than %d words", abi.MaxCodeSize)
	errBadCode  = errors.New("code leaves nothing on the stack")
)

// Code is postfix code of package abi that leaves one value on the stack.
type Code struct {
	Words []uint64
	Stack int // values that it needs on the stack at most, at least 1
}

// ConstCode returns the code of a constant.
func ConstCode(v uint64) Code {
	return Code{Words: []uint64{uint64(abi.OpConst), v}, Stack: 1}
}

// ParamCode returns the code of the launch-time parameter with the given index
// in abi.Layout.Params.
func ParamCode(index uint32) Code {
	return Code{Words: []uint64{uint64(abi.OpParam.With(index))}, Stack: 1}
}

// Leaves gives Compile what the leaves of an expression stand for.
type Leaves interface {
	// Param returns the code of a parameter: ParamCode or, for a property, ConstCode.
	Param(ref int) (Code, error)
	// Count returns the code that leaves a checked count on the stack.
	Count(ref int) (Code, error)
	// CountOf returns the expression to use for the elements of a buffer.
	CountOf(ref int) (*Node, error)
}

// CompileError is why Compile failed. Err is ErrStack, ErrCodeSize,
// ErrMalformed, ErrUnresolved, or what the Leaves returned.
type CompileError struct {
	Node *Node
	Err  error
}

func (e *CompileError) Error() string { return fmt.Sprintf("%s: %v", excerpt(e.Node), e.Err) }

func (e *CompileError) Unwrap() error { return e.Err }

// Compile translates an expression to the code of a size program. Operands are
// computed from left to right, never reordered to save stack: loading a count
// can fail with a code of its own, and the first failure must be the same in
// every back end. A program that is too deep or too long is an error; the work
// is bounded also where count_of expands without end.
func Compile(n *Node, leaves Leaves) (Code, error) {
	c := compiler{leaves: leaves}
	if err := c.node(n); err != nil {
		return Code{}, err
	}
	return c.out, nil
}

type compiler struct {
	leaves Leaves
	out    Code
	depth  int // values on the stack now
	nodes  int // compiled so far
}

func (c *compiler) node(n *Node) error {
	// Every node makes a word or more, but for a count_of.
	if c.nodes++; c.nodes > 2*abi.MaxCodeSize {
		return &CompileError{n, ErrCodeSize}
	}
	if !n.wellFormed() {
		return &CompileError{n, ErrMalformed}
	}
	switch {
	case n.Kind == Lit:
		return c.splice(n, ConstCode(n.Value), nil)
	case n.Kind == Param:
		code, err := c.leaves.Param(n.Ref)
		return c.splice(n, code, err)
	case n.Kind == Count:
		code, err := c.leaves.Count(n.Ref)
		return c.splice(n, code, err)
	case n.Kind == CountOf:
		inner, err := c.leaves.CountOf(n.Ref)
		if err != nil {
			return &CompileError{n, err}
		}
		return c.node(inner)
	case n.Kind > Max:
		return &CompileError{n, ErrUnresolved}
	}
	return c.operation(n)
}

var opcodes = [...]abi.Op{
	Add: abi.OpAdd, Sub: abi.OpSub, Mul: abi.OpMul, Div: abi.OpDiv, Mod: abi.OpMod,
	CeilDiv: abi.OpCeilDiv, AlignUp: abi.OpAlignUp, Min: abi.OpMin, Max: abi.OpMax,
}

func (c *compiler) operation(n *Node) error {
	if err := c.node(n.Args[0]); err != nil {
		return err
	}
	for _, arg := range n.Args[1:] {
		if err := c.node(arg); err != nil {
			return err
		}
		c.depth--
		if err := c.emit(n, uint64(opcodes[n.Kind])); err != nil {
			return err
		}
	}
	return nil
}

// splice appends code that leaves one value more on the stack.
func (c *compiler) splice(n *Node, code Code, err error) error {
	switch {
	case err != nil:
		return &CompileError{n, err}
	case code.Stack < 1 || len(code.Words) == 0:
		return &CompileError{n, errBadCode}
	case c.depth+code.Stack > abi.MaxStack:
		return &CompileError{n, ErrStack}
	}
	c.out.Stack = max(c.out.Stack, c.depth+code.Stack)
	c.depth++
	return c.emit(n, code.Words...)
}

func (c *compiler) emit(n *Node, words ...uint64) error {
	if len(c.out.Words)+len(words) > abi.MaxCodeSize {
		return &CompileError{n, ErrCodeSize}
	}
	c.out.Words = append(c.out.Words, words...)
	return nil
}
