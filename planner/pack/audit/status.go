package audit

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
)

// status checks the status against the rest of the result.
func (c *checker) status() {
	r, limit := c.r, c.p.Capacity
	wrong := func(format string, args ...any) { c.fault(WrongStatus, -1, -1, format, args...) }
	switch r.Status {
	case pack.Feasible:
	case pack.Optimal:
		if r.Height != r.Bound.Bytes {
			wrong("optimal, but the height is %d and the bound %d", r.Height, r.Bound.Bytes)
		}
	case pack.Infeasible:
		if len(r.Offsets) > 0 {
			wrong("infeasible, but there are offsets")
		}
	case pack.Unknown:
		if len(r.Offsets) > 0 && (limit == nil || r.Height <= *limit) {
			wrong("unknown, but there is a packing of height %d", r.Height)
		}
	default:
		wrong("it is %d", r.Status)
	}
	if len(r.Offsets) > 0 && r.Height < r.Bound.Bytes {
		c.fault(WrongBound, -1, -1, "the packing is %d bytes high, below the bound %d", r.Height, r.Bound.Bytes)
	}
	c.conflict()
}

// conflict checks that an infeasible result has a conflict, and that it is not one
// for which a packing is easily found. To find that there is none would take the
// search again.
func (c *checker) conflict() {
	wrong := func(format string, args ...any) { c.fault(WrongConflict, -1, -1, format, args...) }
	conflict := c.r.Conflict
	if c.r.Status != pack.Infeasible {
		if len(conflict) > 0 {
			wrong("the result is %s, but has a conflict of %d buffers", c.r.Status, len(conflict))
		}
		return
	}
	if len(conflict) == 0 {
		wrong("the result is infeasible, but has no conflict")
		return
	}
	in := make([]bool, len(c.p.Buffers))
	for _, i := range conflict {
		switch {
		case i < 0 || i >= len(in):
			wrong("it has the buffer %d of %d", i, len(in))
			return
		case in[i]:
			wrong("it has the buffer %d twice", i)
			return
		}
		in[i] = true
	}
	if height, ok := c.stack(in); ok && (c.p.Capacity == nil || height <= *c.p.Capacity) {
		wrong("stacked, its buffers are %d bytes high", height)
	}
}

// stack returns the height of some buffers on top of each other, in-place groups as
// one, the largest alignments first. It fails where that may be no packing.
func (c *checker) stack(in []bool) (height uint64, ok bool) {
	for _, pair := range c.p.Excluded {
		i, j := pair[0], pair[1]
		if in[i] && in[j] && c.owner[i] == c.owner[j] {
			return 0, false
		}
	}
	aligns, sizes := make([]uint64, len(in)), make([]uint64, len(in)) // by owner
	var owners []int
	for i := range c.p.Buffers {
		if !in[i] {
			continue
		}
		b, o := &c.p.Buffers[i], c.owner[i]
		if b.Offset != nil {
			return 0, false
		}
		if aligns[o] == 0 {
			owners = append(owners, int(o))
		}
		aligns[o], sizes[o] = max(aligns[o], b.Align), max(sizes[o], b.Size)
	}
	slices.SortFunc(owners, func(a, b int) int { return cmp.Or(cmp.Compare(aligns[b], aligns[a]), cmp.Compare(a, b)) })
	for _, o := range owners {
		at, err := checked.AlignUp(height, aligns[o])
		if err == nil {
			height, err = checked.Add(at, sizes[o])
		}
		if err != nil {
			return 0, false
		}
	}
	return height, true
}
