package verify

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/faults"
)

// Kind is what is wrong.
type Kind uint8

// The kinds of faults.
const (
	Incomplete Kind = iota // a buffer, slot, step or parameter is missing or does not match the sequence
	Misaligned             // an offset, or the base of a pool, is not aligned
	OutOfPool              // memory ends beyond the static region
	Overlap                // two buffers share bytes, and the one is not done with them before the other starts
	Reserved               // a buffer shares bytes with an area of the runtime
	TooSmall               // the size is below the value of its expression
	NotInPlace             // a buffer is not where the one is whose storage it takes over
	BadLoad                // the program reads a count from a wrong place or at a wrong time
	BadProgram             // the program is malformed or computes something else
	Race                   // a step does not wait for another one, or the host for the device, where it must
	Moved                  // a buffer is not at its fixed offset
)

func (k Kind) String() string {
	names := [...]string{
		"incomplete", "misaligned", "out of pool", "overlap", "reserved", "too small",
		"not in place", "bad load", "bad program", "race", "moved",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Fault is one thing wrong with a layout.
type Fault struct {
	Kind   Kind
	Buffer string // the buffer, or the area or step
	Other  string // the second buffer; empty if there is none
	Step   int    // the step at which it shows; -1 if it does not depend on one
	Detail string
}

func (f Fault) Error() string {
	s := fmt.Sprintf("%s: %s", f.Kind, f.Buffer)
	if f.Other != "" {
		s += " and " + f.Other
	}
	if f.Step >= 0 {
		s += fmt.Sprintf(" at step %d", f.Step)
	}
	return s + ": " + f.Detail
}

// Faults is everything that is wrong with a layout. It implements error.
type Faults []Fault

func (f Faults) Error() string { return faults.Text("the plan is wrong", f) }

// Unwrap returns the faults as errors, for errors.As.
func (f Faults) Unwrap() []error { return faults.Errors(f) }
