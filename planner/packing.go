package planner

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// Packing is the packing problem of the static buffers of one scope. Storage that buffers
// take over from each other may be one buffer of it.
type Packing struct {
	pack.Problem
	Of []int // by sequences.BufferID: an index in Problem.Buffers; -1 if it is not in the pool
	// Apart are the excluded pairs of the problem that lifetimes would let share bytes.
	Apart [][2]int
}

func (p *packed) packing(buffers int) Packing {
	out := Packing{Problem: p.Problem, Of: slices.Repeat([]int{-1}, buffers), Apart: p.apart()}
	for _, b := range p.buffers {
		out.Of[b] = p.of[b]
	}
	return out
}

// apart returns the excluded pairs but for those that would share nothing if they were in
// order: one has no bytes, or both have all of them in use at one step of the file.
func (u *units) apart() [][2]int {
	storage := make([][]int, len(u.list)) // by unit: those that share its offset
	for _, group := range u.InPlace {
		for _, n := range group {
			storage[n] = group
		}
	}
	for n := range storage {
		if storage[n] == nil {
			storage[n] = []int{n}
		}
	}
	meet := func(n, k int) bool {
		if min(u.Buffers[n].Size, u.Buffers[k].Size) == 0 {
			return true
		}
		for _, i := range storage[n] {
			for _, j := range storage[k] {
				if u.Buffers[i].Size >= u.Buffers[n].Size && u.Buffers[j].Size >= u.Buffers[k].Size && meetWhole(&u.Buffers[i], &u.Buffers[j]) {
					return true
				}
			}
		}
		return false
	}
	var out [][2]int
	for _, pair := range u.Excluded {
		if !meet(pair[0], pair[1]) {
			out = append(out, pair)
		}
	}
	return out
}

// meetWhole reports whether there is a step at which neither of two buffers lends bytes.
func meetWhole(a, b *pack.Buffer) bool {
	s, end := max(a.First, b.First), min(a.End, b.End)
	gaps := slices.Concat(a.Gaps, b.Gaps)
	slices.SortFunc(gaps, func(a, b pack.Gap) int { return cmp.Compare(a.First, b.First) })
	for _, g := range gaps {
		if g.First > s {
			break
		}
		s = max(s, g.End)
	}
	return s < end
}

// held is what a unit has in use: bytes of its packing, of which low and high bound the part.
type held struct {
	unit      *unit
	low, high uint64
}

// at lists what is in use at a step. Of units that share an offset it is the largest part.
func (u *units) at(step uint64) []held {
	var out []held
	index := map[sequences.BufferID]int{} // by the first buffer of a storage
	for n := range u.list {
		b := &u.Buffers[n]
		if step < b.First || b.End <= step {
			continue
		}
		h := held{unit: &u.list[n], high: b.Size}
		for _, g := range b.Gaps {
			if g.First <= step && step < g.End {
				h.low, h.high = g.Low, g.High
			}
		}
		if h.low == h.high {
			continue
		}
		i, ok := index[h.unit.chain]
		switch {
		case !ok:
			index[h.unit.chain] = len(out)
			out = append(out, h)
		case h.high-h.low > out[i].high-out[i].low:
			out[i] = h
		}
	}
	return out
}

// setOf lists what the pieces of a set have in use.
func (u *units) setOf(t together) []held {
	var out []held
	for _, id := range t.pieces {
		unit := &u.list[id.unit]
		out = append(out, held{unit: unit, high: unit.pieces[id.piece].bytes})
	}
	return out
}

// alive names what is in use, the largest first, and returns the sum of what alignment
// adds to it.
func (f *facts) alive(list []held) (out []Alive, padding sequences.Bytes) {
	out = []Alive{}
	for _, h := range list {
		var size uint64
		for _, b := range h.unit.buffers {
			size = max(size, f.bounds.sizes[b].max)
		}
		bytes := min(size, h.high) - min(size, h.low)
		out = append(out, Alive{f.seq.Buffers[h.unit.buffers[0]].Name, sequences.Bytes(bytes)})
		padding += sequences.Bytes(h.high - h.low - bytes)
	}
	slices.SortStableFunc(out, func(a, b Alive) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out, padding
}

// lent is what a static buffer lends in the packing. A gap of the packing is one of the file
// up to the end of that one, and then a shrink.
func (p *packed) lent(b *sequences.Buffer, class Class) []Lent {
	if class == Dynamic {
		return nil
	}
	var out []Lent
	for _, g := range p.Buffers[p.of[b.ID]].Gaps {
		l := Lent{
			Interval: Interval{sequences.StepID(g.First), sequences.StepID(g.End)},
			Low:      sequences.Bytes(g.Low), High: sequences.Bytes(g.High), Why: LentShrink,
		}
		for _, gap := range b.Gaps {
			if gap.After >= l.First || l.First >= gap.Before {
				continue
			}
			part := l
			part.Why, part.End = LentGap, min(l.End, gap.Before)
			out = append(out, part)
			l.First = part.End
		}
		if l.First < l.End {
			out = append(out, l)
		}
	}
	return out
}
