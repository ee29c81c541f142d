package planner

import (
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// togetherWork is how many arcs of the network one bound may look at.
const togetherWork = 20_000_000

// together is a set of units of which no two may share a byte, because none is before
// another one, and the sum of what they have in use: no packing is lower.
type together struct {
	bytes  uint64
	pieces []pieceOf
}

// pieceOf is a piece of a unit.
type pieceOf struct{ unit, piece int }

// findTogether finds the heaviest such set in the order of a frontier, or none if that
// is too much work. With one stream it is what is in use at one step. Of units with gaps
// or shrinks it takes a piece; what a gap leaves in use does not count.
//
// Of a partial order, the heaviest set of elements that are not ordered weighs as much as
// the fewest chains that cover each element as often as it weighs. These are found as a
// flow: bytes of one piece go on to a piece behind it. A piece is before all that starts
// at or behind a certain step of each stream, so the arcs are few.
func (u *units) findTogether(f *frontier) together {
	h := newHorizon(f)
	lists := slices.Clone(h.steps)
	var host []sequences.StepID
	for s, step := range f.seq.Steps {
		if step.Host {
			host = append(host, sequences.StepID(s))
		}
	}
	lists = append(lists, host)
	var all []pieceOf
	for n := range u.list {
		for k, p := range u.list[n].pieces {
			if p.bytes > 0 {
				all = append(all, pieceOf{n, k})
			}
		}
	}
	// The nodes behind source and sink: of each piece, what goes on from it, and what
	// comes to it; then the steps.
	out := func(i int) int { return 2 + 2*i }
	in := func(i int) int { return 3 + 2*i }
	at := func(s sequences.StepID) int { return 2 + 2*len(all) + int(s) }
	end := at(f.end()) // where outputs are read, behind all steps
	net := newNetwork(end+1, togetherWork)
	const any = 1 << 62
	for _, list := range lists {
		for i := 1; i < len(list); i++ {
			net.arc(at(list[i-1]), at(list[i]), any)
		}
		if len(list) > 0 {
			net.arc(at(list[len(list)-1]), end, any)
		}
	}
	latest := map[sequences.BufferID]int{} // of a storage: its last piece so far
	for i, id := range all {
		unit := &u.list[id.unit]
		p := &unit.pieces[id.piece]
		net.arc(source, out(i), p.bytes)
		net.arc(in(i), sink, p.bytes)
		if before, ok := latest[unit.chain]; ok {
			net.arc(out(before), in(i), any)
		}
		latest[unit.chain] = i
		// What lives from the start on is behind nothing. Of several first accesses one is
		// enough: the bound stays one if more is in order than is.
		if first := p.from[0]; first >= 0 && !f.always(unit.buffers[0]) {
			net.arc(at(first), in(i), any)
		}
		for _, list := range lists {
			k := 0
			for _, s := range p.to {
				k = max(k, h.firstBehind(s, list))
			}
			if k < len(list) {
				net.arc(out(i), at(list[k]), any)
			}
		}
	}
	if _, ok := net.flow(); !ok {
		return together{}
	}
	var t together
	index := map[sequences.BufferID]int{} // by storage: in t.pieces
	for i, id := range all {
		if net.level[out(i)] == 0 || net.level[in(i)] > 0 {
			continue
		}
		unit := &u.list[id.unit]
		bytes := unit.pieces[id.piece].bytes
		// The pieces of a storage are in order only one by one if its steps are not, which
		// the policy stream has: the set may have several.
		k, ok := index[unit.chain]
		if !ok {
			index[unit.chain] = len(t.pieces)
			t.pieces = append(t.pieces, id)
			t.bytes += bytes
			continue
		}
		if before := u.list[t.pieces[k].unit].pieces[t.pieces[k].piece].bytes; before < bytes {
			t.pieces[k] = id
			t.bytes += bytes - before
		}
	}
	return t
}
