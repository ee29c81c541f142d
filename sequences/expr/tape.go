package expr

import "slices"

const (
	maxTape    = 1 << 14 // length of the longest tape
	recordWork = 64      // what it costs to record an operation, in operations of a tape
)

// tape is a static expression as straight code, to be evaluated at many points.
// Each buffer that it looks through is computed once.
type tape struct {
	code   []tapeOp
	values []uint64 // of the code, at the last point
}

// tapeOp is a literal (value), a parameter (x is its ref), or an operation on
// the results x and y of earlier code.
type tapeOp struct {
	kind  Kind
	value uint64
	x, y  int
}

// tapeOf returns the tape of an expression, or false if a leaf has no known
// expression or the tape would be too long.
func (a *analysis) tapeOf(n *Node) (*tape, bool) {
	t := &tape{}
	_, ok := a.record(t, n, map[int]int{})
	t.values = make([]uint64, len(t.code))
	return t, ok
}

// record appends the code of n and returns the index of its result. buffers
// holds the results of the buffers met so far.
func (a *analysis) record(t *tape, n *Node, buffers map[int]int) (int, bool) {
	a.work -= recordWork
	if len(t.code) >= maxTape || a.work < 0 || !n.wellFormed() {
		return 0, false
	}
	switch {
	case n.Kind == Lit:
		return t.add(tapeOp{kind: Lit, value: n.Value}), true
	case n.Kind == Param:
		return t.add(tapeOp{kind: Param, x: n.Ref}), n.Ref >= 0 && n.Ref < len(a.box)
	case n.Kind == CountOf:
		if at, ok := buffers[n.Ref]; ok {
			return at, true
		}
		node, ok := a.seen(n)
		if !ok {
			return 0, false
		}
		at, ok := a.record(t, node, buffers)
		if ok {
			buffers[n.Ref] = at
		}
		return at, ok
	case n.Kind < Add || n.Kind > Max:
		return 0, false
	}
	acc, ok := a.record(t, n.Args[0], buffers)
	for _, arg := range n.Args[1:] {
		if !ok {
			return 0, false
		}
		var y int
		y, ok = a.record(t, arg, buffers)
		acc = t.add(tapeOp{kind: n.Kind, x: acc, y: y})
	}
	return acc, ok
}

func (t *tape) add(op tapeOp) int {
	t.code = append(t.code, op)
	return len(t.code) - 1
}

// at evaluates a tape at one point.
func (a *analysis) at(t *tape, point []uint64) (uint64, error) {
	a.work -= len(t.code)
	v := uint64(0)
	for i, op := range t.code {
		switch op.kind {
		case Lit:
			v = op.value
		case Param:
			v = point[op.x]
		default:
			var err error
			if v, err = apply(op.kind, t.values[op.x], t.values[op.y]); err != nil {
				return 0, err
			}
		}
		t.values[i] = v
	}
	return v, nil // the root is recorded last
}

// affordable reports whether all points of the moving parameters may be tried.
func (a *analysis) affordable(t *tape, moving []int, limit uint64) bool {
	points := uint64(1)
	for _, p := range moving {
		width := a.box[p].Max - a.box[p].Min
		if width >= limit {
			return false
		}
		if points *= width + 1; points > limit {
			return false
		}
	}
	return int(points)*len(t.code) <= a.work
}

// enumerate evaluates a tape at every point of the moving parameters: exact
// bounds with exact directions, or the first point that fails.
func (a *analysis) enumerate(t *tape, moving []int) (span, []uint64, error) {
	point := a.corner(a.still, false)
	s := span{lo: ^uint64(0), dir: a.still}
	var values []uint64
	for {
		v, err := a.at(t, point)
		if err != nil {
			return span{}, point, err
		}
		s.lo = min(s.lo, v)
		if s.at == nil || v > s.hi {
			s.hi, s.at = v, append(s.at[:0], point...)
		}
		values = append(values, v)
		if !a.step(point, moving) {
			break
		}
	}
	s.dir = slices.Clone(a.still)
	stride := 1 // between values that differ by one in a parameter
	for _, p := range slices.Backward(moving) {
		width := int(a.box[p].Max - a.box[p].Min)
		s.dir[p] = trend(values, stride, width)
		stride *= width + 1
	}
	return s, nil, nil
}

// step moves to the next point, the last parameter first, and reports whether
// there is one.
func (a *analysis) step(point []uint64, moving []int) bool {
	for _, p := range slices.Backward(moving) {
		if point[p] < a.box[p].Max {
			point[p]++
			return true
		}
		point[p] = a.box[p].Min
	}
	return false
}

// trend is the direction of the values of a grid along the dimension with the
// given stride and largest index.
func trend(values []uint64, stride, last int) Dir {
	dir := Const
	for i, v := range values[:len(values)-stride*min(last, 1)] {
		if i/stride%(last+1) == last {
			continue
		}
		switch next := values[i+stride]; {
		case next > v && dir == Dec, next < v && dir == Inc:
			return Unknown
		case next > v:
			dir = Inc
		case next < v:
			dir = Dec
		}
	}
	return dir
}
