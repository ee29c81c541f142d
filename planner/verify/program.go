package verify

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
)

// program decodes the step program and compares it with the sequence: what each
// step allocates and releases, and what every size program computes.
func (c *checker) program() {
	words := c.layout.Program
	if !c.header(words) {
		return
	}
	allocated, released := make([]int, len(c.layout.Slots)), make([]int, len(c.layout.Slots))
	for s := range len(c.seq.Steps) + 1 {
		at := abi.HeaderWords + s*abi.StepWords
		e := abi.StepEntry{ReleaseWord: words[at], ReleaseCount: words[at+1], AllocWord: words[at+2], AllocCount: words[at+3]}
		releases, ok := slice(words, e.ReleaseWord, e.ReleaseCount, 1)
		allocs, ok2 := slice(words, e.AllocWord, e.AllocCount, abi.AllocWords)
		if !ok || !ok2 {
			c.fault(BadProgram, "step program", "", s, "the entry of the step is out of range")
			return
		}
		if s < len(c.seq.Steps) && c.layout.Steps[s].Dynamic != (len(releases)+len(allocs) > 0) {
			c.fault(BadProgram, c.seq.Steps[s].Name, "", s, "the layout is wrong about whether the program has work here")
		}
		for _, slot := range releases {
			c.release(s, slot, allocated, released)
		}
		c.allocations(s, allocs, allocated)
	}
	for i, n := range allocated {
		if n != 1 {
			c.fault(BadProgram, c.layout.Slots[i].Name, "", c.layout.Slots[i].Step, "it is allocated %d times", n)
		}
	}
}

// slice returns count records of the given width, or false if they are not all
// inside the program.
func slice(words []uint64, at, count, width uint64) ([]uint64, bool) {
	n := uint64(len(words))
	if at > n || count > (n-at)/width {
		return nil, false
	}
	return words[at : at+count*width], true
}

func (c *checker) header(words []uint64) bool {
	steps := len(c.seq.Steps)
	if len(words) < abi.HeaderWords+abi.StepWords*(steps+1) {
		c.fault(BadProgram, "step program", "", -1, "it has only %d words", len(words))
		return false
	}
	want := [abi.HeaderWords]uint64{
		abi.ProgramMagic, uint64(len(words)), uint64(steps), uint64(len(c.layout.Slots)),
		uint64(len(c.layout.Params)), c.layout.SlotsOffset, c.layout.ParamsOffset, c.layout.ExtentsOffset,
	}
	if [abi.HeaderWords]uint64(words) != want {
		c.fault(BadProgram, "step program", "", -1, "its header is %v, not %v", words[:abi.HeaderWords], want)
		return false
	}
	return true
}

// release checks that a slot is released once, after its last use, that its memory
// is given back only by the buffer that it was allocated for, and only after the last
// use of all that took it over.
func (c *checker) release(s int, word uint64, allocated, released []int) {
	slot, slotOnly := word&^abi.ReleaseSlotOnly, word&abi.ReleaseSlotOnly != 0
	if slot >= uint64(len(released)) {
		c.fault(BadProgram, "step program", "", s, "it releases the slot %d", slot)
		return
	}
	name := c.layout.Slots[slot].Name
	released[slot]++
	b := c.slots[slot]
	end := c.lives[b].end
	if !slotOnly {
		for taker, taken := c.takers[b]; taken; taker, taken = c.takers[taker] {
			end = max(end, c.lives[taker].end)
		}
	}
	switch {
	case released[slot] > 1 || allocated[slot] == 0:
		c.fault(BadProgram, name, "", s, "it is released twice, or before it is allocated")
	case slotOnly != (c.seq.Buffers[b].InPlaceOf != sequences.None):
		c.fault(BadProgram, name, "", s, "it is released with the wrong flag: is the memory its own?")
	case s < end || s == len(c.seq.Steps):
		c.fault(BadProgram, name, "", s, "it is released, but lives until step %d", end)
	}
}

// allocations checks the allocations of one step.
func (c *checker) allocations(s int, words []uint64, allocated []int) {
	before := -1
	for ; len(words) > 0; words = words[abi.AllocWords:] {
		a := abi.Alloc{Slot: words[0], Flags: words[1], Base: words[2], CodeWord: words[3], CodeWords: words[4], Rule: words[5]}
		if a.Slot >= uint64(len(allocated)) {
			c.fault(BadProgram, "step program", "", s, "it allocates the slot %d", a.Slot)
			continue
		}
		info := c.layout.Slots[a.Slot]
		b := c.slots[a.Slot]
		allocated[a.Slot]++
		if int(a.Slot) <= before || info.Step != s {
			c.fault(BadProgram, info.Name, "", s, "it is allocated out of order")
		}
		before = int(a.Slot)
		want := abi.Alloc{Slot: a.Slot, CodeWord: a.CodeWord, CodeWords: a.CodeWords, Rule: a.Rule}
		if info.Scope == abi.ScopeHost {
			want.Flags |= abi.AllocHost
		}
		if base := c.seq.Buffers[b].InPlaceOf; base != sequences.None {
			want.Flags |= abi.AllocInPlace
			want.Base = uint64(c.slot[base])
		}
		if a != want || !abi.ValidRule(a.Rule) {
			c.fault(BadProgram, info.Name, "", s, "its allocation is %+v, not %+v", a, want)
		}
		code, ok := slice(c.layout.Program, a.CodeWord, a.CodeWords, 1)
		if !ok || len(code) > abi.MaxCodeSize {
			c.fault(BadProgram, info.Name, "", s, "its size program is out of range")
			continue
		}
		c.sizeProgram(b, s, code)
	}
}

// sizeProgram runs the size program of a buffer at every point and compares the
// result with the expression.
func (c *checker) sizeProgram(b sequences.BufferID, s int, code []uint64) {
	for _, v := range c.values {
		want, wantErr := v.bytes(b)
		m := machine{c: c, v: v, now: s, raw: make(map[int]*raw)}
		got, err := m.run(code)
		name := c.seq.Buffers[b].Name
		switch {
		case m.badLoad != "":
			c.fault(BadLoad, name, "", s, "%s", m.badLoad)
			return
		case m.badCheck != "":
			c.fault(BadProgram, name, "", s, "%s", m.badCheck)
			return
		case (err != nil) != (wantErr != nil):
			c.fault(BadProgram, name, "", s, "its size program gives the error %v, its expression %v", err, wantErr)
			return
		case err == nil && got != want:
			c.fault(BadProgram, name, "", s, "its size program gives %d bytes, its expression %d", got, want)
			return
		}
	}
}
