package cli

import (
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// needed is a step with what is in use at it.
type needed struct {
	step  uint64
	cell  uint64 // bytes to which it is rounded up, 1 for none
	bytes uint64 // no packing is lower
	uses  []audit.Use
}

// maxNeedLooks is how many buffers are looked at to find a step, times steps.
const maxNeedLooks = 100_000_000

// need looks for a step in [first, end) that needs enough bytes, at likely first, and
// returns the one that needs the most of those that it has seen.
func need(p pack.Problem, likely, first, end, enough uint64) needed {
	steps, cells := []uint64{}, []uint64{1}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		cells = append(cells, b.Align)
		steps = append(steps, b.First)
		for _, g := range b.Gaps {
			steps = append(steps, g.First, g.End) // with a window more may be in use than with the one before
		}
	}
	slices.Sort(steps)
	slices.Sort(cells)
	steps, cells = slices.Compact(steps), slices.Compact(cells)
	steps = append([]uint64{likely}, steps...)
	var best needed
	for k, step := range steps {
		if best.bytes >= enough || k*len(p.Buffers) > maxNeedLooks {
			break
		}
		if step < first || end <= step {
			continue
		}
		uses := audit.InUse(p, step)
		for _, cell := range cells {
			if bytes := audit.Need(uses, cell); bytes > best.bytes {
				best = needed{step, cell, bytes, uses}
			}
		}
	}
	return best
}

// cells is what a use takes, 0 if it may start anywhere in a cell.
func (n *needed) cells(u audit.Use) uint64 {
	if u.Align < n.cell || u.Low%n.cell != 0 {
		return 0
	}
	cells, _ := checked.AlignUp(u.High-u.Low, n.cell) // audit.Need has made it too
	return cells
}
