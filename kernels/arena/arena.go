package arena

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Reset starts a batch: every slot becomes NotPlaced with size 0, and line 1 of
// the control block is cleared but for High and EpochDone. The code is BadProgram
// from the start, so that nothing will be placed, if the header of the program
// cannot be used, if the arena is not aligned or leaves uint64, or if a flag is set
// that this version does not know; abi.FlagReuse is one of those.
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
	if !m.readHeader(program) || !m.arenaUsable() || !m.step(step) {
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
	// The arena mode bump gives nothing back before the reset.
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
	a := abi.Alloc{Slot: w[0], Flags: w[1], Base: w[2], CodeWord: w[3], CodeWords: w[4], Reserved: w[5]}
	slot := m.slot(a.Slot)
	if slot == nil || a.Flags&^(abi.AllocHost|abi.AllocInPlace) != 0 || a.Reserved != 0 ||
		a.Flags&abi.AllocInPlace == 0 && a.Base != 0 {
		return false
	}
	m.alloc(a).Put(slot)
	return true
}

// alloc places one buffer. The first failure is sticky: nothing is placed after
// it, and no size program runs, because its counts may be left over.
func (m *machine) alloc(a abi.Alloc) abi.Slot {
	none := abi.Slot{Offset: abi.NotPlaced}
	if m.dev.Code != uint64(abi.OK) {
		m.fail(a.Slot, abi.OK, 0)
		return none
	}
	size, code, value := m.run(a.CodeWord, a.CodeWords)
	if code != abi.OK {
		m.fail(a.Slot, code, value)
		return none
	}
	if a.Flags&abi.AllocInPlace != 0 {
		return m.takeOver(a, size)
	}
	if a.Flags&abi.AllocHost != 0 {
		return abi.Slot{Offset: abi.NotPlaced, Size: size}
	}
	rounded, err := checked.AlignUp(size, m.host.ArenaAlign)
	if err != nil {
		m.fail(a.Slot, abi.BadArithmetic, 0)
		return none
	}
	m.want(rounded)
	offset, ok := m.bump(rounded)
	if !ok {
		m.fail(a.Slot, abi.Exhausted, rounded)
		return none
	}
	return abi.Slot{Offset: offset, Size: size}
}

// bump moves the cursor by a rounded size and returns the offset in the pool.
func (m *machine) bump(rounded uint64) (offset uint64, ok bool) {
	d, capacity := &m.dev, m.host.ArenaCapacity
	// Never cursor + rounded > capacity, which can wrap.
	if rounded > capacity || d.Next > capacity-rounded {
		return 0, false
	}
	offset = m.host.ArenaStart + d.Next // arenaUsable: no overflow
	d.Next += rounded
	d.High = max(d.High, d.Next)
	return offset, true
}

// takeOver gives a buffer the memory of its base, which must be as large.
func (m *machine) takeOver(a abi.Alloc, size uint64) abi.Slot {
	none := abi.Slot{Offset: abi.NotPlaced}
	b := m.slot(a.Base)
	if b == nil {
		m.fail(a.Slot, abi.BadProgram, 0)
		return none
	}
	base := abi.ReadSlot(b)
	// Host memory is never placed here, device memory always is.
	if onHost := a.Flags&abi.AllocHost != 0; onHost != (base.Offset == abi.NotPlaced) {
		m.fail(a.Slot, abi.BadProgram, 0)
		return none
	}
	rounded, err := checked.AlignUp(size, m.host.ArenaAlign)
	if err != nil {
		m.fail(a.Slot, abi.BadArithmetic, 0)
		return none
	}
	if room, err := checked.AlignUp(base.Size, m.host.ArenaAlign); err == nil && rounded > room {
		m.fail(a.Slot, abi.Exhausted, rounded)
		return none
	}
	return abi.Slot{Offset: base.Offset, Size: size}
}

// want adds to the demand of the batch, which saturates.
func (m *machine) want(rounded uint64) {
	sum, err := checked.Add(m.dev.Wanted, rounded)
	if err != nil {
		sum = ^uint64(0)
	}
	m.dev.Wanted = sum
}

// fail counts a failed allocation and records it if it is the first.
func (m *machine) fail(slot uint64, code abi.Code, value uint64) {
	m.dev.Failed++
	if m.dev.Code == uint64(abi.OK) {
		m.dev.Code, m.dev.FirstFailed, m.dev.FailedBytes = uint64(code), slot, value
	}
}

// Alloc takes size bytes, rounded up to the arena alignment, for a kernel that
// allocates by itself, and returns the offset in the pool. It fails if there is
// no room; that is sticky for the batch, as for the buffers of the program.
func Alloc(pool []byte, control, size uint64) (offset uint64, ok bool) {
	var m machine
	if m.open(pool, control) != nil {
		return abi.NotPlaced, false
	}
	defer m.close(control)
	if !m.arenaUsable() {
		m.fail(abi.NoSlot, abi.BadProgram, 0)
		return abi.NotPlaced, false
	}
	if m.dev.Code != uint64(abi.OK) {
		m.fail(abi.NoSlot, abi.OK, 0)
		return abi.NotPlaced, false
	}
	rounded, err := checked.AlignUp(size, m.host.ArenaAlign)
	if err != nil {
		m.fail(abi.NoSlot, abi.BadArithmetic, 0)
		return abi.NotPlaced, false
	}
	m.want(rounded)
	if offset, ok = m.bump(rounded); !ok {
		m.fail(abi.NoSlot, abi.Exhausted, rounded)
		return abi.NotPlaced, false
	}
	return offset, true
}
