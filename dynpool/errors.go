package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels/abi"
)

// What a caller may branch on.
var (
	// ErrExhausted: the arena had no room for a buffer. A smaller batch may fit.
	ErrExhausted = errors.New("arena exhausted")
	// ErrCount: a count was above its declared max.
	ErrCount = errors.New("count over its declared max")
	// ErrArithmetic: a size left uint64, became negative or divided by zero.
	ErrArithmetic = errors.New("size cannot be computed")
	// ErrProgram: the device met a malformed program or a load outside its buffer.
	ErrProgram = errors.New("device program failed")

	// ErrFaults: a FaultPlan made the same events fail each time that they ran.
	ErrFaults = errors.New("the fault plan lets some events never run")

	ErrBusy   = errors.New("a batch is under way")
	ErrEnded  = errors.New("the batch has ended")
	ErrOrder  = errors.New("steps must come in order, each once")
	ErrParams = errors.New("wrong number of launch-time parameters")
)

// Failure is what all failures of an allocation have in common.
type Failure struct {
	Buffer string     // the first buffer that could not be placed; empty if unknown
	Step   string     // the step that it belongs to
	Slot   abi.SlotID // its slot; -1 if unknown
	Failed uint64     // allocations of the batch that failed, this one included
}

// subject names what could not be placed. A failure of no buffer is one of a kernel that
// allocates by itself, or of a list.
func (f *Failure) subject() string {
	if f.Buffer == "" {
		return "a kernel or a list, which belongs to no buffer,"
	}
	return fmt.Sprintf("buffer %s of step %s", f.Buffer, f.Step)
}

// ExhaustedError says which buffer did not fit. It is an ErrExhausted.
type ExhaustedError struct {
	Failure
	Pool      abi.Scope // the pool that is full; the host pool only with a limit
	Wanted    uint64    // bytes of the buffer, rounded
	Capacity  uint64    // bytes that the dynamic buffers share
	Used      uint64    // bytes of them in use before it; with reuse the free ones below the last count too
	HighWater uint64    // the most bytes of them that were in use since the pool was opened
	Demand    uint64    // bytes of all device buffers up to this one; saturating
	Injected  bool      // there was room: a FaultPlan made it fail
}

func (e *ExhaustedError) Error() string {
	why := ""
	switch {
	case e.Injected:
		why = ": made to fail by a fault plan"
	case e.Capacity == 0 && e.Pool == abi.ScopeDevice:
		why = ": the pool was opened without an arena, see WithCapacity and WithArena"
	}
	return fmt.Sprintf("%s: %s wants %d bytes of the %s pool, %d of %d are in use%s",
		ErrExhausted, e.subject(), e.Wanted, e.Pool, e.Used, e.Capacity, why)
}

// Is makes the error an ErrExhausted.
func (e *ExhaustedError) Is(target error) bool { return target == ErrExhausted }

// CountError says that a count was too large. It is an ErrCount.
type CountError struct {
	Failure
	Value uint64

	// What the size program tells of the count. It need not be unique where a size
	// needs several counts.
	Count    string // where it lies, as in "offsets[100]"; empty if unknown
	Max      uint64 // its declared max at the parameter values of the batch
	MaxKnown bool
}

func (e *CountError) Error() string {
	if e.Buffer == "" {
		return fmt.Sprintf("%s: a list has %d entries, more than its limit", ErrCount, e.Value)
	}
	count, limit := "a count", ""
	if e.Count != "" {
		count = "the count " + e.Count
	}
	if e.MaxKnown {
		limit = fmt.Sprintf(", its max is %d", e.Max)
	}
	return fmt.Sprintf("%s: the size of %s needs %s that is %d%s", ErrCount, e.subject(), count, e.Value, limit)
}

// Is makes the error an ErrCount.
func (e *CountError) Is(target error) bool { return target == ErrCount }

// ArithmeticError says that a size cannot be computed. It is an ErrArithmetic.
type ArithmeticError struct{ Failure }

func (e *ArithmeticError) Error() string {
	return fmt.Sprintf("%s: %s", ErrArithmetic, e.subject())
}

// Is makes the error an ErrArithmetic.
func (e *ArithmeticError) Is(target error) bool { return target == ErrArithmetic }

// ProgramError says that the device could not run its program. It is an ErrProgram.
type ProgramError struct {
	Failure
	Code abi.Code
}

func (e *ProgramError) Error() string {
	if e.Buffer == "" {
		return fmt.Sprintf("%s (%s)", ErrProgram, e.Code)
	}
	return fmt.Sprintf("%s (%s) at %s", ErrProgram, e.Code, e.subject())
}

// Is makes the error an ErrProgram.
func (e *ProgramError) Is(target error) bool { return target == ErrProgram }

// RangeError says that a launch-time parameter lies outside the range that the
// plan is proved for.
type RangeError struct {
	Param           string
	Value, Min, Max uint64
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("%s = %d is outside the planned range %d ... %d", e.Param, e.Value, e.Min, e.Max)
}

// at is the failure of one slot; the slot may be any value.
func (p *Pool) at(slot uint64) Failure {
	f := Failure{Slot: -1, Failed: 1}
	l := p.Layout()
	if slot < uint64(len(l.Slots)) {
		info := &l.Slots[slot]
		f.Slot, f.Buffer = abi.SlotID(slot), info.Name
		f.Step = l.Steps[info.Step].Name // staticpool.Open has checked the index
	}
	return f
}

// failure turns line 1 of a control block into an error, or nil.
func (p *Pool) failure(d abi.DeviceLine) error {
	code := abi.Code(d.Code)
	if code == abi.OK {
		return nil
	}
	f := p.at(d.FirstFailed)
	f.Failed = d.Failed
	switch code {
	case abi.Exhausted:
		return &ExhaustedError{
			Failure: f, Wanted: d.FailedBytes, Capacity: p.ArenaCapacity(),
			Used: d.Next, HighWater: d.High, Demand: d.Wanted, Injected: p.injected(d),
		}
	case abi.CountOverMax:
		e := &CountError{Failure: f, Value: d.FailedBytes}
		e.Count, e.Max, e.MaxKnown = p.exceeded(f.Slot, e.Value)
		return e
	case abi.BadArithmetic:
		return &ArithmeticError{f}
	}
	return &ProgramError{f, code}
}
