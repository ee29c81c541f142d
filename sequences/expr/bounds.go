package expr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels/checked"
)

// Range is the closed range of values of a parameter.
type Range struct{ Min, Max uint64 }

// Box is the range of every parameter, indexed by ParamID.
type Box []Range

// Dir is how a value moves when one parameter grows and the others stay.
type Dir uint8

// The directions.
const (
	Const   Dir = iota // it stays
	Inc                // it never falls
	Dec                // it never grows
	Unknown            // it may do either, or nothing is known
)

func (d Dir) String() string {
	return [...]string{"const", "inc", "dec", "unknown"}[min(d, Unknown)]
}

// Proof is how bounds were found.
type Proof uint8

// The proofs. The first two and ProofEnumerated give exact bounds.
const (
	ProofConstant   Proof = iota // the same value at every point
	ProofMonotone                // monotone in every parameter: attained at corners of the box
	ProofInterval                // interval arithmetic: Lo and Hi may not be attained
	ProofEnumerated              // evaluated at every point of the parameters that matter
)

func (p Proof) String() string {
	return [...]string{"constant", "monotone", "interval", "enumerated"}[min(p, ProofEnumerated)]
}

// Bounds is what is known of a value over a box. Wherever the evaluation
// succeeds, the value lies in [Lo, Hi].
//
// If a static value has no Unknown direction, then Lo and Hi are attained at the
// two corners of the box that Dir points to. An AnalysisEnv that makes Bounds by
// hand must keep to that.
type Bounds struct {
	Lo, Hi  uint64
	Proof   Proof
	At      []uint64 // a point, one value for each parameter, that attains Hi; nil if none is known
	Dir     []Dir    // one for each parameter
	Dynamic bool     // a count is in it, directly or through a buffer

	node *Node // what was analysed, so that others can look through a count_of
}

// AnalysisEnv gives what is known of the leaves that are no parameters. Both
// functions are given an id. Analyze passes their errors on as they are, for
// instance ErrUnbounded. A nil function makes such a leaf a fault.
type AnalysisEnv struct {
	// Count bounds a count in device memory. Only Lo and Hi matter.
	Count func(ref int) (Bounds, error)
	// CountOf bounds the elements of a buffer, over the same box. Where it returns
	// what Analyze returned, Analyze can look through the leaf.
	CountOf func(ref int) (Bounds, error)
}

// ErrUnbounded is for an AnalysisEnv that has no bound of a count.
var ErrUnbounded = errors.New("count has no declared max")

// Failure is what goes wrong in an operation.
type Failure uint8

// The failures.
const (
	FailOverflow  Failure = iota // checked.ErrOverflow
	FailNegative                 // checked.ErrNegative
	FailDivZero                  // checked.ErrDivZero
	FailMalformed                // ErrMalformed or ErrUnresolved: a tree that has no value
)

func (f Failure) String() string {
	return [...]string{"overflow", "negative", "division by zero", "malformed"}[min(f, FailMalformed)]
}

// Fault says that an operation fails somewhere in the box or, if it is
// Unproven, that this could not be ruled out.
type Fault struct {
	Node     *Node    // the operation
	Failure  Failure  // what fails
	Unproven bool     // no point is known at which it fails, and none could be excluded
	At       []uint64 // a point at which it fails; nil if none is known
	Err      error    // the cause, for errors.Is
}

func (e *Fault) Error() string {
	if e.Unproven {
		return fmt.Sprintf("%s: cannot prove that it never fails: %v; the parameters have too many values to try all: narrow their ranges, or rewrite it with max or min",
			excerpt(e.Node), e.Err)
	}
	if where := e.point(); where != "" {
		return fmt.Sprintf("%s: %v at %s", excerpt(e.Node), e.Err, where)
	}
	return fmt.Sprintf("%s: %v", excerpt(e.Node), e.Err)
}

func (e *Fault) Unwrap() error { return e.Err }

// point names the parameters of the operation with their values in At.
func (e *Fault) point() string {
	var parts []string
	seen := map[int]bool{}
	Walk(e.Node, func(n *Node) bool {
		if n.Kind == Param && !seen[n.Ref] && n.Ref >= 0 && n.Ref < len(e.At) {
			seen[n.Ref] = true
			parts = append(parts, fmt.Sprintf("%s = %d", n.Ident, e.At[n.Ref]))
		}
		return true
	})
	return strings.Join(parts, ", ")
}

func failure(err error) Failure {
	switch {
	case errors.Is(err, checked.ErrOverflow):
		return FailOverflow
	case errors.Is(err, checked.ErrNegative):
		return FailNegative
	case errors.Is(err, checked.ErrDivZero):
		return FailDivZero
	}
	return FailMalformed
}
