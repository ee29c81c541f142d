package arena_test

import (
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels/abi"
)

// Case is a device pool with a step program in it. The pool holds, in this order,
// the control block, the slots, the parameter values, Data and the program; the
// arena begins behind them.
type Case struct {
	Program
	Values   []uint64 // of the parameters
	Data     []byte   // a static area that the size programs load from
	Align    uint64   // of the arena
	Capacity uint64   // of the arena; may be more than ArenaBytes
	Start    uint64   // of the arena; 0 means behind everything else
	Arena    []byte   // the first bytes of the arena
	Epoch    uint64
	Flags    uint64

	words []uint64
}

// ControlAt and SlotsAt are the offsets of the control block and of the slots.
const (
	ControlAt = 0
	SlotsAt   = abi.ControlSize
)

// ParamsAt returns the offset of the parameter values.
func (c *Case) ParamsAt() uint64 { return c.ExtentsAt() + (c.Slots+1)*abi.ExtentSize }

// ExtentsAt returns the offset of the table of extents.
func (c *Case) ExtentsAt() uint64 { return SlotsAt + c.Slots*abi.SlotSize }

// DataAt returns the offset of Data.
func (c *Case) DataAt() uint64 { return c.ParamsAt() + c.Params*abi.WordSize }

// MarkAt returns the offset of a word for Mark.
func (c *Case) MarkAt() uint64 { return (c.DataAt() + uint64(len(c.Data)) + 7) &^ 7 }

// ProgramAt returns the offset of the program.
func (c *Case) ProgramAt() uint64 { return c.MarkAt() + abi.WordSize }

// Line returns line 0 of the control block. Pool must have been called.
func (c *Case) Line() abi.HostLine {
	return abi.HostLine{
		Magic: abi.Magic, ArenaStart: c.Start, ArenaCapacity: c.Capacity, ArenaAlign: c.Align,
		Epoch: c.Epoch, Flags: c.Flags, NumSlots: c.Slots, PlanHash: 0x1234,
	}
}

// Pool returns the bytes of the pool before the first reset.
func (c *Case) Pool() []byte {
	c.SlotsOffset, c.ExtentsOffset, c.ParamsOffset = SlotsAt, c.ExtentsAt(), c.ParamsAt()
	c.words = c.Words()
	end := c.ProgramAt() + uint64(len(c.words))*abi.WordSize
	if c.Start == 0 {
		c.Start = (end + c.Align - 1) / c.Align * c.Align
		end = c.Start
	}
	pool := make([]byte, end+uint64(len(c.Arena)))
	for i := range pool {
		pool[i] = 0xA5 // whatever lay there
	}
	abi.Control{HostLine: c.Line()}.Put(pool)
	abi.PutWords(pool[c.ParamsAt():], c.Values)
	copy(pool[c.DataAt():], c.Data)
	abi.PutWords(pool[c.ProgramAt():], c.words)
	copy(pool[end:], c.Arena)
	return pool
}

// SlotsOf reads the slot table of a pool.
func (c *Case) SlotsOf(pool []byte) []abi.Slot {
	out := make([]abi.Slot, c.Slots)
	for i := range out {
		out[i] = abi.ReadSlot(pool[SlotsAt+i*abi.SlotSize:])
	}
	return out
}

// LineOf reads line 1 of a pool.
func LineOf(pool []byte) abi.DeviceLine { return abi.ReadDeviceLine(pool[ControlAt+abi.LineSize:]) }

// U32 returns the little-endian bytes of 32-bit integers.
func U32(values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}
