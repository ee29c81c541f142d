package abi

// Scope is the memory that a buffer lives in.
type Scope uint8

// The scopes.
const (
	ScopeDevice Scope = iota
	ScopeHost
)

func (s Scope) String() string {
	if s == ScopeHost {
		return "host"
	}
	return "device"
}

// Layout is the part of a plan that the runtime needs. Generated code holds it
// as a literal. It is immutable.
type Layout struct {
	Name     string // of the sequence
	PlanHash uint64
	Params   []Param // launch-time parameters, in the order of OpParam
	Batch    int     // index in Params of the batch size; -1 if there is none

	Device Region // the static regions of one worker
	Host   Region

	// Offsets in the device pool of the areas that the runtime itself uses.
	ControlOffset uint64
	SlotsOffset   uint64
	ExtentsOffset uint64
	ParamsOffset  uint64
	ProgramOffset uint64

	ArenaAlign uint64   // a power of two
	Reuse      bool     // the arena mode that the planner has chosen: reuse, else bump
	Program    []uint64 // the step program
	Buffers    []StaticBuffer
	Slots      []SlotInfo
	Steps      []StepInfo
}

// Param is a launch-time parameter with the range that the plan is proved for.
type Param struct {
	Name     string
	Min, Max uint64
}

// Region is the static region of one scope.
type Region struct {
	Size  uint64 // bytes, a multiple of Align
	Align uint64 // what the base of the pool must be aligned to, a power of two
}

// StaticBuffer is a buffer whose offset the planner has fixed.
type StaticBuffer struct {
	Name     string
	Scope    Scope
	Offset   uint64 // from the base of the pool of its scope
	Size     uint64 // bytes, the largest over the parameter ranges
	Align    uint64
	ElemSize uint64
}

// SlotInfo describes one dynamic buffer; its index is the slot index.
type SlotInfo struct {
	Name     string
	Scope    Scope
	ElemSize uint64
	Step     int // the step that allocates it
}

// StepInfo describes one step.
type StepInfo struct {
	Name    string
	Host    bool // runs on the host
	Wait    bool // the host must wait for the device before this step
	Dynamic bool // the device program has work for this step
}

// Offset is the offset of a static buffer of the device pool. Generated
// constants have this type.
type Offset uint64

// HostOffset is the offset of a static buffer of the host pool.
type HostOffset uint64

// SlotID is the index of a slot. Generated constants have this type.
type SlotID int

// StepID is the index of a step. Generated constants have this type.
type StepID int
