package expr

import (
	_ "embed" // for the prelude
	"fmt"
)

//go:embed prelude.h
var prelude string

// CPrelude returns the C source of the functions that printed C calls. It is
// plain C11, C++17 and CUDA, may be included more than once, and needs nothing
// but <stdint.h>. In OpenCL C, which has no headers, its names must be defined.
//
// The macro SEQPLAN_FN, if it is not defined before, is "static inline"; CUDA
// sources want __host__ __device__ in it. Each function takes a pointer to an
// int that is 0 or the first failure, whose only code is SEQPLAN_BAD_ARITHMETIC,
// the value of abi.BadArithmetic. After a failure every function returns 0.
func CPrelude() string { return prelude }

var cFunctions = [...]string{
	Add: "add", Sub: "sub", Mul: "mul", Div: "div", Mod: "mod",
	CeilDiv: "ceil_div", AlignUp: "align_up", Min: "min", Max: "max",
}

// PrintC prints an expression as a C expression of type uint64_t that calls the
// functions of CPrelude. err is the text of a pointer to the int that keeps the
// first failure. The leaves are of type uint64_t. The error is ErrMalformed or
// ErrUnresolved.
//
// C leaves open in which order arguments are evaluated. All failures have one
// code and the calls share nothing else, so the result does not depend on it.
func PrintC(n *Node, err string, leaf LeafName) (string, error) {
	p := printer{
		leaf: leaf,
		lit:  func(v uint64) string { return fmt.Sprintf("UINT64_C(%d)", v) },
		call: func(k Kind) string { return "seqplan_" + cFunctions[k] + "(" + err + ", " },
	}
	return p.text(n)
}
