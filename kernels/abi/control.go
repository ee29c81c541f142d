package abi

// Version is the ABI version. It changes when the meaning of any byte in device
// memory changes.
const Version = 1

// Magic is the first word of a control block: "SQPL" and the ABI version.
const Magic uint64 = 0x4C505153_00000000 | Version

// NotPlaced is the offset of a slot that holds no memory.
const NotPlaced = ^uint64(0)

// NoSlot is the value of Control.FirstFailed while nothing has failed.
const NoSlot = ^uint64(0)

// Sizes of the fixed structures in bytes, and the alignment of the control block.
const (
	ControlSize  = 128
	ControlAlign = 128
	LineSize     = 64 // a control block is two lines of this size
	SlotSize     = 16
	ExtentSize   = 16
	WordSize     = 8
)

// Control is the control block of one pool. The host writes line 0 before a
// batch, the device writes line 1; each line is 64 bytes.
type Control struct {
	HostLine
	DeviceLine
}

// HostLine is line 0 of the control block.
type HostLine struct {
	Magic         uint64 // Magic
	ArenaStart    uint64 // offset of the arena in the pool, a multiple of ArenaAlign
	ArenaCapacity uint64 // bytes
	ArenaAlign    uint64 // a power of two; every slot's offset is a multiple of it
	Epoch         uint64 // batch number, from 1
	Flags         uint64 // Flag bits
	NumSlots      uint64
	PlanHash      uint64
}

// DeviceLine is line 1 of the control block, the status line that the host
// reads back once per batch.
type DeviceLine struct {
	Next        uint64 // cursor: the end of what is in use in the arena, counted from ArenaStart
	High        uint64 // high-water mark of Next since the pool was opened
	Wanted      uint64 // saturating sum of the rounded sizes asked for in this batch, up to and including the first failure
	Failed      uint64 // allocations that failed in this batch
	FailedBytes uint64 // what the first failure asked for; see Code
	FirstFailed uint64 // slot index of the first failure, or NoSlot
	Code        uint64 // Code of the first failure
	EpochDone   uint64 // Epoch of the last batch that reached its end step
}

// Flags of a HostLine. Bits that are not named here must be zero.
const (
	// FlagReuse selects the arena mode "reuse"; clear means "bump".
	FlagReuse uint64 = 1 << 0
	// FaultShift is where the high half of the flags starts. If it is not zero, it
	// is one more than the index of a slot, and the allocation of this slot fails
	// as if the arena had no room, to test what follows from that.
	FaultShift = 32
)

// FaultFlag returns the flag that makes the allocation of a slot fail. A slot that
// is no slot gives no flag.
func FaultFlag(slot SlotID) uint64 {
	if slot < 0 || uint64(slot) >= 1<<FaultShift-1 {
		return 0
	}
	return (uint64(slot) + 1) << FaultShift
}

// KnownFlags reports whether all bits of the flags of a HostLine have a meaning.
func KnownFlags(flags uint64) bool { return flags&(1<<FaultShift-1)&^FlagReuse == 0 }

// Code says why an allocation failed.
type Code uint64

// The failure codes. FailedBytes holds, in this order: nothing; the rounded
// size that did not fit; the value of the count; nothing; nothing.
const (
	OK            Code = iota
	Exhausted          // the arena has no room for the rounded size
	CountOverMax       // a count is above its declared max
	BadArithmetic      // the size program left uint64, went negative or divided by zero
	BadProgram         // malformed program, or a load outside its buffer
)

func (c Code) String() string {
	names := [...]string{"ok", "exhausted", "count over max", "arithmetic", "bad program"}
	if c < Code(len(names)) {
		return names[c]
	}
	return "unknown"
}

// Slot is where the device put one dynamic buffer.
type Slot struct {
	Offset uint64 // from the base of the pool; NotPlaced if there is no memory
	Size   uint64 // bytes asked for, not rounded
}

// Extent is a piece of the arena below the cursor that no buffer holds.
//
// The table of extents, at Header.ExtentsOffset, has NumSlots+1 records of
// ExtentSize bytes: the first holds the number of extents and a zero, then come the
// extents, in the order of Start. They are not empty, and neither touch each other
// nor the cursor. The table is used in the mode "reuse" alone.
type Extent struct {
	Start uint64 // counted from ArenaStart, a multiple of ArenaAlign
	Size  uint64 // bytes, a multiple of ArenaAlign
}

// ExtentsSize returns the size of the table of extents in bytes.
func ExtentsSize(numSlots int) uint64 { return (uint64(numSlots) + 1) * ExtentSize }

// NextLine rounds an offset up to a whole line: the areas of the runtime share none. v
// is at least LineSize below the end of uint64.
func NextLine(v uint64) uint64 { return (v + LineSize - 1) &^ (LineSize - 1) }
