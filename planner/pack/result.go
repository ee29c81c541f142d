package pack

import "context"

// Status says what is known of a Result.
type Status uint8

// The states of a result.
const (
	Feasible   Status = iota // Offsets are a valid packing
	Optimal                  // and no packing is lower
	Infeasible               // no packing exists, or none within Capacity: see Conflict
	Unknown                  // none within Capacity was found, and none was ruled out
)

func (s Status) String() string {
	names := [...]string{"feasible", "optimal", "infeasible", "unknown"}
	if int(s) < len(names) {
		return names[s]
	}
	return "invalid"
}

// BoundKind is where a lower bound comes from.
type BoundKind uint8

// The kinds of bounds.
const (
	MaxLive   BoundKind = iota // bytes in use at once
	Alignment                  // the same, with the bytes that alignment costs
	Placed                     // the end of a buffer with a fixed offset
	Refuted                    // a search found that no packing of a window is lower
)

func (k BoundKind) String() string {
	names := [...]string{"max live", "alignment", "fixed offset", "refuted window"}
	if int(k) < len(names) {
		return names[k]
	}
	return "invalid"
}

// Bound is a height that no packing is below, with its reason: the buffers alive
// in the steps [First, End), each clipped to them, need that much.
type Bound struct {
	Bytes      uint64
	Kind       BoundKind
	First, End uint64
}

// Result is what a packer knows at its end.
type Result struct {
	Status  Status
	Offsets []uint64 // by index in Problem.Buffers; nil if Infeasible; if Unknown, above Capacity
	Height  uint64   // largest Offset + Size of Offsets
	Bound   Bound
	// Conflict is, if Infeasible, buffers by index that have no packing on their
	// own. If Minimal, they have one without any single one of them.
	Conflict    []int
	Minimal     bool
	Method      string // which engine found Offsets
	Nodes       uint64 // search nodes (placements tried)
	Interrupted bool   // the search was cancelled: Status, Offsets and Nodes depend on when
}

// Gap is how far the height is above the bound, as a part of the bound.
func (r Result) Gap() float64 {
	if r.Height <= r.Bound.Bytes {
		return 0
	}
	return float64(r.Height-r.Bound.Bytes) / float64(max(1, r.Bound.Bytes))
}

// Packer is a packing engine. Unless it is cancelled it is deterministic: the
// same problem gives the same result on any machine. It fails with ErrInvalid if
// the problem is none, and with another error if a sum leaves uint64. If it is
// cancelled it returns what it has, without an error.
type Packer interface {
	Pack(context.Context, Problem) (Result, error)
}
