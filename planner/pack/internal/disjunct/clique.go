package disjunct

import (
	"math"

	"github.com/seqplan/seqplan/planner/pack/internal/shape"
)

// cliques are sets of windows that are pairwise disjoint.
type cliques struct {
	all   []clique
	of    [][]int32 // by item: the cliques with a window of it
	stale []int32   // cliques with a bound that changed
	in    []bool    // by clique: whether it is stale

	member []bool // by item; all false
}

// clique is the windows of a section, twice: in terms of variables below n, and of
// their mirrors.
type clique struct{ sides [2][]window }

// window is the bytes [base, base + size) seen from a variable; first and end bound
// where it lies, and next is what first becomes.
type window struct {
	variable         int32
	base, size       int64
	first, end, next int64
	reach            int64
}

func newCliques(p *Problem, sets [][]shape.Part) cliques {
	c := cliques{of: make([][]int32, len(p.Items)), member: make([]bool, len(p.Items))}
	n := int32(len(p.Items))
	for _, parts := range sets {
		if len(parts) < 3 {
			continue // the pair says it all
		}
		var q clique
		for _, part := range parts {
			q.add(int32(part.Item), n, part)
			if of := c.of[part.Item]; len(of) == 0 || of[len(of)-1] != int32(len(c.all)) {
				c.of[part.Item] = append(of, int32(len(c.all)))
			}
		}
		c.all = append(c.all, q)
	}
	c.in = make([]bool, len(c.all))
	return c
}

func (q *clique) add(i, n int32, p shape.Part) {
	size := int64(p.High - p.Low)
	q.sides[0] = append(q.sides[0], window{variable: i, base: int64(p.Low), size: size})
	q.sides[1] = append(q.sides[1], window{variable: n + i, base: -int64(p.High), size: size})
}

// touch says that the bounds of an item changed.
func (c *cliques) touch(i int32) {
	for _, k := range c.of[i] {
		if !c.in[k] {
			c.in[k] = true
			c.stale = append(c.stale, k)
		}
	}
}

// tighten looks at every stale clique from both sides.
func (c *cliques) tighten(s *state) bool {
	for len(c.stale) > 0 {
		k := c.stale[len(c.stale)-1]
		c.stale = c.stale[:len(c.stale)-1]
		c.in[k] = false
		for side := range c.all[k].sides {
			windows := c.all[k].sides[side]
			if !edges(s, windows) {
				c.blame(s, k)
				return false
			}
			for _, w := range windows {
				low := w.next - w.base
				if low > s.low[w.variable] && !s.raise(w.variable, low) {
					return false
				}
			}
		}
	}
	return true
}

// edges is the edge finding of one-machine scheduling (Carlier and Pinson 1989, in
// the quadratic form of Nuijten): if some windows and one more do not fit between
// the first of all their starts and the last end of the others, the one more lies
// behind them. It returns false if some windows do not fit by themselves, or there is
// no work to find out.
func edges(s *state, windows []window) bool {
	for i := range windows {
		w := &windows[i]
		_, mirror := s.item(w.variable)
		w.first = s.low[w.variable] + w.base
		w.end = w.base + w.size - s.low[mirror]
		w.next = w.first
		j := i
		for ; j > 0 && windows[j-1].first > windows[j].first; j-- { // nearly sorted from the last time
			windows[j-1], windows[j] = windows[j], windows[j-1]
		}
		s.work.Spend(8 * (i - j))
	}
	for k := range windows {
		end := windows[k].end
		if !s.work.Spend(1 + k/2) {
			return false
		}
		if endsAt(windows[:k], end) {
			continue
		}
		if !s.work.Spend(len(windows)) {
			return false
		}
		var size, other int64 // of those that end by then; the largest of the others
		reach := int64(math.MinInt64 / 2)
		for i := len(windows) - 1; i >= 0; i-- {
			w := &windows[i]
			if w.end <= end {
				size += w.size
				if reach = max(reach, w.first+size); reach > end {
					return false
				}
			} else {
				other = max(other, w.size)
			}
			w.reach = reach
		}
		if reach+other <= end {
			continue // each of the others may come first
		}
		if !s.work.Spend(len(windows)) {
			return false
		}
		before := int64(math.MinInt64 / 2)
		for i := range windows {
			w := &windows[i]
			switch {
			case w.end <= end:
				before = max(before, w.first+size)
				size -= w.size
			case before+w.size > end:
				w.next = max(w.next, reach)
			case w.first+size+w.size > end:
				w.next = max(w.next, w.reach)
			}
		}
	}
	return true
}

func endsAt(windows []window, end int64) bool {
	for k := range windows {
		if windows[k].end == end {
			return true
		}
	}
	return false
}

// blame counts a failure for every pair of a clique. No pair is more to blame than
// the others, but a search that counts none of them is lost.
func (c *cliques) blame(s *state, k int32) {
	windows := c.all[k].sides[0]
	for _, w := range windows {
		c.member[w.variable] = true
	}
	for _, w := range windows {
		s.work.Spend(2 * len(s.out[w.variable]))
		for _, a := range s.out[w.variable] {
			if a%2 == 0 && c.member[s.arcs[a].to] {
				s.fails[a/2]++
			}
		}
	}
	for _, w := range windows {
		c.member[w.variable] = false
	}
}
