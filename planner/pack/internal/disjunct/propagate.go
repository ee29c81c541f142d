package disjunct

// propagate brings all bounds to a fixpoint. It returns false if there is no
// packing, or the work is spent; then the bounds are in between, and the queue is
// empty.
func (s *state) propagate() bool {
	ok := s.settle()
	for round := 0; ok && round < mostRounds && len(s.cliques.stale) > 0; round++ {
		ok = s.cliques.tighten(s) && s.settle()
	}
	s.queue.clear()
	s.raises.clear()
	return ok
}

// mostRounds is how often cliques may raise bounds in one propagation: they might
// do it byte by byte. What they leave out costs nodes, not packings.
const mostRounds = 64

// settle brings the bounds of items and pairs to a fixpoint.
func (s *state) settle() bool {
	for s.queue.len() > 0 {
		i := s.queue.pop()
		s.cliques.touch(i)
		for _, a := range s.out[i] {
			if !s.revise(a) {
				s.fails[a/2]++
				return false
			}
		}
	}
	return true
}

// revise makes the bounds of a pair, given by an arc, and of its items agree.
func (s *state) revise(a int32) bool {
	return s.work.Spend(16) && s.narrow(a) && s.narrow(a^1) && s.push(a) && s.push(a^1)
}

// narrow raises the least difference of an arc over a fence in which the bounds of
// its items have it. A difference that is outside of all fences is left to the
// bounds: it would tell them nothing new.
func (s *state) narrow(a int32) bool {
	r := &s.arcs[a]
	least := s.low[r.to] + s.low[r.negFrom]
	if least <= r.least {
		return true
	}
	over, looks := r.over(least)
	if !s.work.Spend(looks) {
		return false
	}
	return over == least || s.lift(a, over)
}

// over is the least difference from d on that no fence forbids, and how many fences
// it takes to see that.
func (r *arc) over(d int64) (least int64, looks int) {
	for looks < len(r.fences) && d > r.fences[looks].Lo {
		d = max(d, r.fences[looks].Hi)
		looks++
	}
	return d, looks
}

// lift sets the least difference of an arc.
func (s *state) lift(a int32, least int64) bool {
	r := &s.arcs[a]
	s.trail = append(s.trail, change{-1 - a, r.least})
	r.least = least
	return least+s.arcs[a^1].least <= 0
}

// push raises the lower bound of the end of an arc, and lowers the upper bound of
// its start.
func (s *state) push(a int32) bool {
	r := &s.arcs[a]
	if low := s.low[r.from] + r.least; low > s.low[r.to] && !s.raise(r.to, low) {
		return false
	}
	low := s.low[r.negTo] + r.least
	return low <= s.low[r.negFrom] || s.raise(r.negFrom, low)
}

// raise raises the lower bound of a variable.
func (s *state) raise(v int32, low int64) bool {
	i, mirror := s.item(v)
	s.trail = append(s.trail, change{v, s.low[v]})
	s.low[v] = alignUp(low, s.align[i])
	if s.low[v]+s.low[mirror] > 0 {
		return false
	}
	s.queue.push(i)
	return int(v) >= s.n || !s.raises.note(v) || !s.runsAway(v)
}
