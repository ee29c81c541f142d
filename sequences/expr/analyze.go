package expr

import (
	"fmt"
	"slices"
)

// limits of an analysis. They count points and operations, not time, so that a
// result does not depend on the machine.
type limits struct {
	points  uint64 // size of the largest box that is tried point by point
	tighten uint64 // the same, only to make sound bounds exact
	work    int    // operations that one Analyze spends on trying points
}

// MaxPoints is how many points of the parameters an analysis tries at most, one by one.
const MaxPoints = 1 << 16

var defaultLimits = limits{points: MaxPoints, tighten: 1 << 10, work: 1 << 24}

// Analyze bounds an expression over a box. Bounds of a static expression (one
// without a count) are also the proof that no operation in it fails at any point
// of the box; else the error is a *Fault, with a point where one is
// known.
//
// In a dynamic expression an operation on counts may fail when it runs. Its
// bounds hold where it does not: a difference is bounded by 0 from below, a
// divisor by 1. It is an error if the bounds themselves leave uint64 or if an
// operation on counts cannot succeed at all. Operations on parameters only are
// held to the static rule there too. The Proof of a dynamic expression is
// ProofInterval and it has no At.
//
// Each node is bounded by interval arithmetic and gets a direction per
// parameter; without an Unknown direction the interval is exact. Where the
// intervals allow a failure, these are tried in turn: the corners of the box for
// a counterexample; the polynomial normal form, in which equal terms cancel;
// all points, if there are at most MaxPoints.
func Analyze(n *Node, box Box, env AnalysisEnv) (Bounds, error) {
	return analyze(n, box, env, defaultLimits)
}

func analyze(n *Node, box Box, env AnalysisEnv, within limits) (Bounds, error) {
	for i, r := range box {
		if r.Min > r.Max {
			return Bounds{}, &Fault{
				Node: n, Failure: FailMalformed,
				Err: fmt.Errorf("%w: range [%d, %d] of parameter %d is empty", ErrMalformed, r.Min, r.Max, i),
			}
		}
	}
	a := &analysis{box: box, env: env, limits: within, still: make([]Dir, len(box)), known: map[*Node]span{}}
	s, err := a.span(n)
	if err != nil {
		return Bounds{}, err
	}
	if s, err = a.tightened(n, s); err != nil {
		return Bounds{}, err
	}
	b := Bounds{Lo: s.lo, Hi: s.hi, At: s.at, Dir: s.dir, Dynamic: s.dynamic, Proof: a.proof(s), node: n}
	if b.At == nil && s.exact() {
		b.At = a.corner(s.dir, true)
	}
	return b, nil
}

// analysis is the state of one Analyze.
type analysis struct {
	box        Box
	env        AnalysisEnv
	limits           // work is what is left of it
	enumerated bool  // some node was proved point by point
	still      []Dir // Const for every parameter; shared, not written
	known      map[*Node]span
}

// span is what is known of one node. Spans are immutable.
type span struct {
	lo, hi  uint64
	dir     []Dir
	dynamic bool
	at      []uint64 // attains hi, if it is known otherwise than by dir
}

// exact reports whether lo and hi are attained at the corners that dir points to.
func (s span) exact() bool { return !s.dynamic && !slices.Contains(s.dir, Unknown) }

// constant reports whether only one value is possible.
func (s span) constant() bool { return s.lo == s.hi }

func (a *analysis) proof(s span) Proof {
	switch {
	case !s.exact() && (s.at == nil || !a.enumerated):
		return ProofInterval
	case a.enumerated:
		return ProofEnumerated
	case slices.Equal(s.dir, a.still):
		return ProofConstant
	}
	return ProofMonotone
}

// corner is the point at which a value with these directions is highest or
// lowest. Parameters that do not matter are at their Min.
func (a *analysis) corner(dir []Dir, highest bool) []uint64 {
	point := make([]uint64, len(a.box))
	for i, r := range a.box {
		point[i] = r.Min
		if dir[i] == Inc && highest || dir[i] == Dec && !highest {
			point[i] = r.Max
		}
	}
	return point
}

