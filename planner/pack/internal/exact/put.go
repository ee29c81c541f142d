package exact

import "github.com/seqplan/seqplan/planner/pack/internal/rect"

// change is what put overwrote.
type change struct {
	low    uint64 // or the floor
	tile   int32  // whose low it was; or the section, complemented
	lowest int32  // of the section
	rests  bool   // of the tile
}

// mark is a state to go back to.
type mark struct{ trail, stack int }

func (s *Searcher) mark() mark { return mark{len(s.trail), len(s.stack)} }

// put places a tile. It returns false if some section has no packing any more.
// In either case back undoes it.
func (s *Searcher) put(i int32, offset uint64) bool {
	s.placed[i], s.offsets[i] = true, offset
	s.stack = append(s.stack, i)
	s.area += s.areas[i]
	s.bestArea = max(s.bestArea, s.area)
	s.work += s.costs[i]
	for _, u := range s.Tiles[i].Uses {
		s.rest[u.Section] -= u.Height
		s.left[u.Section]--
	}
	h := s.hulls[i]
	for k := h.first + 1; k < h.end; k++ {
		s.cross[k]--
	}
	for _, l := range s.links[i] {
		s.open[l.tile]--
	}
	return s.raise(i, offset)
}

// raise lifts what lies above a tile that was just placed.
func (s *Searcher) raise(i int32, offset uint64) bool {
	mark := len(s.trail)
	for _, l := range s.links[i] {
		if !s.placed[l.tile] && !s.restOn(l.tile, offset+l.above) {
			return false
		}
	}
	for _, u := range s.Tiles[i].Uses {
		if s.lowest[u.Section] == i && !s.lift(u.Section) {
			return false
		}
	}
	return s.liftAll(mark)
}

// restOn raises the low of a tile to what it would rest on.
func (s *Searcher) restOn(j int32, top uint64) bool {
	if top > s.low[j] {
		return s.rise(j, top, true)
	}
	// A tile that was left out rests again if it does so where it was raised to.
	if !s.rests[j] && s.avoid(j, rect.AlignUp(top, s.Tiles[j].Align)) == s.low[j] {
		s.trail = append(s.trail, change{low: s.low[j], tile: j})
		s.rests[j] = true
	}
	return true
}

// rise raises the low of a tile to the next offset that it may have. One that is
// only left out may still rest on a tile with a fixed offset.
func (s *Searcher) rise(j int32, low uint64, rests bool) bool {
	t := &s.Tiles[j]
	s.work += 4 * uint64(len(s.fixed[j]))
	aligned := rect.AlignUp(low, t.Align)
	low = s.avoid(j, aligned)
	if low > t.Fixed || low+t.Top > s.Capacity {
		return false
	}
	s.trail = append(s.trail, change{low: s.low[j], tile: j, rests: s.rests[j]})
	s.low[j], s.rests[j] = low, rests || low > aligned
	return true
}

// liftAll finds the floors again under the tiles that were raised since a mark.
func (s *Searcher) liftAll(mark int) bool {
	for _, c := range s.trail[mark:] {
		if c.tile < 0 {
			break // these are the floors
		}
		s.work += 2 * uint64(len(s.Tiles[c.tile].Uses))
		for _, u := range s.Tiles[c.tile].Uses {
			if s.lowest[u.Section] == c.tile && !s.lift(u.Section) {
				return false
			}
		}
	}
	return true
}

// lift finds the floor of a section again after its lowest tile has left it or
// was raised.
func (s *Searcher) lift(k int32) bool {
	if s.left[k] == 0 {
		return true
	}
	was := s.floor[k]
	floor, lowest := ^uint64(0), int32(-1)
	s.work += uint64(len(s.members[k]))
	for _, j := range s.members[k] {
		if !s.placed[j] && s.low[j] < floor {
			floor, lowest = s.low[j], j
			if floor == was {
				break
			}
		}
	}
	s.trail = append(s.trail, change{low: was, tile: ^k, lowest: s.lowest[k]})
	s.floor[k], s.lowest[k] = floor, lowest
	return floor+s.rest[k] <= s.Capacity+s.spread
}

// back undoes everything that was put since a mark.
func (s *Searcher) back(m mark) {
	for len(s.trail) > m.trail {
		last := len(s.trail) - 1
		c := s.trail[last]
		s.trail = s.trail[:last]
		if c.tile >= 0 {
			s.low[c.tile], s.rests[c.tile] = c.low, c.rests
		} else {
			s.floor[^c.tile], s.lowest[^c.tile] = c.low, c.lowest
		}
	}
	for len(s.stack) > m.stack {
		last := len(s.stack) - 1
		s.take(s.stack[last])
		s.stack = s.stack[:last]
	}
}

func (s *Searcher) take(i int32) {
	s.placed[i] = false
	s.area -= s.areas[i]
	for _, u := range s.Tiles[i].Uses {
		s.rest[u.Section] += u.Height
		s.left[u.Section]++
	}
	h := s.hulls[i]
	for k := h.first + 1; k < h.end; k++ {
		s.cross[k]++
	}
	for _, l := range s.links[i] {
		s.open[l.tile]++
	}
}
