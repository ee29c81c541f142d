package arena

import (
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// List places a list of buffers whose sizes lie in the pool, an array of uint64 at
// the offset sizes, by the rules of Alloc and in order, and writes their slots to
// the array at the offset out. The length of the list is the word at the offset
// count; more than limit is the failure CountOverMax, and no slot is written. An
// offset that is not aligned to words, or a work that is not aligned to lines, is
// the failure BadProgram.
//
// It is the oracle of the kernels ListSum, ListScan and ListPlace together, which
// also write to their work area.
func List(pool []byte, control, sizes, out, count, limit, work uint64) error {
	var m machine
	if err := m.open(pool, control); err != nil {
		return err
	}
	if (sizes|out|count)%abi.WordSize != 0 || work%abi.LineSize != 0 || !m.arenaUsable() ||
		!m.list(sizes, out, count, limit) {
		m.fail(abi.NoSlot, abi.BadProgram, 0)
	}
	m.close(control)
	return nil
}

// list reports whether everything lies in the pool.
func (m *machine) list(sizes, out, count, limit uint64) bool {
	n, ok := m.mem.word(count, 0)
	if !ok {
		return false
	}
	if n > limit {
		m.fail(abi.NoSlot, abi.CountOverMax, n)
		return true
	}
	in, ok := m.mem.array(sizes, n, abi.WordSize)
	slots, ok2 := m.mem.array(out, n, abi.SlotSize)
	if !ok || !ok2 {
		return false
	}
	for i := range n {
		m.single(binary.LittleEndian.Uint64(in[i*abi.WordSize:])).Put(slots[i*abi.SlotSize:])
	}
	return true
}

// single places a size that belongs to no slot of the program, at the cursor.
func (m *machine) single(size uint64) abi.Slot {
	none := abi.Slot{Offset: abi.NotPlaced}
	if m.dev.Code != uint64(abi.OK) {
		m.fail(abi.NoSlot, abi.OK, 0)
		return none
	}
	rounded, err := checked.AlignUp(size, m.host.ArenaAlign)
	if err != nil {
		m.fail(abi.NoSlot, abi.BadArithmetic, 0)
		return none
	}
	m.want(rounded)
	offset, ok := m.bump(rounded)
	if !ok {
		m.fail(abi.NoSlot, abi.Exhausted, rounded)
		return none
	}
	return abi.Slot{Offset: offset, Size: size}
}
