package pack

import (
	"cmp"
	"context"
	"slices"
)

// The windows that are searched for a better bound.
const (
	windowPeaks = 3  // at so many steps with the most bytes in use
	windowShare = 30 // each has one of so many parts of the budget
)

// windowSizes are the numbers of buffers that a window may have.
var windowSizes = [...]int{12, 24, 48}

// windows looks for a better bound in parts of the time: what the buffers need
// there, each clipped to it, the whole needs too.
func (s *solver) windows(ctx context.Context) {
	if s.done() || s.Bound.Bytes > s.problem.capacity() {
		return
	}
	starts, peaks := s.problem.peaks()
	for _, peak := range peaks {
		for _, size := range windowSizes {
			w := s.problem.around(starts, peak, size)
			if len(w.buffers) == len(s.problem.Buffers) || s.done() || ctx.Err() != nil {
				break
			}
			r, err := Engine{Effort: s.Effort, Seed: s.Seed}.solve(ctx, s.problem.clip(w), windowShare)
			if err != nil || r.Status == Infeasible {
				continue
			}
			s.Nodes += r.Nodes
			if r.Bound.Bytes > s.Bound.Bytes {
				s.Bound = Bound{Bytes: r.Bound.Bytes, Kind: Refuted, First: w.first, End: w.end}
			}
		}
	}
}

// window is the buffers that are alive in the steps [first, end).
type window struct {
	first, end uint64
	buffers    []int
}

// peaks returns the first steps of all buffers, ascending, and the indexes of
// those with the most bytes alive.
func (p Problem) peaks() (starts []uint64, peaks []int) {
	ends := make([]int, len(p.Buffers))
	for i := range p.Buffers {
		starts = append(starts, p.Buffers[i].First)
		ends[i] = i
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	slices.SortFunc(ends, func(i, j int) int { return cmp.Compare(p.Buffers[i].End, p.Buffers[j].End) })
	live := make([]uint64, len(starts))
	for i := range p.Buffers {
		k, _ := slices.BinarySearch(starts, p.Buffers[i].First)
		live[k] += p.Buffers[i].Size
	}
	var sum uint64
	for k, at := range starts {
		for len(ends) > 0 && p.Buffers[ends[0]].End <= at {
			sum -= p.Buffers[ends[0]].Size
			ends = ends[1:]
		}
		sum += live[k]
		live[k] = sum
		peaks = append(peaks, k)
	}
	slices.SortStableFunc(peaks, func(i, j int) int { return cmp.Compare(live[j], live[i]) })
	return starts, peaks[:min(len(peaks), windowPeaks)]
}

// around returns the largest window around a start with at most so many buffers, or
// that start alone.
func (p Problem) around(starts []uint64, at, size int) window {
	w := p.window(starts[at], starts[at]+1)
	for lo, hi := at, at+1; ; {
		lo, hi = max(0, lo-1), min(len(starts), hi+1)
		first, end := starts[lo], starts[hi-1]+1
		if first == w.first && end == w.end {
			return w
		}
		wider := p.window(first, end)
		if len(wider.buffers) > size {
			return w
		}
		w = wider
	}
}

func (p Problem) window(first, end uint64) window {
	return window{first, end, p.alive(first, end)}
}

// clip returns the problem of a window.
func (p Problem) clip(w window) Problem {
	q := p.subset(w.buffers)
	q.Capacity = nil
	for i := range q.Buffers {
		b := &q.Buffers[i]
		if b.End <= w.first || w.end <= b.First {
			b.First, b.End, b.Size, b.Gaps = w.first, w.end, 0, nil // of a group, has a say in the offset only
			continue
		}
		b.First, b.End = max(b.First, w.first), min(b.End, w.end)
		var gaps []Gap
		for _, g := range b.Gaps {
			g.First, g.End = max(g.First, w.first), min(g.End, w.end)
			if g.First < g.End {
				gaps = append(gaps, g)
			}
		}
		b.Gaps = gaps
	}
	return q
}
