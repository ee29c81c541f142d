package skyline

import "math"

// pass fills a packing from below. The skyline is a list of runs, which are
// maximal ranges of sections with an equal floor. A run with no lower neighbour
// either takes a rectangle that lies in it, or is lifted to its lower neighbour,
// which costs nothing that any rectangle left could have used. What happens in
// one valley does not depend on another one, so their order is free.
type pass struct {
	*shape
	goal
	critical bool
	margin   uint64 // see spare; 0: no run is
	pick     *picker
	rem      *remains
	hang     *hanging // nil: nothing is fixed
	trail    *trail   // nil: nothing is undone
	blinks   *blinks  // nil: the best choice it is
	right    []int32  // by first section of a run: where it ends
	left     []int32  // by end of a run: its first section
	floor    []uint64 // by first section of a run
	offsets  []uint64 // by rectangle
	last     int      // the rectangle placed last
	steps    uint64   // without those of pick
}

const done = math.MaxUint64 // the floor where nothing is left to place

func newPass(s *shape, c choice, target uint64) *pass {
	n := s.sections() + 1
	p := &pass{
		shape: s, goal: newGoal(target), critical: c.critical, margin: target >> 10 * c.margin,
		pick: newPicker(s.index, s.size), rem: newRemains(s.totals),
		right: make([]int32, n), left: make([]int32, n), floor: make([]uint64, n),
		offsets: make([]uint64, s.len()),
		steps:   2 * (uint64(s.len()) + uint64(n)),
	}
	s.keys(p.pick.keys, c.weights)
	p.pick.sum()
	p.right[0], p.left[n-1] = n-1, 0
	if s.fixed != nil {
		p.hang = newHanging(s.fixed, p.pick.keys)
		p.steps += uint64(len(s.fixed.list))
		p.absorb(0, 0, n-1)
	}
	return p
}

// spent is the number of steps so far.
func (p *pass) spent() uint64 {
	n := p.steps + p.pick.steps
	if p.hang != nil {
		n += p.hang.steps
	}
	return n
}

// run packs. It is false if that took more than limit steps, or was stopped.
func (p *pass) run(limit uint64, stop func() bool) bool {
	a, did := int32(0), lifted
	for i := 0; did != finished; i++ {
		if p.spent() > limit || i%256 == 0 && stop() {
			return false
		}
		a, did = p.step(a)
	}
	return true
}

// state is what a step did.
type state uint8

const (
	lifted state = iota
	placed
	finished
)

// step walks from the run a to one with no lower neighbour, and places a
// rectangle in it or lifts it. It returns a run from which to go on.
func (p *pass) step(a int32) (int32, state) {
	p.steps += 16
	for {
		b, h := p.right[a], p.floor[a]
		wall := uint64(done) // the lower neighbour
		if a > 0 {
			l := p.left[a]
			if wall = p.floor[l]; wall < h {
				a = l
				continue
			}
		}
		if b < p.sections() {
			r := p.floor[b]
			if r < h {
				a = b
				continue
			}
			wall = min(wall, r)
		}
		switch {
		case h == done:
			return a, finished
		case p.critical:
			return p.stepCritical(a, b, h, wall)
		}
		if k := p.pick.best(a, b-1, a, b, done); k >= 0 {
			return p.lift(a, b, p.first[k], p.end[k], p.place(k, h)), placed
		}
		return p.lift(a, b, a, b, wall), lifted
	}
}

// stepCritical is step in the run [a, b) with floor h: of its sections the one
// with the most units left takes the rectangle with the best key of those that
// cover it. Where none fits only that section is lifted, with what is beside it
// and takes none either.
func (p *pass) stepCritical(a, b int32, h, wall uint64) (int32, state) {
	c, left := p.largest(a, b)
	if left == 0 {
		return p.lift(a, b, a, b, wall), lifted
	}
	most := uint64(done)
	if p.margin > 0 && wall < done && p.spare(a, b, left, wall) {
		most = wall - h
	}
	k := p.best(a, c, b, h, most)
	if k >= 0 && p.blinks != nil {
		k = p.blinks.other(p, k, func() int { return p.best(a, c, b, h, most) })
	}
	f, e, did := c, c+1, lifted
	if k >= 0 {
		f, e, wall, did = p.first[k], p.end[k], p.place(k, h), placed
		if p.offsets[k] > h {
			p.waste(f, e, h, p.offsets[k])
		}
		p.rem.take(f, e, p.size[k])
		p.steps += uint64(min(e-f, 2*block)/2 + (e-f)/block)
	} else {
		if p.hang != nil {
			wall = min(wall, p.hang.over(a, b))
		}
		if f > a && p.pick.best(a, f-1, a, f, most) < 0 {
			f = a
		}
		if e < b && p.pick.best(e, b-1, e, b, most) < 0 {
			e = b
		}
		p.waste(f, e, h, wall)
	}
	a = p.lift(a, b, f, e, wall)
	if p.hang != nil {
		a = p.absorb(a, f, e)
	}
	return a, did
}

// largest returns the section of [a, b) with the most units left.
func (p *pass) largest(a, b int32) (section int32, left uint64) {
	p.steps += uint64(min(b-a, block)/2 + (b-a)/block)
	return p.rem.largest(a, b)
}

// spare is true if the run [a, b), with left units to place at most, is less
// critical than its lower neighbour by the margin. Then nothing in it may rise
// above that neighbour, which would be in a valley after it.
func (p *pass) spare(a, b int32, left, wall uint64) bool {
	f, e := a, a
	if a > 0 && p.floor[p.left[a]] == wall {
		f = p.left[a]
	} else {
		f, e = b, p.right[b]
	}
	_, most := p.largest(f, e)
	return left+p.margin <= most
}

// place puts a rectangle on a floor and returns its top.
func (p *pass) place(k int, floor uint64) uint64 {
	if p.trail != nil {
		p.trail.add(undoPlace, int32(k), uint64(p.pick.keys[k]))
	}
	p.last = k
	p.pick.take(k)
	p.offsets[k] = (floor + p.mask[k]) &^ p.mask[k]
	return p.offsets[k] + p.size[k]
}

// lift raises the floor of [f, e) within the run [a, b) and returns a run from
// which to go on.
func (p *pass) lift(a, b, f, e int32, top uint64) int32 {
	h := p.floor[a]
	if f > a {
		p.setRun(a, f, h)
	}
	if e < b {
		p.setRun(e, b, h)
	}
	// Equal neighbours become one run.
	if f > 0 && f == a {
		if l := p.left[f]; p.floor[l] == top {
			f = l
		}
	}
	if e == b && e < p.sections() && p.floor[e] == top {
		e = p.right[e]
	}
	p.setRun(f, e, top)
	return f
}

func (p *pass) setRun(f, e int32, h uint64) {
	if p.trail != nil {
		p.trail.add(undoRight, f, uint64(p.right[f]))
		p.trail.add(undoLeft, e, uint64(p.left[e]))
		p.trail.add(undoFloor, f, p.floor[f])
	}
	p.right[f], p.left[e], p.floor[f] = e, f, h
}
