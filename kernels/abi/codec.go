package abi

import (
	"encoding/binary"
	"unsafe"
)

// A struct whose size is not the documented one stops the build here.
var (
	_ [ControlSize]byte            = [unsafe.Sizeof(Control{})]byte{}
	_ [LineSize]byte               = [unsafe.Sizeof(HostLine{})]byte{}
	_ [LineSize]byte               = [unsafe.Sizeof(DeviceLine{})]byte{}
	_ [SlotSize]byte               = [unsafe.Sizeof(Slot{})]byte{}
	_ [HeaderWords * WordSize]byte = [unsafe.Sizeof(Header{})]byte{}
	_ [StepWords * WordSize]byte   = [unsafe.Sizeof(StepEntry{})]byte{}
	_ [AllocWords * WordSize]byte  = [unsafe.Sizeof(Alloc{})]byte{}
	_ [LineSize - WordSize]byte    = [unsafe.Offsetof(HostLine{}.PlanHash)]byte{}
	_ [LineSize]byte               = [unsafe.Offsetof(Control{}.DeviceLine)]byte{}
	_ [LineSize - WordSize]byte    = [unsafe.Offsetof(DeviceLine{}.EpochDone)]byte{}
	_ [LineSize - 2*WordSize]byte  = [unsafe.Offsetof(DeviceLine{}.Code)]byte{}
	_ [LineSize - 3*WordSize]byte  = [unsafe.Offsetof(DeviceLine{}.FirstFailed)]byte{}
	_ [WordSize]byte               = [unsafe.Offsetof(HostLine{}.ArenaStart)]byte{}
	_ [WordSize]byte               = [unsafe.Offsetof(DeviceLine{}.High)]byte{}
	_ [SlotSize - WordSize]byte    = [unsafe.Offsetof(Slot{}.Size)]byte{}
)

func put(b []byte, words ...uint64) {
	for i, w := range words {
		binary.LittleEndian.PutUint64(b[i*WordSize:], w)
	}
}

func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i*WordSize:]) }

// Put writes the line to the first LineSize bytes of b.
func (h HostLine) Put(b []byte) {
	_ = b[LineSize-1]
	put(b, h.Magic, h.ArenaStart, h.ArenaCapacity, h.ArenaAlign, h.Epoch, h.Flags, h.NumSlots, h.PlanHash)
}

// ReadHostLine reads a line from the first LineSize bytes of b.
func ReadHostLine(b []byte) HostLine {
	return HostLine{word(b, 0), word(b, 1), word(b, 2), word(b, 3), word(b, 4), word(b, 5), word(b, 6), word(b, 7)}
}

// Put writes the line to the first LineSize bytes of b.
func (d DeviceLine) Put(b []byte) {
	_ = b[LineSize-1]
	put(b, d.Next, d.High, d.Wanted, d.Failed, d.FailedBytes, d.FirstFailed, d.Code, d.EpochDone)
}

// ReadDeviceLine reads a line from the first LineSize bytes of b.
func ReadDeviceLine(b []byte) DeviceLine {
	return DeviceLine{word(b, 0), word(b, 1), word(b, 2), word(b, 3), word(b, 4), word(b, 5), word(b, 6), word(b, 7)}
}

// Put writes the control block to the first ControlSize bytes of b.
func (c Control) Put(b []byte) {
	c.HostLine.Put(b)
	c.DeviceLine.Put(b[LineSize:])
}

// ReadControl reads a control block from the first ControlSize bytes of b.
func ReadControl(b []byte) Control {
	return Control{ReadHostLine(b), ReadDeviceLine(b[LineSize:])}
}

// Put writes the slot to the first SlotSize bytes of b.
func (s Slot) Put(b []byte) {
	_ = b[SlotSize-1]
	put(b, s.Offset, s.Size)
}

// ReadSlot reads a slot from the first SlotSize bytes of b.
func ReadSlot(b []byte) Slot { return Slot{word(b, 0), word(b, 1)} }

// PutWords writes words to the first WordSize*len(words) bytes of b.
func PutWords(b []byte, words []uint64) { put(b, words...) }
