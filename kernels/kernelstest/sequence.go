package kernelstest

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// Sequence is a small sequence to be laid out by hand. Nothing is checked: tests
// want wrong ones too.
type Sequence struct {
	Params     []abi.Param
	Statics    []abi.StaticBuffer // Offset is set by Layout; see Offset
	Steps      []Step
	ArenaAlign uint64 // 0 means 256
	Reuse      bool   // the arena mode
}

// Step is one step. The index one behind the last step is the end step.
type Step struct {
	Host, Wait bool
	Releases   []uint64 // slots, with abi.ReleaseSlotOnly
	Allocs     []Buffer
}

// Buffer is one dynamic buffer. Its slot is its index in file order.
type Buffer struct {
	Name      string
	Host      bool
	InPlace   bool
	InPlaceOf uint64   // slot, if InPlace
	Code      []uint64 // size program
	Rule      uint64
}

const align = 256

// Offset returns the offset of a static buffer in the pool of its scope: those of
// the device start behind the control block.
func (s *Sequence) Offset(static int) uint64 {
	next := [2]uint64{abi.ScopeDevice: align}
	for _, b := range s.Statics[:static] {
		next[b.Scope] = roundUp(next[b.Scope] + b.Size)
	}
	return next[s.Statics[static].Scope]
}

func roundUp(v uint64) uint64 { return (v + align - 1) &^ (align - 1) }

// Load is code that loads an element of a static buffer with the index on the
// stack. Elements have the width of the buffer's ElemSize.
func (s *Sequence) Load(static int) []uint64 {
	b := &s.Statics[static]
	return []uint64{uint64(abi.OpLoad.With(uint32(b.ElemSize))), s.Offset(static), b.Size}
}

// LoadSlot is code that loads an element of a dynamic buffer with the index on the
// stack.
func LoadSlot(slot uint64, width uint32) []uint64 {
	return []uint64{uint64(abi.OpLoadSlot.With(width)), slot}
}

// Const is code that pushes a value.
func Const(v uint64) []uint64 { return []uint64{uint64(abi.OpConst), v} }

// Param is code that pushes a launch-time parameter.
func Param(i uint32) []uint64 { return []uint64{uint64(abi.OpParam.With(i))} }

// Code is a piece of code of one instruction without immediates.
func Code(op abi.Op) []uint64 { return []uint64{uint64(op)} }

// Layout lays the sequence out: control block, static buffers, slots, extents,
// parameter values, step program.
func (s *Sequence) Layout() *abi.Layout {
	l := &abi.Layout{
		Name: "test", PlanHash: 0x7E57, Params: s.Params, Batch: -1,
		ArenaAlign: s.ArenaAlign, Reuse: s.Reuse,
	}
	if len(s.Params) > 0 {
		l.Batch = 0
	}
	if l.ArenaAlign == 0 {
		l.ArenaAlign = align
	}
	end := [2]uint64{abi.ScopeDevice: align}
	for i, b := range s.Statics {
		b.Offset = s.Offset(i)
		if b.Align == 0 {
			b.Align = align
		}
		end[b.Scope] = roundUp(b.Offset + b.Size)
		l.Buffers = append(l.Buffers, b)
	}
	for i, step := range s.Steps {
		info := abi.StepInfo{Name: fmt.Sprintf("step%d", i), Host: step.Host, Wait: step.Wait, Dynamic: len(step.Allocs)+len(step.Releases) > 0}
		l.Steps = append(l.Steps, info)
		for _, b := range step.Allocs {
			slot := abi.SlotInfo{Name: b.Name, ElemSize: 1, Step: i}
			if slot.Name == "" {
				slot.Name = fmt.Sprintf("buffer%d", len(l.Slots))
			}
			if b.Host {
				slot.Scope = abi.ScopeHost
			}
			l.Slots = append(l.Slots, slot)
		}
	}
	l.SlotsOffset = end[abi.ScopeDevice]
	l.ExtentsOffset = abi.NextLine(l.SlotsOffset + uint64(len(l.Slots))*abi.SlotSize)
	l.ParamsOffset = abi.NextLine(l.ExtentsOffset + abi.ExtentsSize(len(l.Slots)))
	l.ProgramOffset = abi.NextLine(l.ParamsOffset + uint64(len(l.Params))*abi.WordSize)
	l.Program = s.program(l)
	regionAlign := max(l.ArenaAlign, align)
	size := l.ProgramOffset + uint64(len(l.Program))*abi.WordSize
	l.Device = abi.Region{Size: (size + regionAlign - 1) &^ (regionAlign - 1), Align: regionAlign}
	l.Host = abi.Region{Size: end[abi.ScopeHost], Align: align}
	return l
}

func (s *Sequence) program(l *abi.Layout) []uint64 {
	var releases, allocs, code []uint64
	for _, step := range s.Steps {
		releases = append(releases, step.Releases...)
	}
	firstRelease := uint64(abi.HeaderWords + abi.StepWords*(len(s.Steps)+1))
	firstAlloc := firstRelease + uint64(len(releases))
	firstCode := firstAlloc + uint64(abi.AllocWords*len(l.Slots))
	words := []uint64{
		abi.ProgramMagic, 0, uint64(len(s.Steps)), uint64(len(l.Slots)),
		uint64(len(s.Params)), l.SlotsOffset, l.ParamsOffset, l.ExtentsOffset,
	}
	release, slot := firstRelease, uint64(0)
	for _, step := range append(s.Steps[:len(s.Steps):len(s.Steps)], Step{}) {
		words = append(words, release, uint64(len(step.Releases)), firstAlloc+uint64(len(allocs)), uint64(len(step.Allocs)))
		release += uint64(len(step.Releases))
		for _, b := range step.Allocs {
			flags, base := uint64(0), uint64(0)
			if b.Host {
				flags |= abi.AllocHost
			}
			if b.InPlace {
				flags |= abi.AllocInPlace
				base = b.InPlaceOf
			}
			allocs = append(allocs, slot, flags, base, firstCode+uint64(len(code)), uint64(len(b.Code)), b.Rule)
			code = append(code, b.Code...)
			slot++
		}
	}
	words = append(append(append(words, releases...), allocs...), code...)
	words[1] = uint64(len(words))
	return words
}

// Image returns a device pool of a layout with an arena of the given capacity, as
// the host hands it to the device: line 0, the parameter values and the program.
// The arena itself is left out if it is larger than limit bytes.
func Image(l *abi.Layout, capacity, limit uint64, params ...uint64) []byte {
	pool := make([]byte, l.Device.Size+min(capacity, limit))
	flags := uint64(0)
	if l.Reuse {
		flags = abi.FlagReuse
	}
	abi.HostLine{
		Magic: abi.Magic, Flags: flags, ArenaStart: l.Device.Size, ArenaCapacity: capacity, ArenaAlign: l.ArenaAlign,
		Epoch: 1, NumSlots: uint64(len(l.Slots)), PlanHash: l.PlanHash,
	}.Put(pool[l.ControlOffset:])
	abi.PutWords(pool[l.ParamsOffset:], params)
	abi.PutWords(pool[l.ProgramOffset:], l.Program)
	return pool
}
