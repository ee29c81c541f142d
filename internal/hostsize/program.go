package hostsize

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Program is what the host does in place of the device program.
type Program struct {
	Params []uint64 // the launch-time parameters that it is made for
	Cells  []Cell   // where counts lie
	Steps  []Step   // by StepID; the last is the end step, which only releases
}

// Step is what the host does before a step, in this order: it reads counts, releases
// and allocates.
type Step struct {
	Wait     bool     // the step itself needs a wait
	Reads    []int    // the cells of the counts that no step before has needed
	Releases []uint64 // slots, with abi.ReleaseSlotOnly
	Allocs   []Alloc
}

// Alloc is an allocation with its size program.
type Alloc struct {
	abi.Alloc
	Sizing
}

// Cell is where a count lies.
type Cell struct {
	Buffer sequences.BufferID // a cell of another buffer in the same bytes is another
	Slot   int                // of the buffer; -1 if it is static
	Index  uint64             // of the element
	At     uint64             // offset in the slot, or in the pool, bytes
	Width  uint64             // bytes
}

// Compile makes the program of a plan at a point. Params are the launch-time
// parameters there, in the order of the layout. A program that loads what is no count
// is an abi.ErrProgram.
func Compile(seq *sequences.Sequence, plan *planner.Plan, at *planner.Point, params []uint64) (*Program, error) {
	decoded, err := abi.DecodeProgram(plan.Layout.Program)
	if err != nil {
		return nil, err
	}
	bySlot := make([]sequences.BufferID, len(plan.Layout.Slots))
	for i := range plan.Buffers {
		if slot := plan.Buffers[i].Slot; slot >= 0 {
			bySlot[slot] = sequences.BufferID(i)
		}
	}
	p := &Program{Params: params, Steps: make([]Step, len(decoded.Steps))}
	for s := range decoded.Steps {
		step := &p.Steps[s]
		step.Releases = decoded.Steps[s].Releases
		if s < len(plan.Layout.Steps) {
			step.Wait = plan.Layout.Steps[s].Wait
		}
		for _, a := range decoded.Steps[s].Allocs {
			loads, err := p.find(seq, plan, at, bySlot[a.Slot], a.Code)
			if err != nil {
				return nil, fmt.Errorf("buffer %s: %w", plan.Buffers[bySlot[a.Slot]].Name, err)
			}
			step.Allocs = append(step.Allocs, Alloc{a.Alloc, Sizing{a.Code, loads}})
		}
	}
	p.schedule()
	return p, nil
}

// find returns which cell each load of the size program of a buffer reads: one of
// the counts that the plan says drive the buffer.
func (p *Program) find(seq *sequences.Sequence, plan *planner.Plan, at *planner.Point, b sequences.BufferID, code []uint64) ([]int, error) {
	refs, err := references(code, p.Params)
	if err != nil {
		return nil, err
	}
	var loads []int
	for _, ref := range refs {
		i := slices.IndexFunc(seq.Counts, func(c sequences.Count) bool {
			if !slices.Contains(plan.Buffers[b].DrivenBy, c.Name) || !ref.in(&plan.Buffers[c.At]) {
				return false
			}
			index, err := at.Eval(c.Index)
			return err == nil && index == ref.index
		})
		if i < 0 {
			return nil, fmt.Errorf("%w: it loads what is no count", abi.ErrProgram)
		}
		holder := seq.Counts[i].At
		c := Cell{Buffer: holder, Slot: plan.Buffers[holder].Slot, Index: ref.index, At: ref.index * ref.width, Width: ref.width}
		if !ref.slot {
			c.At += ref.where
		}
		known := slices.Index(p.Cells, c)
		if known < 0 {
			known = len(p.Cells)
			p.Cells = append(p.Cells, c)
		}
		loads = append(loads, known)
	}
	return loads, nil
}

// in reports whether a buffer is the one that the load reads.
func (r *reference) in(b *planner.Buffer) bool {
	if r.slot {
		return b.Class == planner.Dynamic && uint64(b.Slot) == r.where
	}
	return b.Class == planner.Static && b.Scope == sequences.Device && uint64(b.Offset) == r.where && uint64(b.Max) == r.size
}

// schedule finds the first step that needs each count.
func (p *Program) schedule() {
	seen := make([]bool, len(p.Cells))
	for s := range p.Steps {
		step := &p.Steps[s]
		for i := range step.Allocs {
			for _, c := range step.Allocs[i].loads {
				if !seen[c] {
					seen[c] = true
					step.Reads = append(step.Reads, c)
				}
			}
		}
	}
}
