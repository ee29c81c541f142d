package blockpool

import "github.com/seqplan/seqplan/dynpool/internal/extent"

// index returns the index that a free piece is in.
func (p *Pool) index(e *piece) *extent.Index[state] {
	if e.Upper() == nil {
		return p.rest
	}
	return p.free
}

func (p *Pool) insert(e *piece) {
	p.index(e).Insert(e)
	p.stats.Free += e.Size
}

func (p *Pool) remove(e *piece) {
	p.index(e).Remove(e)
	p.stats.Free -= e.Size
}

// take finds need bytes among what is free: the best fit of what was freed, else of
// what remains at the ends of regions. It returns nil if there is none.
func (p *Pool) take(need uint64) *piece {
	if e := p.free.Fit(need); e != nil {
		p.stats.Hits++
		p.remove(e)
		if need < p.stats.Reserved/small {
			return p.cutEnd(e, need)
		}
		return p.cut(e, need)
	}
	if e := p.rest.Fit(need); e != nil {
		p.stats.Carved++
		p.remove(e)
		return p.cut(e, need)
	}
	return nil
}

// cut leaves need bytes to a free piece that is in no index. What is behind the next
// multiple of Align becomes a free piece, if it can hold a block.
func (p *Pool) cut(e *piece, need uint64) *piece {
	pad := -need % Align
	if e.Size-need < pad+MinBlock {
		return e
	}
	p.split(e, need+pad)
	return e
}

// small is the part of the regions below which a block is cut from the end of freed
// memory. Larger ones are cut from the start, so that small blocks do not end up between
// large ones, where they would keep those from becoming one piece.
const small = 16

// cutEnd returns the last bytes of a free piece that is in no index and not at the end
// of its region, at least need. What is before them becomes a free piece, if it can hold
// a block.
func (p *Pool) cutEnd(e *piece, need uint64) *piece {
	before := (e.Size - need) / Align * Align
	if before < MinBlock {
		return e
	}
	end := p.space.Split(e, before)
	p.insert(e)
	return end
}

// split leaves the first size bytes to a free piece that is in no index; the others
// become a free piece.
func (p *Pool) split(e *piece, size uint64) {
	freed := e.Val.freed
	left := p.space.Split(e, size)
	left.Val.freed = freed
	p.insert(left)
}

// put makes a piece free, joins it with its free neighbours, and returns what came of
// that. freed is the time after which no more work was queued that uses it.
func (p *Pool) put(e *piece, freed uint64) *piece {
	if l := e.Lower(); l != nil && l.Val.id == 0 {
		p.remove(l)
		freed = max(freed, l.Val.freed)
		p.space.Join(l)
		e = l
	}
	if u := e.Upper(); u != nil && u.Val.id == 0 {
		p.remove(u)
		freed = max(freed, u.Val.freed)
		p.space.Join(e)
	}
	e.Val = state{freed: freed}
	p.insert(e)
	return e
}

// idle reports whether a piece is all of its region, and free.
func idle(e *piece) bool { return e.Whole() && e.Val.id == 0 }
