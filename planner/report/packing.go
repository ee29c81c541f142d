package report

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// packing is the packing problem of a scope with the names of its buffers.
type packing struct {
	planner.Packing
	names   []string // by index in the problem: the buffer that has the storage first
	sizes   []sequences.Bytes
	offsets []uint64 // from the base of the pool
}

// newPacking returns nil for a plan that was read, which has no packing problems.
func newPacking(p *planner.Plan, scope sequences.Scope) *packing {
	if int(scope) >= len(p.Packings) {
		return nil
	}
	out := &packing{Packing: p.Packings[scope]}
	n := len(out.Buffers)
	out.names, out.sizes, out.offsets = make([]string, n), make([]sequences.Bytes, n), make([]uint64, n)
	for i := range p.Buffers {
		k, b := out.Of[i], &p.Buffers[i]
		if k < 0 {
			continue
		}
		if out.names[k] == "" {
			out.names[k], out.offsets[k] = b.Name, uint64(b.Offset)
		}
		out.sizes[k] = max(out.sizes[k], b.Max)
	}
	return out
}

// first is the buffer of the plan that has a storage first.
func (p *packing) first(n int) int { return slices.Index(p.Of, n) }

// span is bytes [low, high), from the start of a buffer, in use in the steps [first, end).
type span struct{ first, end, low, high uint64 }

func (p *packing) spans(n int) []span {
	b := &p.Buffers[n]
	var out []span
	at := b.First
	for _, g := range b.Gaps {
		out = append(out, span{at, g.First, 0, b.Size}, span{g.First, g.End, g.Low, g.High})
		at = g.End
	}
	out = append(out, span{at, b.End, 0, b.Size})
	return slices.DeleteFunc(out, func(s span) bool { return s.first >= s.end || s.low >= s.high })
}

// clashes calls f with the bytes of two buffers that may not be the same ones: those in use
// at one step, or, of an excluded pair, all.
func (p *packing) clashes(n, k int, excluded bool, f func(a, b span)) {
	x, y := &p.Buffers[n], &p.Buffers[k]
	switch {
	case x.Size == 0 || y.Size == 0:
	case excluded:
		f(span{high: x.Size}, span{high: y.Size})
	case x.First < y.End && y.First < x.End:
		for _, a := range p.spans(n) {
			for _, b := range p.spans(k) {
				if a.first < b.end && b.first < a.end {
					f(a, b)
				}
			}
		}
	}
}

// others calls f with each buffer that has no storage in common with buffer n, and whether
// the pair is excluded.
func (p *packing) others(n int, f func(k int, excluded bool)) {
	excluded, same := make([]bool, len(p.Buffers)), make([]bool, len(p.Buffers))
	for _, pair := range p.Excluded {
		if pair[0] == n || pair[1] == n {
			excluded[pair[0]+pair[1]-n] = true
		}
	}
	same[n] = true
	for _, group := range p.InPlace {
		if slices.Contains(group, n) {
			for _, k := range group {
				same[k] = true
			}
		}
	}
	for k := range p.Buffers {
		if !same[k] {
			f(k, excluded[k])
		}
	}
}

// neighbours returns the buffers whose bytes are the nearest ones below and above those of
// some buffers of one storage, of those with which they may not share them.
func (p *packing) neighbours(storage []int) (below, above string) {
	least := [2]uint64{^uint64(0), ^uint64(0)} // distances
	for _, n := range storage {
		p.others(n, func(k int, excluded bool) {
			p.clashes(n, k, excluded, func(a, b span) {
				low, high := p.offsets[n]+a.low, p.offsets[n]+a.high
				from, to := p.offsets[k]+b.low, p.offsets[k]+b.high
				switch {
				case to <= low && low-to < least[0]:
					below, least[0] = p.names[k], low-to
				case high <= from && from-high < least[1]:
					above, least[1] = p.names[k], from-high
				}
			})
		})
	}
	return below, above
}

// inTheWay returns the buffers that have bytes which buffer n would need at another offset.
func (p *packing) inTheWay(n int, offset uint64) []int {
	var out []int
	p.others(n, func(k int, excluded bool) {
		hit := false
		p.clashes(n, k, excluded, func(a, b span) {
			hit = hit || offset+a.low < p.offsets[k]+b.high && p.offsets[k]+b.low < offset+a.high
		})
		if hit {
			out = append(out, k)
		}
	})
	return out
}

// Apart is two buffers that share nothing only because nothing puts one before the other.
type Apart struct {
	A     string          `json:"a"`
	B     string          `json:"b"`
	Bytes sequences.Bytes `json:"bytes"` // that they could share, those of the smaller one
}

// apart returns the pairs that cost most.
func (p *packing) apart(most int) []Apart {
	if p == nil {
		return nil
	}
	var out []Apart
	for _, pair := range p.Packing.Apart {
		a, b := pair[0], pair[1]
		out = append(out, Apart{p.names[a], p.names[b], min(p.sizes[a], p.sizes[b])})
	}
	slices.SortStableFunc(out, func(x, y Apart) int { return cmp.Compare(y.Bytes, x.Bytes) })
	return out[:min(most, len(out))]
}

// apartFrom returns the other buffers of the pairs with buffer n, what costs most first.
func (p *packing) apartFrom(n int) []planner.Alive {
	var out []planner.Alive
	for _, pair := range p.Packing.Apart {
		if pair[0] == n || pair[1] == n {
			k := pair[0] + pair[1] - n
			out = append(out, planner.Alive{Name: p.names[k], Bytes: min(p.sizes[n], p.sizes[k])})
		}
	}
	slices.SortStableFunc(out, func(x, y planner.Alive) int { return cmp.Compare(y.Bytes, x.Bytes) })
	return out
}
