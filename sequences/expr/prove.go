package expr

import "math/bits"

// prove bounds a static operation for which the intervals of its arguments allow
// a failure, or returns the error. The arguments are proved already.
func (a *analysis) prove(n *Node, r *risk) (span, error) {
	failed := &Fault{Node: n, Failure: failure(r.err), Err: r.err}
	if r.exact() {
		failed.At = a.corner(r.dir, r.highest)
		return span{}, failed
	}
	moving := a.moving(n)
	t, evaluable := a.tapeOf(n)
	if evaluable {
		if failed.found(a.failingCorner(t, moving, r)) {
			return span{}, failed
		}
	}
	if proved, ok := a.polynomial(n); ok {
		return a.settled(proved), nil
	}
	if evaluable {
		if a.affordable(t, moving, a.points) {
			a.enumerated = true
			e, at, err := a.enumerate(t, moving)
			if failed.found(at, err) {
				return span{}, failed
			}
			return a.settled(e), nil
		}
		if failed.found(a.failingProbe(t, moving)) {
			return span{}, failed
		}
	}
	failed.Unproven = true
	return span{}, failed
}

// found records a point at which the operation fails, if there is one. It may
// fail in another way than the one that was suspected.
func (f *Fault) found(at []uint64, err error) bool {
	if err != nil {
		f.At, f.Err, f.Failure = at, err, failure(err)
	}
	return err != nil
}

func (r *risk) exact() bool { return span{dir: r.dir}.exact() }

// moving returns the parameters that the arguments of an operation depend on.
func (a *analysis) moving(n *Node) []int {
	dir := a.still
	for _, arg := range n.Args {
		if s, err := a.span(arg); err == nil { // all known already
			dir = join(dir, s.dir)
		}
	}
	var refs []int
	for i, d := range dir {
		if d != Const {
			refs = append(refs, i)
		}
	}
	return refs
}

// failingCorner looks for a failure at the corners that a risk points to, with
// the parameters of unknown direction at either end.
func (a *analysis) failingCorner(t *tape, moving []int, r *risk) ([]uint64, error) {
	const mostUnknown = 6
	point := a.corner(r.dir, r.highest)
	var free []int
	for _, p := range moving {
		if r.dir[p] == Unknown {
			free = append(free, p)
		}
	}
	if len(free) > mostUnknown {
		free = free[:mostUnknown]
	}
	for mask := range 1 << len(free) {
		if a.work < 0 {
			break
		}
		for i, p := range free {
			point[p] = a.box[p].Min
			if mask>>i&1 != 0 {
				point[p] = a.box[p].Max
			}
		}
		if _, err := a.at(t, point); err != nil {
			return point, err
		}
	}
	return nil, nil
}

// failingProbe looks for a failure at a few points inside the box, always the
// same ones.
func (a *analysis) failingProbe(t *tape, moving []int) ([]uint64, error) {
	const probes = 256
	point := a.corner(a.still, false)
	x := uint64(0)
	for range probes {
		if a.work < 0 {
			break
		}
		for _, p := range moving {
			x += 0x9E3779B97F4A7C15 // the golden ratio: a low-discrepancy sequence
			// The high word of x * (width + 1) is uniform in [0, width].
			width := a.box[p].Max - a.box[p].Min
			hi, lo := bits.Mul64(x, width)
			if _, carry := bits.Add64(lo, x, 0); carry != 0 {
				hi++
			}
			point[p] = a.box[p].Min + hi
		}
		if _, err := a.at(t, point); err != nil {
			return point, err
		}
	}
	return nil, nil
}

// tightened makes sound bounds exact where that is cheap.
func (a *analysis) tightened(n *Node, s span) (span, error) {
	if s.dynamic || s.exact() || s.at != nil || len(n.Args) == 0 {
		return s, nil
	}
	limit := a.limits.tighten
	if a.enumerated { // as costly as what was done already
		limit = a.points
	}
	moving := a.moving(n)
	t, ok := a.tapeOf(n)
	if !ok || !a.affordable(t, moving, limit) {
		return s, nil
	}
	e, at, err := a.enumerate(t, moving)
	if err != nil { // the env gave bounds of a leaf that do not hold
		return s, &Fault{Node: n, Failure: failure(err), At: at, Err: err}
	}
	a.enumerated = true
	return a.settled(e), nil
}
