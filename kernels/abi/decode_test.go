package abi_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

func sample() *kernelstest.Sequence {
	c := kernelstest.Const
	return &kernelstest.Sequence{
		Params: []abi.Param{{Name: "n", Max: 10}},
		Steps: []kernelstest.Step{
			{Allocs: []kernelstest.Buffer{{Code: c(5)}, {Code: c(6)}, {Host: true, Code: c(7)}}},
			{Releases: []uint64{1}, Allocs: []kernelstest.Buffer{
				{InPlace: true, InPlaceOf: 0, Code: c(8)},
				{InPlace: true, InPlaceOf: 2, Host: true, Code: c(9)},
			}},
		},
	}
}

func TestDecodeProgram(t *testing.T) {
	l := sample().Layout()
	p, err := abi.DecodeProgram(l.Program)
	require.NoError(t, err)
	require.Equal(t, abi.Header{
		Magic: abi.ProgramMagic, Words: uint64(len(l.Program)), NumSteps: 2, NumSlots: 5, NumParams: 1,
		SlotsOffset: l.SlotsOffset, ParamsOffset: l.ParamsOffset, ExtentsOffset: l.ExtentsOffset,
	}, p.Header)
	require.Len(t, p.Steps, 3)
	require.Empty(t, p.Steps[0].Releases)
	require.Len(t, p.Steps[0].Allocs, 3)
	require.Equal(t, []uint64{1}, p.Steps[1].Releases)
	a := p.Steps[1].Allocs[1]
	require.Equal(t, uint64(4), a.Slot)
	require.Equal(t, abi.AllocHost|abi.AllocInPlace, a.Flags)
	require.Equal(t, uint64(2), a.Base)
	require.Equal(t, kernelstest.Const(9), a.Code)
	require.Empty(t, p.Steps[2].Allocs)
}

// Each single fault in a good program is found.
func TestDecodeProgramFaults(t *testing.T) {
	good := sample().Layout().Program
	const (
		steps    = abi.HeaderWords
		releases = steps + 3*abi.StepWords
		allocs   = releases + 1
		second   = allocs + abi.AllocWords
		inPlace  = allocs + 3*abi.AllocWords
		code     = allocs + 5*abi.AllocWords
	)
	type words []uint64
	for _, test := range []struct {
		name  string
		fault func(w words) words
		want  string
	}{
		{"empty", func(words) words { return nil }, "less than a header"},
		{"short header", func(w words) words { return w[:7] }, "less than a header"},
		{"magic", func(w words) words { w[0]++; return w }, "magic"},
		{"length", func(w words) words { w[1]++; return w }, "the header says"},
		{"a word more", func(w words) words { return append(w, 0) }, "the header says"},
		{"a word less", func(w words) words { return w[:len(w)-1] }, "the header says"},
		{"extents offset", func(w words) words { w[7] = ^uint64(0) - 95; return w }, "their extents at"},
		{"extents offset within a word", func(w words) words { w[7]++; return w }, "their extents at"},
		{"slot offset within a word", func(w words) words { w[5] += 4; return w }, "slots at"},
		{"parameter offset within a word", func(w words) words { w[6] += 4; return w }, "parameters at"},
		{"all the slots there are", func(w words) words { w[3] = ^uint64(0); return w }, "slots at"},
		{"steps", func(w words) words { w[2] = 1000; return w }, "steps do not fit"},
		{"all the steps there are", func(w words) words { w[2] = ^uint64(0); return w }, "steps do not fit"},
		{"steps whose size wraps", func(w words) words { w[2] = 1<<62 - 1; return w }, "steps do not fit"},
		{"slots beyond uint64", func(w words) words { w[3] = 1 << 60; return w }, "slots at"},
		{"slot offset", func(w words) words { w[5] = ^uint64(0) - 79; return w }, "slots at"},
		{"parameters beyond uint64", func(w words) words { w[4] = 1 << 61; return w }, "parameters at"},
		{"parameter offset", func(w words) words { w[6] = ^uint64(0) - 7; return w }, "parameters at"},
		{"releases outside", func(w words) words { w[steps+abi.StepWords] = 1000; return w }, "releases lie outside"},
		{"too many releases", func(w words) words { w[steps+abi.StepWords+1] = ^uint64(0); return w }, "releases lie outside"},
		{"release of nothing", func(w words) words { w[releases] = 3; return w }, "releases slot 3"},
		{"release before the allocation", func(w words) words { w[steps], w[steps+1] = releases, 1; return w }, "releases slot 1"},
		{"release twice", func(w words) words { w[steps+8], w[steps+9] = releases, 1; return w }, "releases slot 1"},
		{"allocations outside", func(w words) words { w[steps+2] = 1000; return w }, "allocations lie outside"},
		{"too many allocations", func(w words) words { w[steps+3] = 1 << 62; return w }, "allocations lie outside"},
		{"no such slot", func(w words) words { w[allocs] = 5; return w }, "there are 5 slots"},
		{"slot twice", func(w words) words { w[second] = 0; return w }, "allocated twice"},
		{"flags", func(w words) words { w[allocs+1] = 4; return w }, "unknown flags"},
		{"base without its flag", func(w words) words { w[second+2] = 1; return w }, "base slot"},
		{"base not allocated yet", func(w words) words { w[inPlace+2] = 4; return w }, "base slot"},
		{"base is itself", func(w words) words { w[inPlace+2] = 3; return w }, "base slot"},
		{"base released", func(w words) words { w[inPlace+2] = 1; return w }, "base slot"},
		{"base of the other scope", func(w words) words { w[inPlace+2] = 2; return w }, "base slot"},
		{"code outside", func(w words) words { w[allocs+3] = 1000; return w }, "code lies outside"},
		{"too much code", func(w words) words { w[allocs+4] = ^uint64(0); return w }, "code lies outside"},
		{"no code", func(w words) words { w[allocs+4] = 0; return w }, "leaves 0 values"},
		{"rule", func(w words) words { w[allocs+5] = ^uint64(0); return w }, "unknown rule"},
		{"release with the flag of a taker", func(w words) words { w[releases] |= abi.ReleaseSlotOnly; return w }, "the wrong flag"},
		{"release of a taker without its flag", func(w words) words { return release(w, 3) }, "the wrong flag"},
		{"release of what another holds", func(w words) words { return release(w, 0) }, "whose memory 1 others hold"},
		{"release of what another holds, before its last user", func(w words) words { return release(w, 0, 4|abi.ReleaseSlotOnly) }, "whose memory 1 others hold"},
		{"opcode", func(w words) words { w[code] = 99; return w }, "instruction 0x63"},
		{"parameter", func(w words) words { w[code] = with(abi.OpParam, 1); return w }, "instruction param"},
	} {
		p, err := abi.DecodeProgram(test.fault(slices.Clone(good)))
		require.ErrorIs(t, err, abi.ErrProgram, test.name)
		require.ErrorContains(t, err, test.want, test.name)
		require.Nil(t, p, test.name)
	}
	for _, w := range []words{good, release(good, 3|abi.ReleaseSlotOnly, 0), release(good, 0, 3|abi.ReleaseSlotOnly)} {
		_, err := abi.DecodeProgram(w)
		require.NoError(t, err)
	}
}

