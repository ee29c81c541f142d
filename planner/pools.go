package planner

import (
	"context"
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// packed is the packing of the static buffers of one scope.
type packed struct {
	pack.Result
	align   uint64               // the largest alignment of the scope and of these buffers
	offsets []uint64             // by BufferID, from the start of the packed area
	of      []sequences.BufferID // the buffers that are in the packing
}

// packScope places the static buffers of one scope. Sizes are rounded up to the
// base alignment of the scope, so every offset that is free is also aligned for
// most buffers and the bound counts the same bytes as the height. A chain of
// buffers that take over one storage is one unit: as large as the largest, alive
// from the first write to the last use.
func packScope(seq *sequences.Sequence, scope sequences.Scope, classes []classified, lives []Interval, sizes []uint64, packer pack.Packer) (packed, error) {
	base := uint64(seq.Scope(scope).Align)
	p := packed{align: base, offsets: make([]uint64, len(seq.Buffers))}
	var problem pack.Problem
	unit := make([]int, len(seq.Buffers)) // by BufferID, index in problem
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.Scope != scope || classes[i].class != Static {
			continue
		}
		size, err := checked.AlignUp(sizes[i], base)
		if err != nil {
			return packed{}, fmt.Errorf("size of %s: %w", b.Name, err)
		}
		p.align = max(p.align, uint64(b.Align))
		p.of = append(p.of, b.ID)
		rect := pack.Buffer{First: uint64(lives[i].First), End: uint64(lives[i].End), Size: size, Align: uint64(b.Align)}
		if b.InPlaceOf != sequences.None {
			unit[i] = unit[b.InPlaceOf] // which comes first in file order
			u := &problem.Buffers[unit[i]]
			u.First, u.End = min(u.First, rect.First), max(u.End, rect.End)
			u.Size, u.Align = max(u.Size, rect.Size), max(u.Align, rect.Align)
			continue
		}
		unit[i] = len(problem.Buffers)
		problem.Buffers = append(problem.Buffers, rect)
	}
	result, err := packer.Pack(context.Background(), problem)
	if err != nil {
		return packed{}, fmt.Errorf("the %s pool is too large: %w", scope, err)
	}
	if len(result.Offsets) != len(problem.Buffers) {
		return packed{}, fmt.Errorf("packing the %s pool: the packer placed %d of %d buffers", scope, len(result.Offsets), len(problem.Buffers))
	}
	p.Result = result
	for _, b := range p.of {
		p.offsets[b] = result.Offsets[unit[b]]
	}
	return p, nil
}
