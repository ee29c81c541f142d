package exact

// Choice says which ready section a node branches on. Of equal ones it is the
// first.
type Choice uint8

// The choices.
const (
	Fewest Choice = iota // the fewest branches, then the least slack
	Lowest               // the lowest floor, then the least slack, then the fewest branches
	Tight                // first those without slack, then the lowest floor, then the fewest branches
	NumChoices
)

func (c Choice) String() string { return [...]string{"fewest", "lowest", "tight"}[c] }

// What cover counts for a section: tiles that would lie at its floor, and below
// present those that may rest there. A section that is not ready is far below 0.
const (
	present = 1 << 16
	unready = -1 << 30
)

// choose returns a section for a node to branch on.
func (s *Searcher) choose(tiles []int32, lo, hi int32) int32 {
	clear(s.cover[lo:hi])
	clear(s.cover[s.Ordered:])
	s.work += 3 * uint64(int(hi-lo)+s.Sections-s.Ordered)
	for _, i := range tiles {
		s.count(i)
	}
	best, score := int32(-1), [3]uint64{}
	for k := lo; k < hi; k++ {
		best, score = s.better(k, best, score)
	}
	for k := int32(s.Ordered); k < int32(s.Sections); k++ {
		best, score = s.better(k, best, score)
	}
	return best
}

// count adds a tile to the covers of its sections if it would lie on all their
// floors. Otherwise those that it alone would lie on are not ready.
func (s *Searcher) count(i int32) {
	low := s.low[i]
	one := int32(present)
	if s.mayRest(i) {
		one++
	}
	s.work += uint64(len(s.Tiles[i].Uses))
	if r := s.runs[i]; r.first < r.end {
		floors, cover := s.floor[r.first:r.end], s.cover[r.first:r.end]
		for k := range floors {
			if floors[k] < low {
				for k := range floors {
					if floors[k] == low {
						cover[k] = unready
					}
				}
				return
			}
		}
		for k := range cover {
			cover[k] += one
		}
		return
	}
	uses := s.Tiles[i].Uses
	for _, u := range uses {
		if s.floor[u.Section] >= low {
			continue
		}
		for _, v := range uses {
			if s.floor[v.Section] == low {
				s.cover[v.Section] = unready
			}
		}
		return
	}
	for _, u := range uses {
		s.cover[u.Section] += one
	}
}

// better compares a section with the best so far.
func (s *Searcher) better(k, best int32, score [3]uint64) (int32, [3]uint64) {
	if s.cover[k] <= 0 {
		return best, score
	}
	branches := uint64(s.cover[k] % present)
	slack := s.Capacity + s.spread - s.floor[k] - s.rest[k]
	if slack > 0 {
		branches++
	}
	var mine [3]uint64
	switch s.Choice {
	case Lowest:
		mine = [3]uint64{s.floor[k], slack, branches}
	case Tight:
		mine = [3]uint64{min(slack, 1), s.floor[k], branches}
	default:
		mine = [3]uint64{branches, slack}
	}
	if best < 0 || mine[0] < score[0] || mine[0] == score[0] && (mine[1] < score[1] || mine[1] == score[1] && mine[2] < score[2]) {
		return k, mine
	}
	return best, score
}