// release returns the program with a list of releases in its end step.
func release(w []uint64, slots ...uint64) []uint64 {
	w = append(slices.Clone(w), slots...)
	end := abi.HeaderWords + 2*abi.StepWords
	w[1], w[end], w[end+1] = uint64(len(w)), uint64(len(w)-len(slots)), uint64(len(slots))
	return w
}

// Random programs are good, but for what only a decoder finds: memory that is given
// back twice or too early, and a rule that is none.
func TestDecodeRandomPrograms(t *testing.T) {
	refused := 0
	defer func() { require.Less(t, refused, 200) }()
	for seed := range uint64(300) {
		s := kernelstest.Random(rand.New(rand.NewPCG(seed, 1)))
		l := s.Layout()
		p, err := abi.DecodeProgram(l.Program)
		if err != nil {
			require.Regexp(t, "releases slot|base slot", err.Error(), seed)
			refused++
			continue
		}
		require.Len(t, p.Steps, len(s.Steps)+1)
		for i, step := range s.Steps {
			require.Len(t, p.Steps[i].Allocs, len(step.Allocs))
			for j, b := range step.Allocs {
				require.Equal(t, b.Code, p.Steps[i].Allocs[j].Code)
			}
		}
	}
}

// No words make the decoder panic, and what it accepts keeps its promises.
func FuzzDecodeProgram(f *testing.F) {
	add := func(words []uint64) {
		b := make([]byte, len(words)*abi.WordSize)
		abi.PutWords(b, words)
		f.Add(b)
	}
	add(nil)
	add(sample().Layout().Program)
	for seed := range uint64(4) {
		add(kernelstest.Random(rand.New(rand.NewPCG(seed, 2))).Layout().Program)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		words := make([]uint64, len(b)/abi.WordSize)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(b[i*abi.WordSize:])
		}
		if len(words) > 1 {
			words[0], words[1] = abi.ProgramMagic, uint64(len(words)) // get past the first checks
		}
		p, err := abi.DecodeProgram(words)
		if err != nil {
			require.ErrorIs(t, err, abi.ErrProgram)
			return
		}
		held := make(map[uint64]bool)
		for _, s := range p.Steps {
			for _, slot := range s.Releases {
				require.True(t, held[slot])
				held[slot] = false
			}
			for _, a := range s.Allocs {
				_, twice := held[a.Slot]
				require.False(t, twice)
				require.Less(t, a.Slot, p.Header.NumSlots)
				require.NoError(t, abi.ValidateCode(a.Code, p.Header.NumParams, p.Header.NumSlots))
				held[a.Slot] = true
			}
		}
	})
}
