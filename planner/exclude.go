package planner

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// maxExcluded is how many pairs may be looked at for the list of excluded ones. Where
// there are more, the smallest buffers live until everything is behind them instead.
const maxExcluded = 1 << 20

// exclude lists the pairs of units that may not share bytes although they are not in
// use at the same step: of which not all accesses of the one are before all of the
// other. With one stream there are none. It looks at some pairs at most.
func (u *units) exclude(f *frontier, most int) {
	u.Excluded = nil
	if len(f.seq.Streams) <= 1 {
		return
	}
	byFirst := make([]int, len(u.list))
	for n := range byFirst {
		byFirst[n] = n
	}
	slices.SortStableFunc(byFirst, func(a, b int) int { return cmp.Compare(u.Buffers[a].First, u.Buffers[b].First) })
	from := func(step uint64) int {
		at, _ := slices.BinarySearchFunc(byFirst, step, func(n int, s uint64) int { return cmp.Compare(u.Buffers[n].First, s) })
		return at
	}
	h := newHorizon(f)
	ends := make([]uint64, len(u.list)) // from there on everything is behind the unit
	pairs, sum := make([]int, len(u.list)), 0
	for n := range u.list {
		r := &u.Buffers[n]
		ends[n] = max(r.End, h.behind(u.list[n].to()))
		pairs[n] = from(ends[n]) - from(r.End)
		if u.list[n].loans {
			pairs[n] = len(u.list)
		}
		sum += pairs[n]
	}
	bySize := slices.Clone(byFirst)
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(u.Buffers[a].Size, u.Buffers[b].Size) })
	for _, n := range bySize {
		if sum <= most {
			break
		}
		sum -= pairs[n]
		r := &u.Buffers[n]
		r.End, r.Gaps, u.list[n].loans, u.coarse = ends[n], nil, false, true
	}
	for n := range u.list {
		if u.list[n].loans {
			for k := range u.list {
				if !u.list[k].loans || k > n {
					u.pair(f, n, k)
				}
			}
			continue
		}
		for _, k := range byFirst[from(u.Buffers[n].End):from(ends[n])] {
			if !u.list[k].loans {
				u.pair(f, n, k)
			}
		}
	}
	slices.SortFunc(u.Excluded, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
}

// to returns the last accesses of a unit.
func (u *unit) to() []sequences.StepID {
	if len(u.pieces) == 0 {
		return nil
	}
	var out []sequences.StepID
	for _, p := range u.pieces {
		out = append(out, p.to...)
	}
	return out
}

// pair excludes a pair unless its lifetimes and gaps tell all. Pieces that are in use at
// the same step are kept apart, in the bytes that both have in use, by these; of all
// others the one has to be before the other.
func (u *units) pair(f *frontier, n, k int) {
	if n != k && u.list[n].chain != u.list[k].chain && !u.inOrder(f, n, k) {
		u.Excluded = append(u.Excluded, [2]int{min(n, k), max(n, k)})
	}
}

func (u *units) inOrder(f *frontier, n, k int) bool {
	for i := range u.list[n].pieces {
		for j := range u.list[k].pieces {
			a, b := &u.list[n].pieces[i], &u.list[k].pieces[j]
			if a.first > b.first {
				a, b = b, a
			}
			if a.end <= b.first && !f.allBefore(a.to, b.from) {
				return false
			}
		}
	}
	return true
}

// horizon finds from which step on all steps are behind some.
type horizon struct {
	*frontier
	steps [][]sequences.StepID // of each stream
}

func newHorizon(f *frontier) *horizon {
	h := &horizon{f, make([][]sequences.StepID, len(f.seq.Streams))}
	for s, step := range f.seq.Steps {
		if !step.Host { // every later step is behind a host step
			h.steps[step.Stream] = append(h.steps[step.Stream], sequences.StepID(s))
		}
	}
	return h
}

func (h *horizon) behind(steps []sequences.StepID) uint64 {
	var out uint64
	for _, s := range steps {
		if s >= h.end() {
			return uint64(h.end())
		}
		if s < 0 {
			continue
		}
		out = max(out, uint64(s)+1)
		for _, list := range h.steps {
			// The steps of a stream behind s are the last ones.
			if n := h.firstBehind(s, list); n > 0 {
				out = max(out, uint64(list[n-1])+1)
			}
		}
	}
	return out
}

// firstBehind is the index of the first step of a stream that is behind s.
func (h *horizon) firstBehind(s sequences.StepID, stream []sequences.StepID) int {
	lo, hi := 0, len(stream)
	for lo < hi {
		mid := (lo + hi) / 2
		if h.before(s, stream[mid]) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
