package disjunct

import "github.com/seqplan/seqplan/planner/pack/internal/shape"

// state is the bounds at a node of the search. Upper bounds are lower bounds of
// negated offsets: variable v < n is the offset of item v, variable n + v is minus
// that. So every rule is written once.
//
// Pair k is two arcs, 2k from I to J and 2k+1 from J to I. The least difference
// along one is, negated, the largest along the other.
type state struct {
	n     int
	low   []int64   // by variable: its least value
	align []int64   // by item
	arcs  []arc     // by 2 * pair + direction
	out   [][]int32 // by item: the arcs from it
	fails []uint64  // by pair: 1 + how often it had no side left

	work    *Work
	trail   []change
	queue   queue
	raises  raises
	cliques cliques
}

// unknown is below all differences.
const unknown = -2 * Limit

// arc is what is known of the difference offset of to minus offset of from.
type arc struct {
	from, to       int32 // items
	negFrom, negTo int32 // variables
	least          int64
	fences         []shape.Range // forbidden
}

// change is the old value of a bound: of variable at, or of arc -1 - at.
type change struct {
	at  int32
	old int64
}

func (s *state) undo(mark int) {
	for len(s.trail) > mark {
		last := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		if last.at >= 0 {
			s.low[last.at] = last.old
		} else {
			s.arcs[-1-last.at].least = last.old
		}
	}
}

// item is the item of a variable, and the variable with the other sign.
func (s *state) item(v int32) (i, mirror int32) {
	n := int32(s.n)
	if v < n {
		return v, v + n
	}
	return v - n, v - n
}

// alignUp rounds up to a multiple of a power of two.
func alignUp(x, align int64) int64 { return (x + align - 1) &^ (align - 1) }
