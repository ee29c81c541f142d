package arena

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Reset starts a batch: every slot becomes NotPlaced with size 0, the table of
// extents becomes empty, and line 1 of the control block is cleared but for High
// and EpochDone. The code is BadProgram from the start, so that nothing will be
// placed, if the header of the program cannot be used, if the arena is not aligned
// or leaves uint64, or if a flag is set that this version does not know.
func Reset(pool []byte, control, program uint64) error {
	var m machine
	if err := m.open(pool, control); err != nil {
		return err
	}
	m.dev = abi.DeviceLine{High: m.dev.High, EpochDone: m.dev.EpochDone, FirstFailed: abi.NoSlot}
	ok := m.readHeader(program)
	if ok {
		for i := range m.header.NumSlots {
			abi.Slot{Offset: abi.NotPlaced}.Put(m.slot(i))
		}
		clear(m.table())
	}
	if !ok || !m.arenaUsable() {
		m.dev.Code = uint64(abi.BadProgram)
	}
	m.close(control)
	return nil
}

// Step runs the entry of one step: its releases, then its allocations in order.
// The index NumSteps is the end step, which sets EpochDone. A malformed entry ends
// the step and counts as one failed allocation, of no slot.
func Step(pool []byte, control, program, step uint64) error {
	var m machine
	if err := m.open(pool, control); err != nil {
		return err
	}
	if !m.readHeader(program) || !m.arenaUsable() || !m.loadExtents() || !m.step(step) {
		m.fail(abi.NoSlot, abi.BadProgram, 0)
	}
	m.close(control)
	return nil
}

// step reports whether the entry is well formed.
func (m *machine) step(step uint64) bool {
	if step > m.header.NumSteps {
		return false
	}
	var e [abi.StepWords]uint64
	for i := range e {
		w, ok := m.entry(abi.HeaderWords, step, abi.StepWords, uint64(i))
		if !ok {
			return false
		}
		e[i] = w
	}
	entry := abi.StepEntry{ReleaseWord: e[0], ReleaseCount: e[1], AllocWord: e[2], AllocCount: e[3]}
	// After a failure nothing moves any more.
	for i := uint64(0); i < entry.ReleaseCount && m.dev.Code == uint64(abi.OK); i++ {
		if !m.releaseEntry(entry.ReleaseWord, i) {
			return false
		}
	}
	for i := range entry.AllocCount {
		if !m.allocEntry(entry.AllocWord, i) {
			return false
		}
	}
	if step == m.header.NumSteps {
		m.dev.EpochDone = m.host.Epoch
	}
	return true
}

// entry returns one word of an array of records in the program.
func (m *machine) entry(first, index, size, word uint64) (uint64, bool) {
	if index >= m.header.Words/size {
		return 0, false
	}
	at, err := checked.Add(first, index*size+word)
	if err != nil {
		return 0, false
	}
	return m.instruction(at)
}

func (m *machine) allocEntry(first, index uint64) bool {
	var w [abi.AllocWords]uint64
	for i := range w {
		v, ok := m.entry(first, index, abi.AllocWords, uint64(i))
		if !ok {
			return false
		}
		w[i] = v
	}
	a := abi.Alloc{Slot: w[0], Flags: w[1], Base: w[2], CodeWord: w[3], CodeWords: w[4], Rule: w[5]}
	slot := m.slot(a.Slot)
	if slot == nil || a.Flags&^(abi.AllocHost|abi.AllocInPlace) != 0 || !abi.ValidRule(a.Rule) ||
		a.Flags&abi.AllocInPlace == 0 && a.Base != 0 {
		return false
	}
	m.alloc(a).Put(slot)
	return true
}
