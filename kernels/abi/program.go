package abi

// The step program is an array of little-endian uint64 words in device memory:
//
//	header      HeaderWords words, see Header
//	steps       NumSteps+1 entries of StepWords words; the last is the end step
//	releases    one word each: a slot index, and ReleaseSlotOnly
//	allocations AllocWords words each
//	code        size programs
//
// Word indexes count from the start of the program.

// ProgramMagic is the first word of a program: "SQPR" and the ABI version.
const ProgramMagic uint64 = 0x52505153_00000000 | Version

// Sizes of the parts of a program in words, and limits that a back end may rely on.
const (
	HeaderWords = 8
	StepWords   = 4
	AllocWords  = 6

	MaxStack    = 32      // values on the stack of a size program
	MaxCodeSize = 1 << 16 // words of one size program
)

// Header is the start of a program.
type Header struct {
	Magic         uint64 // ProgramMagic
	Words         uint64 // length of the whole program in words
	NumSteps      uint64 // steps of the sequence; the end step has this index
	NumSlots      uint64
	NumParams     uint64
	SlotsOffset   uint64 // offset of the slot table in the pool
	ParamsOffset  uint64 // offset of the parameter values in the pool
	ExtentsOffset uint64 // offset of the table of extents in the pool
}

// StepEntry says what one step releases and allocates. Releases happen first.
type StepEntry struct {
	ReleaseWord  uint64 // word index of the first slot index to release
	ReleaseCount uint64
	AllocWord    uint64 // word index of the first allocation
	AllocCount   uint64
}

// ReleaseSlotOnly in the word of a release means that the memory belongs to
// another slot, from which this one took it over: the slot ends, the memory stays.
// Without it the memory of the slot is given back too.
const ReleaseSlotOnly uint64 = 1 << 63

// Alloc is one allocation. CodeWord is the word index of its size program,
// which leaves the size in bytes as the only value on the stack.
type Alloc struct {
	Slot      uint64
	Flags     uint64 // AllocFlag bits
	Base      uint64 // AllocInPlace: the slot whose memory it takes over; else zero
	CodeWord  uint64
	CodeWords uint64
	Rule      uint64 // how the mode "reuse" places it: RuleLow or RuleHigh
}

// Allocation flags. Bits that are not named here must be zero.
const (
	// AllocHost marks a host-scope buffer: the device computes and records the
	// size in the slot and leaves the offset NotPlaced; the host places it.
	AllocHost uint64 = 1 << 0
	// AllocInPlace takes over the memory of the slot Base. The rounded size
	// must not exceed the rounded size of Base, else the code is Exhausted.
	AllocInPlace uint64 = 1 << 1
)

// Op is an instruction of a size program: one word. The low 32 bits are the
// opcode, the high 32 bits its argument A. Some instructions take immediate
// words, which follow.
type Op uint64

// The opcodes. The stack grows to the right; every operation is exact, and
// anything else is the failure BadArithmetic.
const (
	OpInvalid Op = iota
	OpConst      // imm: value         ( -- value)
	OpParam      // A: parameter       ( -- value)
	OpAdd        //                    (a b -- a+b)
	OpSub        //                    (a b -- a-b)
	OpMul        //                    (a b -- a*b)
	OpDiv        //                    (a b -- a/b)
	OpMod        //                    (a b -- a%b)
	OpCeilDiv    //                    (a b -- ceil(a/b))
	OpAlignUp    //                    (a b -- a rounded up to a multiple of b)
	OpMin        //                    (a b -- min)
	OpMax        //                    (a b -- max)
	// OpLoad reads an unsigned integer of A bytes (1, 2, 4, 8) of a static
	// buffer; imm: offset of the buffer, its size in bytes. An index outside the
	// size is the failure BadProgram.
	OpLoad // ( index -- value)
	// OpLoadSlot does the same of a dynamic buffer; imm: slot index. A slot that
	// is not placed, or an index outside its size, is the failure BadProgram.
	OpLoadSlot // ( index -- value)
	// OpCheckMax fails with CountOverMax if value > bound.
	OpCheckMax // ( value bound -- value)
	numOps
)

var opNames = [numOps]string{
	"invalid", "const", "param", "add", "sub", "mul", "div", "mod", "ceil_div",
	"align_up", "min", "max", "load", "load_slot", "check_max",
}

// Code returns the opcode without its argument.
func (o Op) Code() Op { return o & 0xFFFFFFFF }

// A returns the argument.
func (o Op) A() uint32 { return uint32(o >> 32) }

// With returns the opcode with the argument a.
func (o Op) With(a uint32) Op { return o.Code() | Op(a)<<32 }

func (o Op) String() string {
	if c := o.Code(); c < numOps {
		return opNames[c]
	}
	return "unknown"
}

// Immediates returns how many immediate words follow the instruction.
func (o Op) Immediates() int {
	switch o.Code() {
	case OpConst, OpLoadSlot:
		return 1
	case OpLoad:
		return 2
	}
	return 0
}
