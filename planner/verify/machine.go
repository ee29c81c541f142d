package verify

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

var (
	errMalformed = errors.New("malformed size program")
	errOverMax   = errors.New("count over its max")
)

// machine runs a size program. Its memory holds the counts, each where the
// layout and the sequence say, and nothing else. A count with a max is good for
// nothing but to be compared with that max, until that is done.
type machine struct {
	c        *checker
	v        *values
	now      int // the step
	stack    []uint64
	raw      map[int]*raw // by depth on the stack
	badLoad  string
	badCheck string
}

// raw is a value that was loaded and not used yet: the counts that it may be, since
// several may name one element.
type raw struct {
	bounded []sequences.CountID // those with a max
	free    bool                // or one without
}

func (m *machine) run(code []uint64) (uint64, error) {
	for len(code) > 0 {
		op := abi.Op(code[0])
		n := 1 + op.Immediates()
		if n > len(code) || !op.ValidArg(uint64(len(m.c.layout.Params))) {
			return 0, errMalformed
		}
		if err := m.step(op, code[1:n]); err != nil {
			return 0, err
		}
		if len(m.stack) > abi.MaxStack {
			return 0, errMalformed
		}
		code = code[n:]
	}
	if len(m.stack) != 1 {
		return 0, errMalformed
	}
	return m.pop()
}

// pop takes a value that is no unchecked count.
func (m *machine) pop() (uint64, error) {
	value, r, err := m.popRaw()
	if err == nil && r != nil && !r.free {
		m.badCheck = fmt.Sprintf("the count %s is used before it is compared with its max", m.c.seq.Counts[r.bounded[0]].Name)
		err = errMalformed
	}
	return value, err
}

// popRaw takes any value; with it comes what it may be if it is raw, else nil.
func (m *machine) popRaw() (uint64, *raw, error) {
	if len(m.stack) == 0 {
		return 0, nil, errMalformed
	}
	at := len(m.stack) - 1
	top, r := m.stack[at], m.raw[at]
	delete(m.raw, at)
	m.stack = m.stack[:at]
	return top, r, nil
}

func (m *machine) step(op abi.Op, imm []uint64) error {
	switch op.Code() {
	case abi.OpConst:
		m.stack = append(m.stack, imm[0])
		return nil
	case abi.OpParam:
		return m.param(int(op.A()))
	case abi.OpLoad, abi.OpLoadSlot:
		index, err := m.pop()
		if err != nil {
			return err
		}
		value, r, err := m.load(op, imm, index)
		m.raw[len(m.stack)] = r
		m.stack = append(m.stack, value)
		return err
	}
	b, err := m.pop()
	if err != nil {
		return err
	}
	if op.Code() == abi.OpCheckMax {
		return m.checkMax(b)
	}
	a, err := m.pop()
	if err != nil {
		return err
	}
	value, err := op.Calculate(a, b)
	m.stack = append(m.stack, value)
	return err
}

// checkMax compares the count on the stack with a bound, which must be its max.
func (m *machine) checkMax(bound uint64) error {
	value, r, err := m.popRaw()
	if err != nil {
		return err
	}
	known := false
	for i := 0; r != nil && i < len(r.bounded); i++ {
		id := r.bounded[i]
		most, err := m.v.eval(m.c.seq.Counts[id].Max)
		known = known || err == nil && most == bound
	}
	if !known {
		m.badCheck = fmt.Sprintf("it compares with the bound %d, which is the max of no count there", bound)
		return errMalformed
	}
	m.stack = append(m.stack, value)
	if value > bound {
		return errOverMax
	}
	return nil
}

// param pushes a launch-time parameter; properties have no index.
func (m *machine) param(index int) error {
	for i, p := range m.c.seq.Params {
		if p.Min == p.Max {
			continue
		}
		if index == 0 {
			m.stack = append(m.stack, m.v.params[i])
			return nil
		}
		index--
	}
	return errMalformed
}

// place is memory as a load instruction names it.
type place struct {
	op           abi.Op
	slotOrOffset uint64
	size         uint64 // of a static buffer; 0 for a slot
	width        uint32
}

// countPlaces finds the counts by the place that a load has to name.
func (c *checker) countPlaces() map[place][]sequences.CountID {
	out := map[place][]sequences.CountID{}
	for i, count := range c.seq.Counts {
		p := place{width: uint32(c.seq.Types[c.seq.Buffers[count.At].Type].Size)}
		if at, static := c.static[count.At]; static {
			e := c.layout.Buffers[at]
			p.op, p.slotOrOffset, p.size = abi.OpLoad, e.Offset, e.Size
		} else {
			p.op, p.slotOrOffset = abi.OpLoadSlot, uint64(c.slot[count.At])
		}
		out[p] = append(out[p], sequences.CountID(i))
	}
	return out
}

// load returns the count that lies at an element of a buffer at this step.
func (m *machine) load(op abi.Op, imm []uint64, index uint64) (uint64, *raw, error) {
	p := place{op: op.Code(), slotOrOffset: imm[0], width: op.A()}
	if p.op == abi.OpLoad {
		p.size = imm[1]
	}
	var value uint64
	var r *raw
	for _, id := range m.c.places[p] {
		count := m.c.seq.Counts[id]
		if l := m.c.lives[count.At]; m.now < l.first || m.now >= l.end {
			continue // other bytes lie there now
		}
		if want, err := m.v.eval(count.Index); err == nil && want == index {
			if r == nil {
				value, r = m.v.counts[id], new(raw)
			}
			if count.Max == nil {
				r.free = true
			} else {
				r.bounded = append(r.bounded, id)
			}
		}
	}
	if r != nil {
		return value, r, nil
	}
	m.badLoad = fmt.Sprintf("no count lies at %s %v, index %d, width %d", op, imm, index, op.A())
	return 0, nil, errMalformed
}
