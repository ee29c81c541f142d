package skyline

import "math"

// pass fills a packing from below. The skyline is a list of runs, which are
// maximal ranges of sections with an equal floor. A run with no lower neighbour
// either takes a rectangle that lies in it, or is lifted to its lower neighbour,
// which costs nothing that any rectangle left could have used. What happens in
// one valley does not depend on another one, so their order is free.
type pass struct {
	*shape
	pick    *picker
	rem     *remains
	right   []int32  // by first section of a run: where it ends
	left    []int32  // by end of a run: its first section
	floor   []uint64 // by first section of a run
	offsets []uint64 // by rectangle
	top     uint64
	work    uint64
}

const done = math.MaxUint64 // the floor where nothing is left to place

func newPass(s *shape) *pass {
	n := s.sections() + 1
	return &pass{
		shape: s, pick: newPicker(s.index), rem: newRemains(len(s.totals)),
		right: make([]int32, n), left: make([]int32, n), floor: make([]uint64, n),
		offsets: make([]uint64, s.len()),
	}
}

// reset makes the runs of the floors.
func (p *pass) reset() {
	p.pick.reset()
	p.pick.work, p.work, p.top = 0, uint64(p.len()/4)+uint64(p.sections()), 0
	n := p.sections()
	if p.floors == nil {
		p.right[0], p.left[n], p.floor[0] = n, 0, 0
		return
	}
	for a := int32(0); a < n; {
		b := a + 1
		for b < n && p.floors[b] == p.floors[a] {
			b++
		}
		p.right[a], p.left[b], p.floor[a] = b, a, p.floors[a]
		a = b
	}
}

// run packs by the keys of the picker, which it uses up. If critical, a run takes
// the rectangle with the best key of those that cover the section with the most
// units left, and where none fits only that section is lifted, with what is
// beside it and takes none either. It is false if that took more work than limit.
func (p *pass) run(critical bool, limit uint64) bool {
	n := p.sections()
	p.reset()
	if critical {
		p.rem.reset(p.totals)
	}
	for a := int32(0); n > 0; {
		b, h := p.right[a], p.floor[a]
		wall := uint64(done) // the lower neighbour
		if a > 0 {
			l := p.left[a]
			if wall = p.floor[l]; wall < h {
				a = l
				continue
			}
		}
		if b < n {
			r := p.floor[b]
			if r < h {
				a = b
				continue
			}
			wall = min(wall, r)
		}
		if h == done {
			break
		}
		if p.work += 8; p.work+p.pick.work > limit {
			return false
		}
		f, e, k := a, b, -1
		if !critical {
			k = p.pick.best(a, b-1, a, b)
		} else if c, left := p.rem.largest(a, b); left > 0 {
			p.work += uint64(min(b-a, block)/4 + (b-a)/block)
			if k = p.pick.best(a, c, c, b); k < 0 {
				if f = c; c > a && p.pick.best(a, c-1, a, c) < 0 {
					f = a
				}
				if e = c + 1; e < b && p.pick.best(e, b-1, e, b) < 0 {
					e = b
				}
			}
		}
		if k >= 0 {
			f, e, wall = p.first[k], p.end[k], p.place(k, h)
			if critical {
				p.rem.take(f, e, p.size[k])
				p.work += uint64(min(e-f, 2*block)/4 + (e-f)/block)
			}
		}
		a = p.lift(a, b, f, e, wall)
	}
	p.work += p.pick.work
	return true
}

// place puts a rectangle on a floor and returns its top.
func (p *pass) place(k int, floor uint64) uint64 {
	p.pick.take(k)
	p.offsets[k] = (floor + p.mask[k]) &^ p.mask[k]
	top := p.offsets[k] + p.size[k]
	p.top = max(p.top, top)
	return top
}

// lift raises the floor of [f, e) within the run [a, b) and returns a run from
// which to go on.
func (p *pass) lift(a, b, f, e int32, top uint64) int32 {
	h := p.floor[a]
	if f > a {
		p.right[a], p.left[f] = f, a
	}
	if e < b {
		p.right[e], p.left[b], p.floor[e] = b, e, h
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
	p.right[f], p.left[e], p.floor[f] = e, f, top
	return f
}
