package arena

import (
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Mark stores the cursor in the word at an offset of the pool. After a failure the
// word becomes NotPlaced, so that Release does nothing.
func Mark(pool []byte, control, program, at uint64) error {
	return marked(pool, control, program, at, func(m *machine, word []byte) bool {
		mark := uint64(abi.NotPlaced)
		if m.dev.Code == uint64(abi.OK) {
			mark = m.dev.Next
		}
		binary.LittleEndian.PutUint64(word, mark)
		return true
	})
}

// Release moves the cursor back to what Mark has stored, so that what kernels have
// taken by themselves since is free again. It does nothing where the cursor is below
// the mark already, because buffers below it were released and no kernel took
// anything, and in a batch that has failed. The batch fails with BadProgram if the
// word is no cursor of the arena, or if a slot was placed above it and still is.
func Release(pool []byte, control, program, at uint64) error {
	return marked(pool, control, program, at, func(m *machine, word []byte) bool {
		mark := binary.LittleEndian.Uint64(word)
		if m.dev.Code != uint64(abi.OK) {
			return true
		}
		if mark > m.host.ArenaCapacity || mark%m.host.ArenaAlign != 0 {
			return false
		}
		if mark > m.dev.Next {
			return true
		}
		for i := range m.header.NumSlots {
			if m.placedAbove(abi.ReadSlot(m.slot(i)), mark) {
				m.fail(i, abi.BadProgram, 0)
				return true
			}
		}
		m.dev.Next = mark
		// Extents must neither reach above the cursor nor touch it.
		for t := &m.extents; t.n > 0; {
			e := t.get(t.n - 1)
			if e.Start+e.Size < m.dev.Next {
				break
			}
			m.dev.Next = min(m.dev.Next, e.Start)
			t.remove(t.n - 1)
		}
		return true
	})
}

// marked runs a kernel that works on a word of the pool.
func marked(pool []byte, control, program, at uint64, do func(*machine, []byte) bool) error {
	var m machine
	if err := m.open(pool, control); err != nil {
		return err
	}
	word := m.mem.at(at, abi.WordSize)
	if word == nil || at%abi.WordSize != 0 || !m.readHeader(program) || !m.arenaUsable() || !m.loadExtents() || !do(&m, word) {
		m.fail(abi.NoSlot, abi.BadProgram, 0)
	}
	m.close(control)
	return nil
}

// placedAbove reports whether a slot holds arena memory at or above a mark.
func (m *machine) placedAbove(s abi.Slot, mark uint64) bool {
	if s.Offset == abi.NotPlaced || s.Size == 0 {
		return false
	}
	rounded, err := checked.AlignUp(s.Size, m.host.ArenaAlign)
	return err != nil || s.Offset < m.host.ArenaStart || s.Offset-m.host.ArenaStart > m.dev.Next ||
		rounded > m.dev.Next-(s.Offset-m.host.ArenaStart) || s.Offset-m.host.ArenaStart+rounded > mark
}
