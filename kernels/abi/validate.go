package abi

import "fmt"

// Stack returns how many values an instruction takes from the stack and how many
// it leaves.
func (o Op) Stack() (pops, pushes int) {
	switch o.Code() {
	case OpConst, OpParam:
		return 0, 1
	case OpLoad, OpLoadSlot:
		return 1, 1
	case OpAdd, OpSub, OpMul, OpDiv, OpMod, OpCeilDiv, OpAlignUp, OpMin, OpMax, OpCheckMax:
		return 2, 1
	}
	return 0, 0
}

// Known reports whether the opcode exists.
func (o Op) Known() bool { return o.Code() > OpInvalid && o.Code() < numOps }

// ValidArg reports whether the opcode exists and its argument is legal: a width of
// 1, 2, 4 or 8 bytes for a load, a parameter below numParams, zero for the others.
func (o Op) ValidArg(numParams uint64) bool {
	a := o.A()
	switch o.Code() {
	case OpLoad, OpLoadSlot:
		return a == 1 || a == 2 || a == 4 || a == 8
	case OpParam:
		return uint64(a) < numParams
	}
	return o.Known() && a == 0
}

// ValidateCode checks a size program: known opcodes with legal arguments, all
// immediates present, a stack of at most MaxStack values that never underflows
// and ends with one. The error wraps ErrProgram.
func ValidateCode(code []uint64, numParams, numSlots uint64) error {
	if len(code) > MaxCodeSize {
		return fmt.Errorf("%w: code of %d words, at most %d are allowed", ErrProgram, len(code), MaxCodeSize)
	}
	depth := 0
	for pc := 0; pc < len(code); {
		op := Op(code[pc])
		n := op.Immediates()
		if !op.Known() || pc+n >= len(code) {
			return fmt.Errorf("%w: instruction %#x at word %d", ErrProgram, uint64(op), pc)
		}
		legal := op.ValidArg(numParams) && (op.Code() != OpLoadSlot || code[pc+1] < numSlots)
		pops, pushes := op.Stack()
		depth += pushes - pops
		if !legal || depth < pushes || depth > MaxStack {
			return fmt.Errorf("%w: instruction %s at word %d", ErrProgram, op, pc)
		}
		pc += 1 + n
	}
	if depth != 1 {
		return fmt.Errorf("%w: code leaves %d values", ErrProgram, depth)
	}
	return nil
}
