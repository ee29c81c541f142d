package arena

import (
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

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
	if !m.fault(a.Slot) {
		if offset, ok := m.take(rounded, a.Rule); ok {
			return abi.Slot{Offset: offset, Size: size}
		}
	}
	m.fail(a.Slot, abi.Exhausted, rounded)
	return none
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
	room, err := checked.AlignUp(base.Size, m.host.ArenaAlign)
	if err == nil && rounded > room || m.fault(a.Slot) {
		m.fail(a.Slot, abi.Exhausted, rounded)
		return none
	}
	return abi.Slot{Offset: base.Offset, Size: size}
}

// fault reports whether the host wants the allocation of a slot to fail.
func (m *machine) fault(slot uint64) bool { return m.host.Flags>>abi.FaultShift == slot+1 }

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
	s := m.single(size)
	return s.Offset, s.Offset != abi.NotPlaced
}
