package pack

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
)

// use is some bytes in use in the steps [first, end).
type use struct{ first, end, bytes uint64 }

// uses lists what the items have in use.
func (m *model) uses() []use {
	var out []use
	for n := range m.items {
		for _, p := range m.items[n].pieces {
			out = append(out, use{p.First, p.End, p.High - p.Low})
		}
	}
	return out
}

// plainUses lists what the buffers of a plain problem have in use.
func plainUses(p Problem) []use {
	out := make([]use, 0, len(p.Buffers))
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.Size > 0 {
			out = append(out, use{b.First, b.End, b.Size})
		}
	}
	return out
}

// maxLive returns the largest sum of bytes in use at once, and the first steps at
// which they are.
func maxLive(uses []use) (Bound, error) {
	starts, ends := slices.Clone(uses), slices.Clone(uses)
	slices.SortFunc(starts, func(a, b use) int { return cmp.Compare(a.first, b.first) })
	slices.SortFunc(ends, func(a, b use) int { return cmp.Compare(a.end, b.end) })
	var best Bound
	var live uint64
	e := 0
	for i, u := range starts {
		for ends[e].end <= u.first {
			live -= ends[e].bytes
			e++
		}
		var err error
		if live, err = checked.Add(live, u.bytes); err != nil {
			return Bound{}, fmt.Errorf("bytes alive at step %d: %w", u.first, err)
		}
		if live > best.Bytes {
			best = Bound{Bytes: live, First: u.first}
			if i+1 < len(starts) {
				best.End = min(ends[e].end, max(starts[i+1].first, u.first+1))
			} else {
				best.End = ends[e].end
			}
		}
	}
	return best, nil
}

// LowerBound returns the largest number of bytes in use at once, which no packing
// can be lower than, with the first steps at which they are. A problem without
// bytes has the bound 0.
func LowerBound(p Problem) (Bound, error) {
	if err := p.validate(); err != nil {
		return Bound{}, err
	}
	if p.plain() {
		return maxLive(plainUses(p))
	}
	m, conflict := newModel(p)
	if conflict != nil {
		return Bound{}, nil // there is no packing at all
	}
	return maxLive(m.uses())
}
