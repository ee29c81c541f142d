package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/sequences"
)

// block is an interval of bytes with the accesses of one buffer to it.
type block struct {
	buffer      sequences.BufferID
	offset, top uint64
	accesses
	first int // the first access in the file
}

// overlaps checks that of any two blocks of a scope that share a byte, all accesses of
// the one are before all of the other.
//
// It goes through the bytes from below. Blocks with the byte that it is at stand in the
// order of their first accesses. If each is before the next one, each is before all
// behind it; so a new block is compared with its neighbours only, and what is true of
// two blocks stays true when those between them end. The parts of one buffer are not
// compared with each other, but each is with the neighbours of all.
func (c *checker) overlaps(scope sequences.Scope, blocks []*block) {
	for _, b := range blocks {
		b.first = slices.Min(b.from)
	}
	byOffset, byTop := slices.Clone(blocks), slices.Clone(blocks)
	slices.SortStableFunc(byOffset, func(a, b *block) int { return cmp.Compare(a.offset, b.offset) })
	slices.SortStableFunc(byTop, func(a, b *block) int { return cmp.Compare(a.top, b.top) })
	p := &proof{checker: c}
	for _, b := range byOffset {
		if b.offset == b.top {
			continue
		}
		for ; byTop[0].top <= b.offset; byTop = byTop[1:] {
			p.remove(byTop[0])
		}
		p.insert(b)
	}
	p.conclude(c.graph(scope))
}

// graph is the order along which buffers of a scope may share bytes.
func (c *checker) graph(scope sequences.Scope) *graph {
	switch c.seq.Scope(scope).Reuse {
	case sequences.ReuseStream:
		return newGraph(c.seq, false, nil)
	case sequences.ReuseInternal:
		return newGraph(c.seq, true, c.added)
	}
	return newGraph(c.seq, true, nil)
}

// proof collects what has to be in order.
type proof struct {
	*checker
	active []*block // by their first accesses
	claims []claim
}

// claim is that all accesses of a are before all of b.
type claim struct{ a, b *block }

func (p *proof) place(b *block) int {
	at, _ := slices.BinarySearchFunc(p.active, b, func(a, b *block) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.offset, b.offset))
	})
	return at
}

func (p *proof) remove(b *block) {
	if at := p.place(b); at < len(p.active) && p.active[at] == b {
		p.active = slices.Delete(p.active, at, at+1)
	}
}

func (p *proof) insert(b *block) {
	at := p.place(b)
	left, right := at-1, at
	for left >= 0 && p.active[left].buffer == b.buffer {
		left--
	}
	for i := left; i >= 0 && p.active[i].buffer == p.active[left].buffer; i-- {
		p.claim(p.active[i], b)
	}
	for right < len(p.active) && p.active[right].buffer == b.buffer {
		right++
	}
	for i := right; i < len(p.active) && p.active[i].buffer == p.active[right].buffer; i++ {
		p.claim(b, p.active[i])
	}
	p.active = slices.Insert(p.active, at, b)
}

// claim notes that a has to be before b. That the storage of a is taken over for b is
// checked elsewhere.
func (p *proof) claim(a, b *block) {
	for base := p.seq.Buffers[b.buffer].InPlaceOf; base != sequences.None; base = p.seq.Buffers[base].InPlaceOf {
		if base == a.buffer {
			return
		}
	}
	p.claims = append(p.claims, claim{a, b})
}

// conclude checks the claims.
func (p *proof) conclude(g *graph) {
	var queries []*query
	for _, cl := range p.claims {
		for _, s := range cl.a.to {
			for _, t := range cl.b.from {
				queries = append(queries, &query{from: s, to: t})
			}
		}
	}
	g.answer(queries)
	for _, cl := range p.claims {
		n := len(cl.a.to) * len(cl.b.from)
		for _, q := range queries[:n] {
			if !q.ok {
				p.fault(Overlap, p.seq.Buffers[cl.a.buffer].Name, p.seq.Buffers[cl.b.buffer].Name, max(cl.a.first, cl.b.first, 0),
					"bytes [%d, %d) and [%d, %d), used in %s and in %s, which nothing puts behind it",
					cl.a.offset, cl.a.top, cl.b.offset, cl.b.top, p.stepName(q.from), p.stepName(q.to))
				break
			}
		}
		queries = queries[n:]
	}
}

func (c *checker) stepName(s int) string {
	switch {
	case s < 0:
		return "the input"
	case s >= len(c.seq.Steps):
		return "the end of the batch"
	}
	return fmt.Sprintf("step %d %q", s, c.seq.Steps[s].Name)
}
