package arena

import (
	"encoding/binary"
	"errors"

	"github.com/seqplan/seqplan/kernels/abi"
)

// ErrControl is returned where there is no control block to report to: its
// offset leads outside the pool, or it does not start with abi.Magic.
var ErrControl = errors.New("no control block at the given offset")

// memory is the device pool.
type memory []byte

// at returns size bytes at an offset, or nil if they are not inside.
func (m memory) at(offset, size uint64) []byte {
	n := uint64(len(m))
	if offset > n || size > n-offset {
		return nil
	}
	return m[offset : offset+size]
}

// word returns the word with an index in an array of words at an offset.
func (m memory) word(offset, index uint64) (uint64, bool) {
	n := uint64(len(m))
	if offset > n || index >= (n-offset)/abi.WordSize {
		return 0, false
	}
	return binary.LittleEndian.Uint64(m[offset+index*abi.WordSize:]), true
}

// array returns count items of a size at an offset, or false if they are not inside.
func (m memory) array(offset, count, size uint64) ([]byte, bool) {
	n := uint64(len(m))
	if offset > n || count > (n-offset)/size {
		return nil, false
	}
	return m[offset : offset+count*size], true
}

// uint loads an unsigned integer of width bytes.
func (m memory) uint(offset, width uint64) (uint64, bool) {
	b := m.at(offset, width)
	if b == nil {
		return 0, false
	}
	switch width {
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), true
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), true
	case 8:
		return binary.LittleEndian.Uint64(b), true
	}
	return 0, false
}

// machine is one launch: what it read from the control block and the header.
type machine struct {
	mem     memory
	program uint64 // offset of the program
	host    abi.HostLine
	dev     abi.DeviceLine
	header  abi.Header
	stack   [abi.MaxStack]uint64
	extents extents // of the mode reuse; set by loadExtents
}

// open reads the control block.
func (m *machine) open(pool []byte, control uint64) error {
	m.mem = pool
	c := m.mem.at(control, abi.ControlSize)
	if c == nil || control%abi.WordSize != 0 {
		return ErrControl
	}
	m.host, m.dev = abi.ReadHostLine(c), abi.ReadDeviceLine(c[abi.LineSize:])
	if m.host.Magic != abi.Magic {
		return ErrControl
	}
	return nil
}

// arenaUsable reports whether line 0 describes an arena of a known mode, in which
// no offset can leave uint64 or become NotPlaced.
func (m *machine) arenaUsable() bool {
	h := &m.host
	a := h.ArenaAlign
	return abi.KnownFlags(h.Flags) && a != 0 && a&(a-1) == 0 && h.ArenaStart%a == 0 && h.ArenaCapacity < abi.NotPlaced-h.ArenaStart
}

// close writes line 1 back.
func (m *machine) close(control uint64) {
	m.dev.Put(m.mem[control+abi.LineSize:])
}

// readHeader reads the header of the program at an offset and reports whether it
// can be used: it agrees with line 0, and the slots lie in the pool.
func (m *machine) readHeader(program uint64) bool {
	m.program = program
	var w [abi.HeaderWords]uint64
	for i := range w {
		v, ok := m.mem.word(m.program, uint64(i))
		if !ok {
			return false
		}
		w[i] = v
	}
	m.header = abi.Header{
		Magic: w[0], Words: w[1], NumSteps: w[2], NumSlots: w[3],
		NumParams: w[4], SlotsOffset: w[5], ParamsOffset: w[6], ExtentsOffset: w[7],
	}
	h := &m.header
	return h.Magic == abi.ProgramMagic && m.program%abi.WordSize == 0 &&
		(h.SlotsOffset|h.ParamsOffset|h.ExtentsOffset)%abi.WordSize == 0 &&
		h.NumSlots == m.host.NumSlots && h.NumSlots <= uint64(len(m.mem))/abi.SlotSize &&
		m.mem.at(h.SlotsOffset, h.NumSlots*abi.SlotSize) != nil &&
		m.mem.at(h.ExtentsOffset, (h.NumSlots+1)*abi.ExtentSize) != nil
}

// instruction returns a word of the program, by its index from the start.
func (m *machine) instruction(index uint64) (uint64, bool) {
	if index >= m.header.Words {
		return 0, false
	}
	return m.mem.word(m.program, index)
}

// slot returns the bytes of a slot, or nil.
func (m *machine) slot(index uint64) []byte {
	if index >= m.header.NumSlots {
		return nil
	}
	return m.mem.at(m.header.SlotsOffset+index*abi.SlotSize, abi.SlotSize)
}
