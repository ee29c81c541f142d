package skyline

import "math/bits"

// goal is a height that a pass should stay below. What it will be above is known
// early: a section ends no lower than its floor and what is left to place in it.
type goal struct {
	ceiling uint64
	shift   int    // of a height, for its square to be small
	excess  uint64 // sum over the sections of the square of what is above the ceiling
}

func newGoal(ceiling uint64) goal {
	return goal{ceiling: ceiling, shift: max(0, bits.Len64(ceiling)-20)}
}

// above is the excess of a section that ends at h.
func (g *goal) above(h uint64) uint64 {
	if h <= g.ceiling {
		return 0
	}
	h = min(h-g.ceiling, 1<<(g.shift+20))>>g.shift + 1
	return h * h
}

// waste counts what it means that the floor of [f, e) is raised without a
// rectangle.
func (p *pass) waste(f, e int32, from, to uint64) {
	p.steps += uint64(e-f) / 2
	for s := f; s < e; s++ {
		if left := p.rem.at(s); left > 0 && to+left > p.ceiling {
			p.excess += p.above(to+left) - p.above(from+left)
		}
	}
}
