package arena_test

import (
	"math/big"

	"github.com/seqplan/seqplan/kernels/abi"
)

// size runs a size program.
func (m *model) size(code []Instr) (*big.Int, *trouble) {
	var stack []*big.Int
	for _, in := range code {
		pops := 2
		switch in.Op {
		case abi.OpConst, abi.OpParam:
			pops = 0
		case abi.OpLoad, abi.OpLoadSlot:
			pops = 1
		}
		if in.Op < abi.OpConst || in.Op > abi.OpCheckMax || !m.legal(in) || len(stack) < pops || len(stack)-pops+1 > 32 {
			return nil, bad
		}
		args := stack[len(stack)-pops:]
		v, why := m.execute(in, args)
		if why != nil {
			return nil, why
		}
		stack = append(stack[:len(stack)-pops:len(stack)-pops], v)
	}
	if len(stack) != 1 {
		return nil, bad
	}
	return stack[0], nil
}

func (m *model) legal(in Instr) bool {
	switch in.Op {
	case abi.OpLoad, abi.OpLoadSlot:
		return in.A == 1 || in.A == 2 || in.A == 4 || in.A == 8
	case abi.OpParam:
		return uint64(in.A) < m.c.Params
	}
	return in.A == 0
}

func (m *model) execute(in Instr, args []*big.Int) (*big.Int, *trouble) {
	switch in.Op {
	case abi.OpConst:
		return u(in.Imm[0]), nil
	case abi.OpParam:
		return u(m.c.Values[in.A]), nil
	case abi.OpLoad:
		return m.load(u(in.Imm[0]), u(in.Imm[1]), int64(in.A), args[0])
	case abi.OpLoadSlot:
		s, ok := m.slots[in.Imm[0]]
		if !ok || s.offset == nil {
			return nil, bad
		}
		return m.load(s.offset, s.size, int64(in.A), args[0])
	case abi.OpCheckMax:
		if args[0].Cmp(args[1]) > 0 {
			return nil, &trouble{abi.CountOverMax, args[0].Uint64()}
		}
		return args[0], nil
	case abi.OpMin:
		if args[0].Cmp(args[1]) < 0 {
			return args[0], nil
		}
		return args[1], nil
	case abi.OpMax:
		if args[0].Cmp(args[1]) > 0 {
			return args[0], nil
		}
		return args[1], nil
	}
	v := calculate(in.Op, args[0], args[1])
	if v == nil || v.Sign() < 0 || v.Cmp(top) > 0 {
		return nil, &trouble{code: abi.BadArithmetic}
	}
	return v, nil
}

// calculate returns nil for a division by zero.
func calculate(op abi.Op, a, b *big.Int) *big.Int {
	v := new(big.Int)
	switch op {
	case abi.OpAdd:
		return v.Add(a, b)
	case abi.OpSub:
		return v.Sub(a, b)
	case abi.OpMul:
		return v.Mul(a, b)
	}
	if b.Sign() == 0 {
		return nil
	}
	switch op {
	case abi.OpDiv:
		return v.Div(a, b)
	case abi.OpMod:
		return v.Mod(a, b)
	}
	v.Add(a, b).Sub(v, one).Div(v, b) // ceil_div
	if op == abi.OpAlignUp {
		v.Mul(v, b)
	}
	return v
}

// load reads element index of the buffer [offset, offset+size) byte by byte.
func (m *model) load(offset, size *big.Int, width int64, index *big.Int) (*big.Int, *trouble) {
	from := new(big.Int).Mul(index, big.NewInt(width))
	end := new(big.Int).Add(from, big.NewInt(width))
	if end.Cmp(size) > 0 {
		return nil, bad
	}
	from.Add(from, offset)
	end.Add(end, offset)
	if end.Cmp(u(uint64(len(m.pool)))) > 0 {
		return nil, bad
	}
	v := new(big.Int)
	for i := width - 1; i >= 0; i-- {
		v.Lsh(v, 8).Or(v, u(uint64(m.pool[from.Int64()+i])))
	}
	return v, nil
}
