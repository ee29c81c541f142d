package abi

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
)

// Calculate returns the result of an arithmetic opcode, OpAdd to OpMax, on a and b,
// b from the top of the stack. The error is one of package checked, or wraps
// ErrProgram for another opcode.
func (o Op) Calculate(a, b uint64) (uint64, error) {
	switch o.Code() {
	case OpAdd:
		return checked.Add(a, b)
	case OpSub:
		return checked.Sub(a, b)
	case OpMul:
		return checked.Mul(a, b)
	case OpDiv:
		return checked.Div(a, b)
	case OpMod:
		return checked.Mod(a, b)
	case OpCeilDiv:
		return checked.CeilDiv(a, b)
	case OpAlignUp:
		return checked.AlignUp(a, b)
	case OpMin:
		return min(a, b), nil
	case OpMax:
		return max(a, b), nil
	}
	return 0, fmt.Errorf("%w: %s is no arithmetic", ErrProgram, o)
}
