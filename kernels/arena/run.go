package arena

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// run executes a size program. value is what FailedBytes records of the failure.
func (m *machine) run(first, words uint64) (size uint64, code abi.Code, value uint64) {
	if words > abi.MaxCodeSize || first > m.header.Words || words > m.header.Words-first {
		return 0, abi.BadProgram, 0
	}
	sp := 0
	for pc, end := first, first+words; pc < end; {
		raw, ok := m.instruction(pc)
		op := abi.Op(raw)
		pops, pushes := op.Stack()
		next := pc + 1 + uint64(op.Immediates())
		if !ok || !op.ValidArg(m.header.NumParams) || next > end || sp < pops || sp-pops+pushes > abi.MaxStack {
			return 0, abi.BadProgram, 0
		}
		sp -= pops
		v, code, failed := m.execute(op, pc, m.stack[sp:sp+pops])
		if code != abi.OK {
			return 0, code, failed
		}
		m.stack[sp] = v
		sp += pushes
		pc = next
	}
	if sp != 1 {
		return 0, abi.BadProgram, 0
	}
	return m.stack[0], abi.OK, 0
}

// execute runs one instruction on its arguments.
func (m *machine) execute(op abi.Op, pc uint64, args []uint64) (v uint64, code abi.Code, failed uint64) {
	ok := true
	switch op.Code() {
	case abi.OpConst:
		v, ok = m.instruction(pc + 1)
	case abi.OpParam:
		v, ok = m.mem.word(m.header.ParamsOffset, uint64(op.A()))
	case abi.OpLoad:
		v, ok = m.load(op, pc, args[0])
	case abi.OpLoadSlot:
		v, ok = m.loadSlot(op, pc, args[0])
	case abi.OpCheckMax:
		if args[0] > args[1] {
			return 0, abi.CountOverMax, args[0]
		}
		v = args[0]
	default:
		v, err := op.Calculate(args[0], args[1])
		if err != nil {
			return 0, abi.BadArithmetic, 0
		}
		return v, abi.OK, 0
	}
	if !ok {
		return 0, abi.BadProgram, 0
	}
	return v, abi.OK, 0
}

// load reads an element of a static buffer.
func (m *machine) load(op abi.Op, pc, index uint64) (uint64, bool) {
	offset, ok := m.instruction(pc + 1)
	size, ok2 := m.instruction(pc + 2)
	if !ok || !ok2 {
		return 0, false
	}
	return m.element(offset, size, uint64(op.A()), index)
}

// loadSlot reads an element of a dynamic buffer.
func (m *machine) loadSlot(op abi.Op, pc, index uint64) (uint64, bool) {
	i, ok := m.instruction(pc + 1)
	b := m.slot(i)
	if !ok || b == nil {
		return 0, false
	}
	s := abi.ReadSlot(b)
	if s.Offset == abi.NotPlaced {
		return 0, false
	}
	return m.element(s.Offset, s.Size, uint64(op.A()), index)
}

// element loads element index of the buffer [offset, offset+size). run has checked
// the width.
func (m *machine) element(offset, size, width, index uint64) (uint64, bool) {
	if index >= size/width {
		return 0, false
	}
	at, err := checked.Add(offset, index*width)
	if err != nil {
		return 0, false
	}
	return m.mem.uint(at, width)
}
