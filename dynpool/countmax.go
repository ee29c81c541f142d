package dynpool

import (
	"encoding/binary"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// term is what the host knows of a value on the stack of a size program. It does
// not know what the device has counted.
type term struct {
	known bool
	value uint64
	place string // of a count: where it was loaded from
}

// check is a comparison of a count with its max that may be the one that failed.
type check struct{ count, limit term }

// exceeded finds the comparison at which the size program of a slot has failed with
// a value, and returns where the count lies and its max, each if it is certain.
func (p *Pool) exceeded(slot abi.SlotID, value uint64) (count string, limit uint64, known bool) {
	a := p.alloc(slot)
	if a == nil {
		return "", 0, false
	}
	checks := p.failedChecks(a.Code, value)
	if len(checks) == 0 {
		return "", 0, false
	}
	count, bound := checks[0].count.place, checks[0].limit
	for _, c := range checks[1:] {
		if c.count.place != count {
			count = ""
		}
		if c.limit != bound {
			bound = term{}
		}
	}
	return count, bound.value, bound.known
}

// alloc returns the allocation of a slot, or nil.
func (p *Pool) alloc(slot abi.SlotID) *abi.DecodedAlloc {
	if slot < 0 {
		return nil
	}
	allocs := p.program.Steps[p.Layout().Slots[slot].Step].Allocs
	for i := range allocs {
		if allocs[i].Slot == uint64(slot) {
			return &allocs[i]
		}
	}
	return nil
}

// failedChecks runs a size program, which abi.DecodeProgram has checked, with what
// is known, and returns the comparisons that a value can have failed.
func (p *Pool) failedChecks(code []uint64, value uint64) (checks []check) {
	var stack []term
	for pc := 0; pc < len(code); {
		op := abi.Op(code[pc])
		pops, _ := op.Stack()
		args := stack[len(stack)-pops:]
		immediates := code[pc+1:][:op.Immediates()]
		var v term
		switch op.Code() {
		case abi.OpConst:
			v = term{known: true, value: immediates[0]}
		case abi.OpParam:
			v = term{known: true, value: binary.LittleEndian.Uint64(p.paramValues()[op.A()*abi.WordSize:])}
		case abi.OpLoad:
			v.place = element(p.staticName(immediates[0], immediates[1]), args[0])
		case abi.OpLoadSlot:
			v.place = element(p.Layout().Slots[immediates[0]].Name, args[0])
		case abi.OpCheckMax:
			v = args[0]
			mayBe := !v.known || v.value == value
			if limit := args[1]; mayBe && limit.value < value { // 0 if it is not known
				checks = append(checks, check{v, limit})
			}
		default:
			if args[0].known && args[1].known {
				result, err := op.Calculate(args[0].value, args[1].value)
				v = term{known: err == nil, value: result}
			}
		}
		stack = append(stack[:len(stack)-pops], v)
		pc += 1 + op.Immediates()
	}
	return checks
}

// staticName returns the name of the static device buffer at an offset, or "" if
// several share it at different times.
func (p *Pool) staticName(offset, size uint64) (name string) {
	for i := range p.Layout().Buffers {
		b := &p.Layout().Buffers[i]
		if b.Scope != abi.ScopeDevice || b.Offset != offset || b.Size != size {
			continue
		}
		if name != "" {
			return ""
		}
		name = b.Name
	}
	return name
}

// element names an element of a buffer, or the buffer if the index is not known.
func element(name string, index term) string {
	if name == "" || !index.known {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, index.value)
}
