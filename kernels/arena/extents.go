package arena

import (
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// extents is the table of extents in the pool, see abi.Extent: the free pieces of
// the arena below the cursor. Records behind the last extent are zero.
type extents struct {
	mem []byte // of the whole table
	n   int
}

func (t *extents) get(i int) abi.Extent {
	b := t.mem[(i+1)*abi.ExtentSize:]
	return abi.Extent{Start: binary.LittleEndian.Uint64(b), Size: binary.LittleEndian.Uint64(b[abi.WordSize:])}
}

func (t *extents) set(i int, e abi.Extent) {
	b := t.mem[(i+1)*abi.ExtentSize:]
	binary.LittleEndian.PutUint64(b, e.Start)
	binary.LittleEndian.PutUint64(b[abi.WordSize:], e.Size)
}

func (t *extents) resize(n int) {
	t.n = n
	binary.LittleEndian.PutUint64(t.mem, uint64(n))
}

// insert puts an extent before the one with index i. There must be room.
func (t *extents) insert(i int, e abi.Extent) {
	copy(t.mem[(i+2)*abi.ExtentSize:], t.mem[(i+1)*abi.ExtentSize:(t.n+1)*abi.ExtentSize])
	t.set(i, e)
	t.resize(t.n + 1)
}

func (t *extents) remove(i int) {
	copy(t.mem[(i+1)*abi.ExtentSize:], t.mem[(i+2)*abi.ExtentSize:(t.n+1)*abi.ExtentSize])
	t.set(t.n-1, abi.Extent{})
	t.resize(t.n - 1)
}

// full reports whether there is no room for another extent.
func (t *extents) full() bool { return (t.n+2)*abi.ExtentSize > len(t.mem) }

// table finds the table of extents, in any mode; readHeader has checked that it
// lies in the pool.
func (m *machine) table() []byte {
	return m.mem.at(m.header.ExtentsOffset, (m.header.NumSlots+1)*abi.ExtentSize)
}

// reuse reports whether the arena mode is reuse.
func (m *machine) reuse() bool { return m.host.Flags&abi.FlagReuse != 0 }

// loadExtents checks the table if the arena mode needs it. It reports false if a
// kernel has written over the table.
func (m *machine) loadExtents() bool {
	if !m.reuse() {
		return true
	}
	t := extents{mem: m.table()}
	n := binary.LittleEndian.Uint64(t.mem)
	if n > m.header.NumSlots || binary.LittleEndian.Uint64(t.mem[abi.WordSize:]) != 0 {
		return false
	}
	t.n = int(n)
	end := uint64(0) // of the extent before
	for i := range t.n {
		e := t.get(i)
		if !m.freeable(e) || i > 0 && e.Start <= end {
			return false
		}
		end = e.Start + e.Size
	}
	m.extents = t
	return t.n == 0 || end < m.dev.Next
}

// freeable reports whether a piece is not empty and lies aligned below the cursor.
func (m *machine) freeable(e abi.Extent) bool {
	return e.Size != 0 && (e.Start|e.Size)%m.host.ArenaAlign == 0 && e.Start <= m.dev.Next && e.Size <= m.dev.Next-e.Start
}

// give gives a piece back and reports whether it was in use. A piece that finds no
// place in the table, which is large enough for the buffers of the program, is lost
// until the reset.
func (m *machine) give(piece abi.Extent) bool {
	if piece.Size == 0 {
		return true
	}
	if !m.freeable(piece) {
		return false
	}
	t := &m.extents
	i := 0 // the first extent behind the piece
	for i < t.n && t.get(i).Start < piece.Start {
		i++
	}
	end := piece.Start + piece.Size
	var before, behind abi.Extent
	if i > 0 {
		before = t.get(i - 1)
	}
	if i < t.n {
		behind = t.get(i)
	}
	if before.Start+before.Size > piece.Start || i < t.n && behind.Start < end {
		return false
	}
	// The piece may touch both neighbours and the cursor.
	if i < t.n && behind.Start == end {
		end += behind.Size
		t.remove(i)
	}
	if before.Size > 0 && before.Start+before.Size == piece.Start {
		piece.Start = before.Start
		i--
		t.remove(i)
	}
	piece.Size = end - piece.Start
	switch {
	case end == m.dev.Next:
		m.dev.Next = piece.Start
	case !t.full():
		t.insert(i, piece)
	}
	return true
}

// take finds room for a rounded size and returns its offset in the pool: at the end
// that the rule names of the smallest extent that is large enough, of those the
// first, else at the cursor.
func (m *machine) take(rounded, rule uint64) (offset uint64, ok bool) {
	best, size := -1, uint64(0)
	for i := range m.extents.n {
		if e := m.extents.get(i); rounded > 0 && e.Size >= rounded && (best < 0 || e.Size < size) {
			best, size = i, e.Size
		}
	}
	if best < 0 {
		return m.bump(rounded)
	}
	e := m.extents.get(best)
	start, rest := e.Start, abi.Extent{Start: e.Start + rounded, Size: e.Size - rounded}
	if rule == abi.RuleHigh {
		start, rest.Start = e.Start+rest.Size, e.Start
	}
	if rest.Size == 0 {
		m.extents.remove(best)
	} else {
		m.extents.set(best, rest)
	}
	return m.host.ArenaStart + start, true
}

// releaseEntry runs one release and reports whether it is well formed. A slot whose
// memory is not in use is a failure.
func (m *machine) releaseEntry(first, index uint64) bool {
	word, ok := m.entry(first, index, 1, 0)
	slot := word &^ abi.ReleaseSlotOnly
	b := m.slot(slot)
	if !ok || b == nil {
		return false
	}
	s := abi.ReadSlot(b)
	if s.Offset == abi.NotPlaced {
		return true // host memory
	}
	if m.reuse() && word&abi.ReleaseSlotOnly == 0 {
		size, err := checked.AlignUp(s.Size, m.host.ArenaAlign)
		piece := abi.Extent{Start: s.Offset - m.host.ArenaStart, Size: size}
		if err != nil || s.Offset < m.host.ArenaStart || !m.give(piece) {
			m.fail(slot, abi.BadProgram, 0)
			return true
		}
	}
	abi.Slot{Offset: abi.NotPlaced, Size: s.Size}.Put(b)
	return true
}
