package planner

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// work is what the device program does before one step.
type work struct {
	releases []sequences.BufferID
	allocs   []sequences.BufferID
}

// stepWork lists what the device program does at each step: it releases the buffers
// whose lifetime has ended, then allocates the dynamic buffers of the step, both in
// file order. The end step, with the last index, does nothing: what lives to the end
// of the batch stays in its slot for who reads the results. With several streams nothing
// is released: a step behind the last use in the file may run before it.
func stepWork(in *layoutInput) []work {
	out := make([]work, len(in.seq.Steps)+1)
	for i := range in.seq.Buffers {
		if in.classes[i].class == Static {
			continue
		}
		b := &in.seq.Buffers[i]
		out[b.Step].allocs = append(out[b.Step].allocs, b.ID)
		if end := in.lives[i].End; int(end) < len(in.seq.Steps) && !in.streams() {
			out[end].releases = append(out[end].releases, b.ID)
		}
	}
	return out
}

// encodeProgram encodes the step program as package abi describes it. offsets
// are those of the static buffers, by BufferID; nil stands for all zero, which
// gives a program of the same length.
func encodeProgram(in layoutInput, l *abi.Layout, offsets []uint64) ([]uint64, error) {
	steps := stepWork(&in)
	slot := make([]uint64, len(in.seq.Buffers))
	next := uint64(0)
	for i := range in.seq.Buffers {
		if in.classes[i].class == Dynamic {
			slot[i] = next
			next++
		}
	}
	releases, allocs := 0, 0
	for _, w := range steps {
		releases += len(w.releases)
		allocs += len(w.allocs)
	}
	releaseWord := uint64(abi.HeaderWords + abi.StepWords*len(steps))
	allocWord := releaseWord + uint64(releases)
	codeWord := allocWord + uint64(abi.AllocWords*allocs)
	table := []uint64{
		abi.ProgramMagic, 0, uint64(len(in.seq.Steps)), uint64(len(l.Slots)),
		uint64(len(l.Params)), l.SlotsOffset, l.ParamsOffset, l.ExtentsOffset,
	}
	var releaseList, allocList, code []uint64
	c := newSizeCompiler(&in, slot, offsets)
	for _, w := range steps {
		table = append(table,
			releaseWord+uint64(len(releaseList)), uint64(len(w.releases)),
			allocWord+uint64(len(allocList)), uint64(len(w.allocs)))
		for _, b := range w.releases {
			word := slot[b]
			if in.seq.Buffers[b].InPlaceOf != sequences.None {
				word |= abi.ReleaseSlotOnly // the memory lives as long as its base
			}
			releaseList = append(releaseList, word)
		}
		for _, id := range w.allocs {
			b := &in.seq.Buffers[id]
			size, err := c.size(id)
			if err != nil {
				return nil, programFault(b, err)
			}
			var flags, base uint64
			if b.Scope == sequences.Host {
				flags |= abi.AllocHost
			}
			if b.InPlaceOf != sequences.None {
				flags |= abi.AllocInPlace
				base = slot[b.InPlaceOf]
			}
			allocList = append(allocList, slot[id], flags, base, codeWord+uint64(len(code)), uint64(len(size)), in.rules[id])
			if code = append(code, size...); len(code) > maxCode {
				return nil, programFault(b, errCode)
			}
		}
	}
	program := slices.Concat(table, releaseList, allocList, code)
	program[1] = uint64(len(program))
	return program, nil
}

// maxCode bounds the code of all size programs together in words (128 MiB), which
// are part of the static region.
const maxCode = 1 << 24

var errCode = fmt.Errorf("with it, the step program is longer than %d words", maxCode)

// programFault reports a size that is no program, because it is over a limit of
// the ABI.
func programFault(b *sequences.Buffer, err error) error {
	for _, limit := range []error{expr.ErrStack, expr.ErrCodeSize} {
		if errors.Is(err, limit) {
			err = limit // without the expression, which is long
		}
	}
	return sequences.Diagnostic{
		Pos: b.Count.Pos, Code: CodeProgramSize, Severity: diag.Error,
		Message: fmt.Sprintf("%s is too long for the device: %v", sizeOf(b), err),
		Hint:    "nest it less deeply, or declare the count with fewer terms",
	}
}
