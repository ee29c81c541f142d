package abi

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
)

// ErrProgram marks a malformed step program.
var ErrProgram = errors.New("malformed step program")

// Program is a decoded step program. It shares the words it was decoded from.
type Program struct {
	Header Header
	Steps  []Step // NumSteps+1; the last is the end step
}

// Step is one decoded entry of a step program.
type Step struct {
	Releases []uint64 // slot indexes, with ReleaseSlotOnly
	Allocs   []DecodedAlloc
}

// DecodedAlloc is an allocation with its size program.
type DecodedAlloc struct {
	Alloc
	Code []uint64
}

// DecodeProgram checks a whole step program and takes it apart: every index lies
// inside, every size program passes ValidateCode, no slot is allocated or released
// twice, a buffer takes over only memory of its own scope that is still held, and
// memory is given back by the slot that it was allocated for, after the last slot
// that took it over. The error wraps ErrProgram.
func DecodeProgram(words []uint64) (*Program, error) {
	p := new(Program)
	if len(words) < HeaderWords {
		return nil, fmt.Errorf("%w: %d words, less than a header", ErrProgram, len(words))
	}
	p.Header = Header{words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]}
	h := &p.Header
	switch {
	case h.Magic != ProgramMagic:
		return nil, fmt.Errorf("%w: magic %#x, want %#x", ErrProgram, h.Magic, uint64(ProgramMagic))
	case h.Words != uint64(len(words)):
		return nil, fmt.Errorf("%w: %d words, the header says %d", ErrProgram, len(words), h.Words)
	}
	if h.NumSlots == ^uint64(0) || !tableFits(h.SlotsOffset, h.NumSlots, SlotSize) ||
		!tableFits(h.ParamsOffset, h.NumParams, WordSize) || !tableFits(h.ExtentsOffset, h.NumSlots+1, ExtentSize) {
		return nil, fmt.Errorf("%w: %d slots at %d, their extents at %d, %d parameters at %d",
			ErrProgram, h.NumSlots, h.SlotsOffset, h.ExtentsOffset, h.NumParams, h.ParamsOffset)
	}
	entries, ok := span(words, HeaderWords, h.NumSteps+1, StepWords)
	if h.NumSteps == ^uint64(0) || !ok {
		return nil, fmt.Errorf("%w: %d steps do not fit", ErrProgram, h.NumSteps)
	}
	seen := make(slots, len(entries)/StepWords)
	for i := 0; i < len(entries); i += StepWords {
		e := StepEntry{entries[i], entries[i+1], entries[i+2], entries[i+3]}
		s, err := decodeStep(words, h, e, seen)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i/StepWords, err)
		}
		p.Steps = append(p.Steps, s)
	}
	return p, nil
}

// tableFits reports whether a table of count items is aligned to words and ends
// within uint64.
func tableFits(offset, count, size uint64) bool {
	if offset%WordSize != 0 {
		return false
	}
	bytes, err := checked.Mul(count, size)
	if err == nil {
		_, err = checked.Add(offset, bytes)
	}
	return err == nil
}

// slots holds, by slot index, the slots that were allocated so far.
type slots map[uint64]slotState

type slotState struct {
	host, released bool
	inPlace        bool   // the memory is that of root
	root           uint64 // the slot that the memory was allocated for
	users          int    // of a root: slots that hold its memory, without itself
}

// span returns count items of size words from word index first on.
func span(words []uint64, first, count, size uint64) ([]uint64, bool) {
	n := uint64(len(words))
	if first > n || count > (n-first)/size {
		return nil, false
	}
	return words[first : first+count*size], true
}

func (s slots) alloc(a *Alloc) {
	state := slotState{host: a.Flags&AllocHost != 0, root: a.Slot}
	if a.Flags&AllocInPlace != 0 {
		state.inPlace, state.root = true, s[a.Base].root
		root := s[state.root]
		root.users++
		s[state.root] = root
	}
	s[a.Slot] = state
}

func (s slots) release(word uint64) error {
	slot, slotOnly := word&^ReleaseSlotOnly, word&ReleaseSlotOnly != 0
	state, ok := s[slot]
	switch {
	case !ok || state.released:
		return fmt.Errorf("%w: releases slot %d, which is not allocated", ErrProgram, slot)
	case slotOnly != state.inPlace:
		return fmt.Errorf("%w: releases slot %d with the wrong flag", ErrProgram, slot)
	}
	state.released = true
	s[slot] = state
	if state.inPlace {
		root := s[state.root]
		root.users--
		s[state.root] = root
	}
	return nil
}

func decodeStep(words []uint64, h *Header, e StepEntry, seen slots) (Step, error) {
	var s Step
	releases, ok := span(words, e.ReleaseWord, e.ReleaseCount, 1)
	if !ok {
		return s, fmt.Errorf("%w: its releases lie outside", ErrProgram)
	}
	for _, word := range releases {
		if err := seen.release(word); err != nil {
			return s, err
		}
	}
	for _, word := range releases {
		if users := seen[word].users; users > 0 {
			return s, fmt.Errorf("%w: releases slot %d, whose memory %d others hold", ErrProgram, word, users)
		}
	}
	s.Releases = releases
	allocs, ok := span(words, e.AllocWord, e.AllocCount, AllocWords)
	if !ok {
		return s, fmt.Errorf("%w: its allocations lie outside", ErrProgram)
	}
	for i := 0; i < len(allocs); i += AllocWords {
		w := allocs[i:]
		a := DecodedAlloc{Alloc: Alloc{w[0], w[1], w[2], w[3], w[4], w[5]}}
		if err := a.decode(words, h, seen); err != nil {
			return s, fmt.Errorf("allocation of slot %d: %w", a.Slot, err)
		}
		seen.alloc(&a.Alloc)
		s.Allocs = append(s.Allocs, a)
	}
	return s, nil
}

func (a *DecodedAlloc) decode(words []uint64, h *Header, seen slots) error {
	inPlace := a.Flags&AllocInPlace != 0
	_, twice := seen[a.Slot]
	base, known := seen[a.Base]
	usable := known && !base.released && base.host == (a.Flags&AllocHost != 0)
	code, ok := span(words, a.CodeWord, a.CodeWords, 1)
	switch {
	case a.Slot >= h.NumSlots:
		return fmt.Errorf("%w: there are %d slots", ErrProgram, h.NumSlots)
	case twice:
		return fmt.Errorf("%w: it is allocated twice", ErrProgram)
	case a.Flags&^(AllocHost|AllocInPlace) != 0:
		return fmt.Errorf("%w: unknown flags %#x", ErrProgram, a.Flags)
	case !ValidRule(a.Rule):
		return fmt.Errorf("%w: unknown rule %#x", ErrProgram, a.Rule)
	case inPlace && !usable, !inPlace && a.Base != 0:
		return fmt.Errorf("%w: base slot %d", ErrProgram, a.Base)
	case !ok:
		return fmt.Errorf("%w: its code lies outside", ErrProgram)
	}
	a.Code = code
	return ValidateCode(code, h.NumParams, h.NumSlots)
}
