package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/faults"
)

// Kind is what is wrong.
type Kind uint8

// The kinds of faults.
const (
	Malformed     Kind = iota // the problem is none: nothing else is checked
	Incomplete                // there are more or fewer offsets than buffers
	Misaligned                // an offset is not a multiple of the alignment
	OutOfRange                // offset + size leaves uint64
	Moved                     // a buffer is not at its fixed offset
	NotInPlace                // a member of an in-place group has another offset than the first one
	Overlap                   // two buffers share bytes at a step
	Excluded                  // two buffers share bytes that may not at any time
	WrongHeight               // the height is not the largest offset + size
	OverCapacity              // the height is above the capacity
	WrongStatus               // the status contradicts the rest of the result
	WrongBound                // the bound does not follow from its steps, or the packing is below it
	WrongConflict             // the conflict is none
)

func (k Kind) String() string {
	names := [...]string{
		"malformed problem", "incomplete", "misaligned", "out of range", "moved", "not in place", "overlap", "excluded",
		"wrong height", "over capacity", "wrong status", "wrong bound", "wrong conflict",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Fault is one thing wrong with a result.
type Fault struct {
	Kind   Kind
	Buffer int    // index in Problem.Buffers; -1 if it is about no buffer
	Other  int    // the second buffer; -1 if there is none
	Step   uint64 // of an Overlap: the first step at which it shows, else 0
	Detail string
}

func (f Fault) Error() string {
	s := f.Kind.String() + ": "
	switch {
	case f.Buffer < 0:
		return s + f.Detail
	case f.Other < 0:
		s += fmt.Sprintf("buffer %d", f.Buffer)
	default:
		s += fmt.Sprintf("buffers %d and %d", f.Buffer, f.Other)
	}
	if f.Kind == Overlap {
		s += fmt.Sprintf(" at step %d", f.Step)
	}
	return s + ": " + f.Detail
}

// Faults is what is wrong with a result, sorted by kind, buffers and step. Of
// buffers on top of each other not every pair is there, but every buffer is. It
// implements error.
type Faults []Fault

func (f Faults) Error() string { return faults.Text("the packing is wrong", f) }

// Unwrap returns the faults as errors, for errors.As.
func (f Faults) Unwrap() []error { return faults.Errors(f) }

// sorted returns the faults in order, of each kind and pair of buffers the first.
func (f Faults) sorted() Faults {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(comparePairs(a, b), cmp.Compare(a.Step, b.Step))
	})
	return slices.CompactFunc(f, func(a, b Fault) bool { return a.Buffer >= 0 && comparePairs(a, b) == 0 })
}

func comparePairs(a, b Fault) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.Other, b.Other))
}
