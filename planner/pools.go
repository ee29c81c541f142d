package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// packed is the packing of the static buffers of one scope.
type packed struct {
	pack.Result
	*units
	offsets []uint64             // by BufferID, from the start of the packed area
	set     together             // with several streams: a reason for the height
	bounded *units               // the problem that the bound is of, if it is another one
	could   []AddedEdge          // with the policy event: edges that would save most
	buffers []sequences.BufferID // those that are in the packing
}

// packSet is packUnits with several streams. The heaviest set of units of which no two
// may share is a bound that the packer does not have: it is asked for that height first.
func (f *facts) packSet(u *units, fr *frontier, packer pack.Packer) (packed, error) {
	set := u.findTogether(fr)
	bound, err := pack.LowerBound(u.Problem)
	if err != nil || set.bytes <= bound.Bytes {
		return f.packUnits(u, packer)
	}
	exact := *u
	exact.Capacity = &set.bytes
	p, err := f.packUnits(&exact, quick(packer))
	nodes := p.Nodes
	if err != nil || p.Height > set.bytes {
		if p, err = f.packUnits(u, packer); err != nil {
			return packed{}, err
		}
		p.Nodes += nodes
	}
	p.units, p.set = u, set
	if p.Bound.Bytes = max(p.Bound.Bytes, set.bytes); p.Height <= p.Bound.Bytes {
		p.Status = pack.Optimal
	}
	return p, nil
}

// quick is a packer for questions on the way.
func quick(p pack.Packer) pack.Packer {
	if e, ok := p.(pack.Engine); ok {
		e.Effort = pack.Quick
		return e
	}
	return p
}

// packUnits places the static buffers of one scope.
func (f *facts) packUnits(u *units, packer pack.Packer) (packed, error) {
	p := packed{units: u, offsets: make([]uint64, len(f.seq.Buffers))}
	result, err := packer.Pack(f.ctx, u.Problem)
	if f.ctx.Err() != nil {
		return packed{}, f.ctx.Err()
	}
	if err != nil {
		return packed{}, fmt.Errorf("the %s pool is too large: %w", u.scope, err)
	}
	if result.Status == pack.Infeasible {
		return packed{}, f.conflict(u, result)
	}
	if len(result.Offsets) != len(u.Buffers) {
		return packed{}, fmt.Errorf("packing the %s pool: the packer placed %d of %d buffers", u.scope, len(result.Offsets), len(u.Buffers))
	}
	p.Result = result
	for n := range u.list {
		for _, b := range u.list[n].buffers {
			p.offsets[b] = result.Offsets[n]
			p.buffers = append(p.buffers, b)
		}
	}
	return p, nil
}

// conflict reports buffers that have no packing, because of their fixed offsets.
func (f *facts) conflict(u *units, r pack.Result) error {
	var list []sequences.BufferID
	for _, n := range r.Conflict {
		list = append(list, u.list[n].buffers[0])
	}
	slices.Sort(list)
	at := sequences.Pos{File: f.seq.File}
	var words []string
	for _, id := range list {
		b := &f.seq.Buffers[id]
		word := fmt.Sprintf("%q (line %d)", b.Name, b.Pos.Line)
		if b.Offset != nil {
			word = fmt.Sprintf("%q (line %d, offset %d, %d bytes)", b.Name, b.Pos.Line, *b.Offset, f.bounds.sizes[id].max)
		}
		words = append(words, word)
		if b.Offset != nil || at.Line == 0 {
			at = b.Pos
		}
	}
	message := fmt.Sprintf("the buffers of the %s pool with fixed offsets have no packing", u.scope)
	if len(words) > 0 {
		message = fmt.Sprintf("these buffers cannot be placed together in the %s pool: %s", u.scope, strings.Join(words, ", "))
	}
	return sequences.Diagnostic{
		Pos: at, Code: CodeNoPacking, Severity: diag.Error, Message: message,
		Hint: "they are in use at the same time, or nothing orders them: move one, or give it a hint instead of an offset",
	}
}
