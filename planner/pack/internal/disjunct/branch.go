package disjunct

import "math/bits"

// decision is two sides of a forbidden range: the difference of an arc is least or
// more, or that of the opposite arc is otherwise or more.
type decision struct {
	arc              int32
	least, otherwise int64
}

// choose returns the tightest of the ranges that are violated if every item is at
// its lower bound: the one that leaves its items the least room on both sides, for
// a pair that has failed often. The first side is the one that moves an item less,
// or, if roomy, the one that leaves more room.
func (s *state) choose(roomy bool) (best decision, violated bool) {
	var bestRoom, bestFails uint64
	looks := 4 * len(s.fails)
	defer func() { s.work.Spend(looks) }()
	for a := int32(0); int(a) < len(s.arcs); a += 2 {
		r := &s.arcs[a]
		d := s.low[r.to] - s.low[r.from]
		for _, f := range r.fences {
			looks++
			if d <= f.Lo {
				break
			}
			if d >= f.Hi {
				continue
			}
			// Either to moves up behind from, or from behind to.
			after := -s.low[r.negTo] - s.low[r.from] - f.Hi
			before := -s.low[r.negFrom] - s.low[r.to] + f.Lo
			room, fails := uint64(max(0, after)+max(0, before)+1), s.fails[a/2]
			if violated && !less(room, fails, bestRoom, bestFails) {
				break
			}
			violated, bestRoom, bestFails = true, room, fails
			best = decision{a, f.Hi, -f.Lo}
			swap := f.Hi-d > d-f.Lo // from would move less
			if roomy {
				swap = before > after
			}
			if swap {
				best = decision{a ^ 1, -f.Lo, f.Hi}
			}
			break
		}
	}
	return best, violated
}

// less says whether a/b < c/d.
func less(a, b, c, d uint64) bool {
	high1, low1 := bits.Mul64(a, d)
	high2, low2 := bits.Mul64(c, b)
	return high1 < high2 || high1 == high2 && low1 < low2
}
