package hostsize

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// Sizing is a size program that the host runs. It knows which of the counts each of
// its loads stands for.
type Sizing struct {
	code  []uint64
	loads []int // by load, in the order of the program: the index of the cell
}

// Loads reports whether the size depends on the count in a cell.
func (z *Sizing) Loads(cell int) bool {
	for _, c := range z.loads {
		if c == cell {
			return true
		}
	}
	return false
}

// OverMaxError says that a count is above its declared max.
type OverMaxError struct {
	Cell       int // where the count lies
	Value, Max uint64
}

func (e *OverMaxError) Error() string {
	return fmt.Sprintf("the count %d is above its max %d", e.Value, e.Max)
}

// Run returns the size in bytes, with the values of the launch-time parameters and of
// the counts by cell. The error is an *OverMaxError or one of package checked.
func (z *Sizing) Run(params, counts []uint64) (uint64, error) {
	var memory [abi.MaxStack]uint64
	stack, load := memory[:0], 0
	for pc := 0; pc < len(z.code); {
		op := abi.Op(z.code[pc])
		pops, _ := op.Stack()
		args := stack[len(stack)-pops:] // abi.DecodeProgram has checked the stack
		var v uint64
		switch op.Code() {
		case abi.OpConst:
			v = z.code[pc+1]
		case abi.OpParam:
			v = params[op.A()]
		case abi.OpLoad, abi.OpLoadSlot:
			v = counts[z.loads[load]]
			load++
		case abi.OpCheckMax:
			if v = args[0]; v > args[1] {
				// A max knows no counts, so that the count was loaded last.
				return 0, &OverMaxError{z.loads[load-1], v, args[1]}
			}
		default:
			var err error
			if v, err = op.Calculate(args[0], args[1]); err != nil {
				return 0, err
			}
		}
		stack = append(stack[:len(stack)-pops], v)
		pc += 1 + op.Immediates()
	}
	return stack[0], nil
}

// reference is a load of a size program.
type reference struct {
	slot         bool
	where        uint64 // the slot, or the offset of the static buffer
	size         uint64 // of the static buffer, bytes
	index, width uint64
}

// references returns the loads of a size program, whose indexes depend on parameters
// alone.
func references(code, params []uint64) ([]reference, error) {
	type term struct {
		known bool
		value uint64
	}
	var stack []term
	var all []reference
	for pc := 0; pc < len(code); {
		op := abi.Op(code[pc])
		pops, _ := op.Stack()
		args := stack[len(stack)-pops:]
		var v term
		switch op.Code() {
		case abi.OpConst:
			v = term{true, code[pc+1]}
		case abi.OpParam:
			v = term{true, params[op.A()]}
		case abi.OpLoad, abi.OpLoadSlot:
			if !args[0].known {
				return nil, fmt.Errorf("%w: a count lies where another count says", abi.ErrProgram)
			}
			r := reference{slot: op.Code() == abi.OpLoadSlot, where: code[pc+1], index: args[0].value, width: uint64(op.A())}
			if !r.slot {
				r.size = code[pc+2]
			}
			all = append(all, r)
		case abi.OpCheckMax:
			v = args[0]
		default:
			if args[0].known && args[1].known {
				value, err := op.Calculate(args[0].value, args[1].value)
				if err != nil {
					return nil, err
				}
				v = term{true, value}
			}
		}
		stack = append(stack[:len(stack)-pops], v)
		pc += 1 + op.Immediates()
	}
	return all, nil
}
