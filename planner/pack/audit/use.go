package audit

import (
	"cmp"
	"math"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
)

// Use is bytes that are in use at one step.
type Use struct {
	Buffers   []int  // by index: one, or those of an in-place group that use these bytes
	Align     uint64 // of the offset
	Low, High uint64 // bytes from the offset, Low < High
}

// InUse returns what is in use at a step, by the first index. What one in-place
// group has in use is joined; where that is several ranges, there are several uses.
// The problem must be one that Check accepts.
func InUse(p pack.Problem, step uint64) []Use {
	c := &checker{p: p}
	c.groups()
	return c.inUse(step, c.aligns())
}

// aligns returns the alignment of the offset of each owner, by its number.
func (c *checker) aligns() []uint64 {
	aligns := make([]uint64, len(c.p.Buffers))
	for i := range c.p.Buffers {
		aligns[c.owner[i]] = max(aligns[c.owner[i]], c.p.Buffers[i].Align)
	}
	return aligns
}

func (c *checker) inUse(step uint64, aligns []uint64) []Use {
	var uses []Use
	for i := range c.p.Buffers {
		b := &c.p.Buffers[i]
		if step < b.First || b.End <= step {
			continue
		}
		w := window{0, 0, 0, b.Size}
		if g, found := slices.BinarySearchFunc(b.Gaps, step, compareGap); found {
			w.low, w.high = b.Gaps[g].Low, b.Gaps[g].High
		}
		if w.low < w.high {
			uses = append(uses, Use{[]int{i}, aligns[c.owner[i]], w.low, w.high})
		}
	}
	if len(c.p.InPlace) > 0 {
		uses = c.join(uses)
	}
	return uses
}

func compareGap(g pack.Gap, step uint64) int {
	switch {
	case g.End <= step:
		return -1
	case g.First > step:
		return 1
	}
	return 0
}

// join joins the uses of each owner that touch.
func (c *checker) join(uses []Use) []Use {
	slices.SortStableFunc(uses, func(a, b Use) int {
		return cmp.Or(cmp.Compare(c.owner[a.Buffers[0]], c.owner[b.Buffers[0]]), cmp.Compare(a.Low, b.Low))
	})
	joined := uses[:0]
	for _, u := range uses {
		if k := len(joined) - 1; k >= 0 && c.owner[joined[k].Buffers[0]] == c.owner[u.Buffers[0]] && u.Low <= joined[k].High {
			joined[k].High = max(joined[k].High, u.High)
			joined[k].Buffers = append(joined[k].Buffers, u.Buffers...)
			continue
		}
		joined = append(joined, u)
	}
	for _, u := range joined {
		slices.Sort(u.Buffers)
	}
	slices.SortStableFunc(joined, func(a, b Use) int { return cmp.Compare(a.Buffers[0], b.Buffers[0]) })
	return joined
}

// Need returns a height that no packing is below in which these are in use at one
// step, the largest uint64 if it is above that. The offsets are cut into cells of
// align bytes, a power of two. What starts at a multiple of align shares no cell
// with another that does, but for the bytes up to the end of a cell, all of which
// are below the top of the highest one except its own. With align 1 that is the sum
// of the bytes.
func Need(uses []Use, align uint64) uint64 {
	var sum, slack uint64
	for _, u := range uses {
		if u.Align < align || u.Low%align != 0 {
			continue
		}
		size := u.High - u.Low
		cells, err := checked.AlignUp(size, align)
		if err == nil {
			sum, err = checked.Add(sum, cells)
		}
		if err != nil {
			return math.MaxUint64
		}
		slack = max(slack, cells-size)
	}
	return sum - slack
}
