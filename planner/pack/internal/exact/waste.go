package exact

// waste leaves a section without a tile at its floor: those that could lie there
// rise to the lowest offset at which one of them can rest on another unplaced
// tile, or at which another tile of the section can lie. It returns false if
// there is none.
func (s *Searcher) waste(section int32) bool {
	floor := s.floor[section]
	next := ^uint64(0)
	s.work += 4 * uint64(len(s.members[section]))
	for _, j := range s.members[section] {
		switch {
		case s.placed[j]:
		case s.low[j] > floor:
			next = min(next, s.low[j])
		default:
			next = min(next, s.above(j, section))
		}
	}
	if next > s.Capacity {
		return false
	}
	mark := len(s.trail)
	for _, j := range s.members[section] {
		if !s.placed[j] && s.low[j] < next && !s.rise(j, next, false) {
			return false
		}
	}
	return s.liftAll(mark)
}

// above returns the lowest offset at which a tile can rest on an unplaced one
// that does not cover a section, or the largest uint64.
func (s *Searcher) above(j, section int32) uint64 {
	if s.Tiles[j].Fixed != Free {
		return ^uint64(0)
	}
	next := ^uint64(0)
	s.work += 2 * uint64(len(s.links[j]))
	for _, l := range s.links[j] {
		if k := l.tile; !s.placed[k] {
			if top := s.low[k] + l.under; top < next && !s.Tiles[k].covers(section) {
				next = top
			}
		}
	}
	return next
}
