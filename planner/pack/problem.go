// Package pack places buffers with fixed lifetimes at offsets, so that buffers
// alive at the same time are disjoint and the height is small: the dynamic
// storage allocation problem. It knows nothing of sequences.
package pack

// Buffer is one rectangle to place: bytes over time.
type Buffer struct {
	First, End int    // half-open lifetime in steps, First < End
	Size       uint64 // bytes, may be 0
	Align      uint64 // a power of two
}

// Problem is a packing problem.
type Problem struct {
	Buffers []Buffer
}

// Status says what is known of a Result.
type Status uint8

// The states of a result.
const (
	Feasible Status = iota // Offsets are a valid packing
	Optimal                // and no packing is lower
)

func (s Status) String() string { return [...]string{"feasible", "optimal"}[s] }

// Result is a packing.
type Result struct {
	Offsets    []uint64 // by index in Problem.Buffers
	Height     uint64   // largest Offset + Size
	LowerBound uint64   // max-live bytes
	PeakAt     int      // a step at which LowerBound bytes live
	Status     Status
	Method     string // which engine and order found it
	Nodes      uint64 // search nodes (placements tried)
}

// Packer is a packing engine. It is deterministic: the same problem gives the
// same result on any machine. It fails if a sum leaves uint64 or an alignment
// is no power of two.
type Packer interface {
	Pack(Problem) (Result, error)
}
