package disjunct

import "math"

// raises counts how often the lower bound of each item was raised in one
// propagation. Without it a cycle of differences whose sum is one byte would be
// walked once for every byte. Such a cycle raises lower bounds as well as it lowers
// upper ones, so it is enough to look at the former.
type raises struct {
	count  []int32 // by item
	raised []int32 // items with a count
	lows   []int64 // scratch of runsAway
}

const fewRaises = 16

// note returns true now and then: the more often, the rarer.
func (r *raises) note(i int32) bool {
	if r.count[i] == 0 {
		r.raised = append(r.raised, i)
	}
	r.count[i]++
	return r.count[i] >= fewRaises && r.count[i]&(r.count[i]-1) == 0
}

func (r *raises) clear() {
	for _, i := range r.raised {
		r.count[i] = 0
	}
	r.raised = r.raised[:0]
}

// runsAway follows differences from the lower bound of an item, for as many rounds as
// that was raised, and says whether there is no packing: whether they lead above an
// upper bound, or back to the item and above where it started. Without work it says
// that there is none: whoever asks sees that the work is spent.
//
// A walk is a monotone function of the offset that it starts from. If no alignment on
// it is larger than that of the start, it commutes with adding that alignment, and if
// it ends at the start, it takes multiples to multiples. So if it raises one of them,
// it raises all. And whatever cycle does that has an item with its largest alignment.
func (s *state) runsAway(start int32) bool {
	const unreached = math.MinInt64
	lows := s.raises.lows
	for i := range lows {
		lows[i] = unreached
	}
	lows[start] = s.low[start]
	for again, round := true, s.raises.count[start]; again && round > 0; round-- {
		again = false
		if !s.work.Spend(len(lows) + len(s.arcs)) {
			return true
		}
		for i := range lows {
			if lows[i] == unreached {
				continue
			}
			for _, a := range s.out[i] {
				r := &s.arcs[a]
				if r.least == unknown || s.align[r.to] > s.align[start] {
					continue
				}
				low := alignUp(lows[i]+r.least, s.align[r.to])
				if low <= lows[r.to] {
					continue
				}
				if r.to == start || low+s.low[r.negTo] > 0 {
					return true
				}
				lows[r.to], again = low, true
			}
		}
	}
	return false
}
