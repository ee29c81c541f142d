package expr

import "github.com/seqplan/seqplan/internal/diag"

// Kind is the kind of a Node.
type Kind uint8

// The kinds of nodes. The parser makes all of them; Resolve in package
// sequences rewrites the named references, so that later passes meet only the
// kinds up to CountOf.
const (
	Lit     Kind = iota // Value
	Param               // a launch-time parameter or property; Ref is its ParamID
	Count               // a count in device memory; Ref is its CountID
	CountOf             // count_of(buffer), in elements; Ref is its BufferID
	Add                 // Args[0] + Args[1]; so are the next ones
	Sub
	Mul
	Div
	Mod
	CeilDiv
	AlignUp
	Min // two or more Args
	Max // two or more Args

	// Before resolution only.
	Name      // an identifier that may be a parameter or a count
	SizeOf    // size_of(buffer), in bytes
	SumCounts // sum_counts(group), in elements
	Members   // members(group)
)

// Node is one node of a size expression. Nodes are immutable once built and
// may be shared between expressions; an expression is a pointer to its root.
// Every value is a uint64, every operation is exact.
type Node struct {
	Kind  Kind
	Pos   diag.Pos // where the node starts in the sequence file
	Value uint64   // Lit
	Ident string   // the name as written: Param, Count, CountOf and the unresolved kinds
	Ref   int      // the resolved id: Param, Count, CountOf; -1 before
	Args  []*Node
}
