package exact

// parts searches the tiles of the ordered sections [lo, hi), part by part. No
// other unplaced tile shares a section with them.
func (s *Searcher) parts(tiles []int32, lo, hi int32) Outcome {
	for _, p := range s.split(tiles, lo, hi) {
		s.Order.rank(s, p.tiles)
		if out := s.branch(p.tiles, p.lo, p.hi); out != Found {
			return out
		}
	}
	return Found
}

// branch branches on the tile at the floor of a section. The tiles are tried in
// their order.
func (s *Searcher) branch(tiles []int32, lo, hi int32) Outcome {
	if len(tiles) == 0 {
		return Found
	}
	if !s.spend(len(tiles)) {
		return OutOfBudget
	}
	key := newKey(s.Capacity)
	for _, i := range tiles {
		key.mix(i, s.low[i], s.rests[i])
	}
	if s.table.has(key, s.search) {
		return Refuted
	}
	section := s.choose(tiles, lo, hi)
	rest := s.list(len(tiles))
	for n, i := range tiles {
		if !s.candidate(i, section) {
			continue
		}
		rest = append(append(rest[:0], tiles[:n]...), tiles[n+1:]...)
		mark := s.mark()
		if s.put(i, s.floor[section]) {
			if out := s.next(i, rest, lo, hi); out != Refuted {
				return out
			}
		} else if s.work >= s.Work {
			return OutOfBudget
		}
		s.back(mark)
		if s.open[i] == 0 {
			return s.refuted(key) // wherever it lies, the others do not mind
		}
	}
	mark := s.mark()
	if s.waste(section) {
		if out := s.branch(append(rest[:0], tiles...), lo, hi); out != Refuted {
			return out
		}
	}
	s.back(mark)
	return s.refuted(key)
}

// next goes on behind a tile that was just placed.
func (s *Searcher) next(i int32, rest []int32, lo, hi int32) Outcome {
	if s.cuts(i, lo, hi) {
		return s.parts(rest, lo, hi)
	}
	return s.branch(rest, lo, hi)
}

func (s *Searcher) refuted(k key) Outcome {
	s.lists = s.lists[:len(s.lists)-1]
	s.table.add(k, s.search)
	return Refuted
}

// What a node costs beside what is counted where it is done.
const (
	workPerNode = 256
	workPerTile = 16
	lookEach    = 1 << 20 // so much work is done between two looks at the context
)

// spend counts a node. Where the work is spent, a node ends all that the others on the
// path still have to do.
func (s *Searcher) spend(tiles int) bool {
	if s.nodes >= s.Nodes || s.work >= s.Work || s.cancelled {
		return false
	}
	s.nodes++
	s.work += workPerNode + workPerTile*uint64(tiles)
	if s.work >= s.look {
		s.look = s.work + lookEach
		s.cancelled = s.ctx.Err() != nil
	}
	return true
}

// candidate reports whether a tile may lie at the floor of a section. It has to rest
// there, since nothing can come below it any more. Of equal ones only the first may.
func (s *Searcher) candidate(i, section int32) bool {
	if s.low[i] != s.floor[section] || !s.mayRest(i) || !s.Tiles[i].covers(section) {
		return false
	}
	twin := s.twin[i]
	return twin < 0 || s.placed[twin] || s.low[twin] != s.low[i] || !s.mayRest(twin)
}

func (s *Searcher) mayRest(i int32) bool { return s.rests[i] || s.Tiles[i].Fixed != Free }

// list returns an empty list for the tiles of the next node on the path.
func (s *Searcher) list(n int) []int32 {
	depth := len(s.lists)
	if depth < cap(s.lists) {
		s.lists = s.lists[:depth+1]
	} else {
		s.lists = append(s.lists, nil)
	}
	if cap(s.lists[depth]) < n {
		s.lists[depth] = make([]int32, 0, n)
	}
	return s.lists[depth][:0]
}
