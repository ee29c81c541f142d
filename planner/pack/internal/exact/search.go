package exact

import "context"

// Outcome is how a search ended.
type Outcome uint8

// The outcomes.
const (
	OutOfBudget Outcome = iota
	Found
	Refuted // there is no packing below the capacity
)

func (o Outcome) String() string { return [...]string{"out of budget", "found", "refuted"}[o] }

// Options of one search.
type Options struct {
	Capacity uint64 // below 2^62
	Nodes    uint64 // budget
	Work     uint64 // budget, see Result; 0: any
	Order    Order  // of the tiles at a node
	Choice   Choice // of the section at a node
}

// Searcher searches packings of one problem. A search does not depend on those
// before it.
type Searcher struct {
	*Graph
	table  table
	search uint64 // number of this one

	Options
	ctx       context.Context
	cancelled bool
	nodes     uint64 // spent in this search
	work      uint64 // as well
	look      uint64 // work at which the context is looked at again

	placed  []bool
	offsets []uint64
	low     []uint64
	rests   []bool   // a tile rests on a placed or a fixed one at its low, or on the ground
	open    []int32  // unplaced linked tiles, by tile
	rest    []uint64 // heights of the unplaced tiles, by section
	left    []int32  // number of them
	floor   []uint64 // by section
	lowest  []int32  // a tile whose low it is
	cross   []int32  // unplaced tiles across the start of a section
	trail   []change
	stack   []int32 // placed tiles

	cover  []int32   // of choose, by section
	ranked []ranked  // of rank
	lists  [][]int32 // of the nodes on the path, kept for reuse beyond their length

	area, bestArea uint64 // placed
}

// NewSearcher prepares searches of a problem.
func NewSearcher(p *Graph) *Searcher {
	n := len(p.Tiles)
	return &Searcher{
		Graph: p, table: newTable(),
		placed: make([]bool, n), offsets: make([]uint64, n), low: make([]uint64, n), rests: make([]bool, n), open: make([]int32, n),
		rest: make([]uint64, p.Sections), left: make([]int32, p.Sections),
		floor: make([]uint64, p.Sections), lowest: make([]int32, p.Sections),
		cross: make([]int32, p.Ordered+1), cover: make([]int32, p.Sections),
	}
}

// Result is the end of a search.
type Result struct {
	Outcome Outcome
	Offsets []uint64 // if Found
	Nodes   uint64
	Work    uint64 // what was looked at: about nanoseconds of a core
	Area    uint64 // the largest sum of areas of tiles placed at once
}

// Search looks for a packing. A cancelled context ends it as if the budget were
// spent.
func (s *Searcher) Search(ctx context.Context, o Options) Result {
	s.search++
	s.Options, s.ctx, s.cancelled, s.nodes, s.work, s.look = o, ctx, false, 0, 0, 0
	if s.Work == 0 {
		s.Work = ^uint64(0)
	}
	all := make([]int32, len(s.Tiles))
	for i := range all {
		all[i] = int32(i)
	}
	r := Result{Outcome: Refuted}
	if s.reset() {
		r.Outcome = s.parts(all, 0, int32(s.Ordered))
	}
	r.Nodes, r.Work, r.Area = s.nodes, s.work, s.bestArea
	if r.Outcome == Found {
		r.Offsets = append([]uint64(nil), s.offsets...)
	}
	return r
}

// reset takes all tiles out. It returns false if a section overflows with all
// tiles at their lows.
func (s *Searcher) reset() bool {
	clear(s.placed)
	clear(s.rest)
	clear(s.left)
	clear(s.cross)
	s.trail, s.stack, s.lists = s.trail[:0], s.stack[:0], s.lists[:0]
	s.area, s.bestArea = 0, 0
	s.work += s.size
	for i := range s.Tiles {
		t := &s.Tiles[i]
		s.low[i], s.rests[i] = s.start[i], true
		if s.low[i]+t.Top > s.Capacity {
			return false
		}
		s.open[i] = int32(len(s.links[i]))
		for _, u := range t.Uses {
			s.rest[u.Section] += u.Height
			s.left[u.Section]++
		}
		for k := s.hulls[i].first + 1; k < s.hulls[i].end; k++ {
			s.cross[k]++
		}
	}
	for k := range s.floor {
		s.floor[k] = 0
		if !s.lift(int32(k)) {
			return false
		}
	}
	s.trail = s.trail[:0]
	return true
}
