package arena_test

import "github.com/seqplan/seqplan/kernels/abi"

// Instr is one instruction of a size program.
type Instr struct {
	Op  abi.Op // without its argument
	A   uint32
	Imm []uint64
}

// Const leaves v.
func Const(v uint64) Instr { return Instr{Op: abi.OpConst, Imm: []uint64{v}} }

// Param leaves the value of a launch-time parameter.
func Param(i uint32) Instr { return Instr{Op: abi.OpParam, A: i} }

// Do is an instruction without argument and immediates.
func Do(op abi.Op) Instr { return Instr{Op: op} }

// Load takes an index and leaves that integer of a static buffer of size bytes.
func Load(width uint32, offset, size uint64) Instr {
	return Instr{Op: abi.OpLoad, A: width, Imm: []uint64{offset, size}}
}

// LoadSlot takes an index and leaves that integer of a dynamic buffer.
func LoadSlot(width uint32, slot uint64) Instr {
	return Instr{Op: abi.OpLoadSlot, A: width, Imm: []uint64{slot}}
}

// Encode returns the words of a size program.
func Encode(code ...Instr) []uint64 {
	var words []uint64
	for _, i := range code {
		words = append(append(words, uint64(i.Op.With(i.A))), i.Imm...)
	}
	return words
}

// Alloc is one allocation.
type Alloc struct {
	Slot, Flags, Base, Rule uint64
	Code                    []Instr
}

// Sized allocates a slot with a constant size.
func Sized(slot, size uint64) Alloc { return Alloc{Slot: slot, Code: []Instr{Const(size)}} }

// Step is the entry of one step.
type Step struct {
	Releases []uint64
	Allocs   []Alloc
}

// Program is a step program. The end step, which may be empty, is the last of
// Steps.
type Program struct {
	Slots, Params             uint64
	SlotsOffset, ParamsOffset uint64
	ExtentsOffset             uint64
	Steps                     []Step
}

// Words encodes the program as package abi describes it.
func (p *Program) Words() []uint64 {
	releases, allocs := 0, 0
	for _, s := range p.Steps {
		releases += len(s.Releases)
		allocs += len(s.Allocs)
	}
	firstRelease := abi.HeaderWords + abi.StepWords*len(p.Steps)
	firstAlloc := firstRelease + releases
	firstCode := firstAlloc + abi.AllocWords*allocs
	words := []uint64{
		abi.ProgramMagic, 0, uint64(len(p.Steps) - 1), p.Slots, p.Params, p.SlotsOffset, p.ParamsOffset, p.ExtentsOffset,
	}
	var releaseWords, allocWords, code []uint64
	for _, s := range p.Steps {
		words = append(words, uint64(firstRelease+len(releaseWords)), uint64(len(s.Releases)),
			uint64(firstAlloc+len(allocWords)), uint64(len(s.Allocs)))
		releaseWords = append(releaseWords, s.Releases...)
		for _, a := range s.Allocs {
			c := Encode(a.Code...)
			allocWords = append(allocWords, a.Slot, a.Flags, a.Base, uint64(firstCode+len(code)), uint64(len(c)), a.Rule)
			code = append(code, c...)
		}
	}
	words = append(append(append(words, releaseWords...), allocWords...), code...)
	words[1] = uint64(len(words))
	return words
}