// span bounds a node and everything below it.
func (a *analysis) span(n *Node) (span, error) {
	if !n.wellFormed() {
		return span{}, &Fault{Node: n, Failure: FailMalformed, Err: ErrMalformed}
	}
	switch {
	case n.Kind == Lit:
		return span{lo: n.Value, hi: n.Value, dir: a.still}, nil
	case n.Kind == Param:
		return a.param(n)
	case n.Kind == Count:
		b, err := a.bounds(n, a.env.Count)
		b.Dynamic = true
		return a.leaf(b), err
	case n.Kind == CountOf:
		b, err := a.bounds(n, a.env.CountOf)
		a.enumerated = a.enumerated || b.Proof == ProofEnumerated
		return a.leaf(b), err
	case n.Kind > Max:
		return span{}, &Fault{Node: n, Failure: FailMalformed, Err: ErrUnresolved}
	}
	if s, ok := a.known[n]; ok {
		return s, nil
	}
	s, err := a.operation(n)
	if err == nil {
		a.known[n] = s
	}
	return s, err
}

func (a *analysis) param(n *Node) (span, error) {
	if n.Ref < 0 || n.Ref >= len(a.box) {
		return span{}, &Fault{
			Node: n, Failure: FailMalformed,
			Err: fmt.Errorf("%w: no parameter %d", ErrMalformed, n.Ref),
		}
	}
	r := a.box[n.Ref]
	dir := a.still
	if r.Min != r.Max {
		dir = slices.Clone(a.still)
		dir[n.Ref] = Inc
	}
	return span{lo: r.Min, hi: r.Max, dir: dir}, nil
}

// bounds asks the env for the bounds of a leaf.
func (a *analysis) bounds(n *Node, ask func(ref int) (Bounds, error)) (Bounds, error) {
	if ask == nil {
		return Bounds{}, &Fault{Node: n, Failure: FailMalformed, Err: fmt.Errorf("%w: nothing is known of it", ErrMalformed)}
	}
	b, err := ask(n.Ref)
	if err == nil && b.Lo > b.Hi {
		err = &Fault{Node: n, Failure: FailMalformed, Err: fmt.Errorf("%w: its bounds are empty", ErrMalformed)}
	}
	return b, err
}

// seen returns the expression of a static buffer, if it is known.
func (a *analysis) seen(n *Node) (*Node, bool) {
	b, err := a.bounds(n, a.env.CountOf)
	return b.node, err == nil && b.node != nil && !b.Dynamic
}

func (a *analysis) leaf(b Bounds) span {
	s := span{lo: b.Lo, hi: b.Hi, dir: b.Dir, dynamic: b.Dynamic, at: b.At}
	if s.dynamic || len(s.dir) != len(a.box) {
		s.dir, s.at = a.unknown(), nil
	}
	return a.settled(s)
}

// unknown is Unknown for every parameter that can move.
func (a *analysis) unknown() []Dir {
	dir := make([]Dir, len(a.box))
	for i, r := range a.box {
		if r.Min != r.Max {
			dir[i] = Unknown
		}
	}
	return dir
}

// settled drops the directions of a value that cannot move.
func (a *analysis) settled(s span) span {
	if s.constant() {
		s.dir = a.still
	}
	return s
}

func (a *analysis) operation(n *Node) (span, error) {
	args := make([]span, len(n.Args))
	for i, arg := range n.Args {
		var err error
		if args[i], err = a.span(arg); err != nil {
			return span{}, err
		}
	}
	s, risk := a.rule(n.Kind, args)
	for _, arg := range args {
		s.dynamic = s.dynamic || arg.dynamic
	}
	if s.dynamic {
		if risk != nil && risk.certain {
			return span{}, &Fault{Node: n, Failure: failure(risk.err), Err: risk.err}
		}
		s.dir = a.unknown()
	} else if risk != nil {
		return a.prove(n, risk)
	}
	return a.settled(s), nil
}
