package planner

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// unit is what is one buffer of a packing problem: a buffer, or a chain of buffers of
// one size that take over one storage.
type unit struct {
	buffers []sequences.BufferID // in file order
	chain   sequences.BufferID   // the first buffer of the storage
	loans   bool                 // the buffer, which is one then, has gaps or shrinks
	pieces  []piece              // with several streams, or loans
}

// units is the packing problem of the static buffers of one scope, with the buffers
// behind it.
type units struct {
	pack.Problem
	scope  sequences.Scope
	list   []unit
	of     []int  // by BufferID: index in list
	align  uint64 // the largest alignment of the scope and of these buffers
	coarse bool   // lifetimes are longer than they are, instead of excluded pairs
}

// findUnits makes the problem, without its excluded pairs. Sizes are rounded up to the
// base alignment of the scope, so every offset that is free is also aligned for most
// buffers and the bound counts the same bytes as the height.
//
// Buffers that take over one storage share their offset. If they have one size they are
// one unit, alive from the first write to the last use; else the bytes that the smaller
// ones do not need are free while these have the storage. whole says that they are one
// unit, of the largest size, in any case.
func (f *facts) findUnits(scope sequences.Scope, lives []Interval, whole bool) (*units, error) {
	base := uint64(f.seq.Scope(scope).Align)
	u := &units{scope: scope, of: make([]int, len(f.seq.Buffers)), align: base}
	groups := map[sequences.BufferID]int{} // by the first buffer of a storage: its index in InPlace
	equal := f.equalChains(scope, base)
	for chain := range equal {
		equal[chain] = equal[chain] || whole && len(f.seq.Buffers[chain].Gaps) == 0
	}
	for i := range f.seq.Buffers {
		b := &f.seq.Buffers[i]
		if b.Scope != scope || f.classes[i].class != Static {
			continue
		}
		size, err := checked.AlignUp(f.bounds.sizes[i].max, base)
		if err != nil {
			return nil, fmt.Errorf("size of %s: %w", b.Name, err)
		}
		u.align = max(u.align, uint64(b.Align))
		rect := pack.Buffer{
			First: uint64(lives[i].First), End: uint64(min(lives[i].End, f.lives[i].own)), Size: size, Align: uint64(b.Align),
			Offset: (*uint64)(b.Offset), Hint: (*uint64)(b.Hint),
		}
		chain := b.ID
		if b.InPlaceOf != sequences.None {
			chain = u.list[u.of[b.InPlaceOf]].chain // which comes first in file order
		}
		if b.InPlaceOf != sequences.None && equal[chain] {
			u.join(u.of[b.InPlaceOf], b.ID, rect)
			continue
		}
		n := len(u.list)
		u.of[i] = n
		u.list = append(u.list, unit{buffers: []sequences.BufferID{b.ID}, chain: chain, loans: len(b.Gaps)+len(b.Shrinks) > 0})
		u.Buffers = append(u.Buffers, rect)
		if b.InPlaceOf == sequences.None {
			continue
		}
		g, ok := groups[chain]
		if !ok {
			g = len(u.InPlace)
			groups[chain] = g
			u.InPlace = append(u.InPlace, []int{u.of[chain]})
		}
		u.InPlace[g] = append(u.InPlace[g], n)
	}
	return u, nil
}

// join adds a buffer to the unit whose storage it takes over.
func (u *units) join(n int, b sequences.BufferID, rect pack.Buffer) {
	u.of[b] = n
	u.list[n].buffers = append(u.list[n].buffers, b)
	r := &u.Buffers[n]
	r.First, r.End = min(r.First, rect.First), max(r.End, rect.End)
	r.Size, r.Align = max(r.Size, rect.Size), max(r.Align, rect.Align)
}

// equalChains says of the first buffer of a storage whether all that take it over have
// its rounded size, and it lends nothing.
func (f *facts) equalChains(scope sequences.Scope, align uint64) map[sequences.BufferID]bool {
	out, first := map[sequences.BufferID]bool{}, map[sequences.BufferID]sequences.BufferID{}
	blocks := func(b sequences.BufferID) uint64 {
		return f.bounds.sizes[b].max/align + min(1, f.bounds.sizes[b].max%align)
	}
	for i := range f.seq.Buffers {
		b := &f.seq.Buffers[i]
		if b.Scope != scope || b.InPlaceOf == sequences.None {
			continue
		}
		chain, known := first[b.InPlaceOf]
		if !known {
			chain = b.InPlaceOf
			out[chain] = len(f.seq.Buffers[chain].Gaps) == 0
		}
		first[b.ID] = chain
		out[chain] = out[chain] && blocks(b.ID) == blocks(chain)
	}
	return out
}

// split gives each unit its pieces and its gaps.
func (f *facts) split(u *units, fr *frontier, lives []Interval) {
	base := uint64(f.seq.Scope(u.scope).Align)
	for n := range u.list {
		unit := &u.list[n]
		b := unit.buffers[0]
		r := &u.Buffers[n]
		if !unit.loans && len(f.seq.Streams) <= 1 {
			continue
		}
		if unit.loans {
			unit.pieces = fr.split(b)
			life := Interval{lives[b].First, sequences.StepID(r.End)}
			r.Gaps = lent(&f.seq.Buffers[b], unit.pieces, life, r.Size, f.bounds.shrinks[b], base)
			for i := range unit.pieces {
				p := &unit.pieces[i]
				p.bytes = r.Size
				for k, s := range f.seq.Buffers[b].Shrinks {
					if s.After < p.accesses[0] {
						p.bytes = roundUp(f.bounds.shrinks[b][k], base)
					}
				}
			}
			continue
		}
		var to []sequences.StepID
		for _, b := range unit.buffers {
			to = append(to, fr.of(b)...)
		}
		unit.pieces = []piece{{
			first: r.First, end: r.End, bytes: r.Size,
			from: []sequences.StepID{f.seq.Buffers[b].Step}, to: fr.latest(to),
		}}
	}
}
