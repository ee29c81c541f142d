package planner

import (
	"math/bits"
	"slices"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// pieces is what the arena has to hold: the memory of each dynamic device buffer
// that does not take over the memory of another, in the order in which the device
// places them.
type pieces struct {
	of   []sequences.BufferID
	life []Interval
	ends [][]int // by step: the pieces that are given back before its allocations
}

func findPieces(seq *sequences.Sequence, classes []classified, lives []Interval) *pieces {
	p := &pieces{ends: make([][]int, len(seq.Steps)+1)}
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if classes[i].class == Dynamic && b.Scope == sequences.Device && b.InPlaceOf == sequences.None {
			p.ends[lives[i].End] = append(p.ends[lives[i].End], len(p.of))
			p.of = append(p.of, b.ID)
			p.life = append(p.life, lives[i])
		}
	}
	return p
}

// rounded returns the sizes of the pieces as the device rounds them, and false if
// one is not known or their sum leaves uint64.
func (p *pieces) rounded(align uint64, size func(sequences.BufferID) (uint64, error)) ([]uint64, bool) {
	out := make([]uint64, len(p.of))
	var sum uint64
	for i, b := range p.of {
		n, err := size(b)
		if err == nil {
			out[i], err = checked.AlignUp(n, align)
		}
		if err == nil {
			sum, err = checked.Add(sum, out[i])
		}
		if err != nil {
			return nil, false
		}
	}
	return out, true
}

// peak returns the most bytes that live at once, and all bytes.
func (p *pieces) peak(sizes []uint64) (peak, sum uint64) {
	var live uint64
	next := 0
	for s := range p.ends {
		for _, i := range p.ends[s] {
			live -= sizes[i]
		}
		for ; next < len(p.of) && int(p.life[next].First) == s; next++ {
			live += sizes[next]
			sum += sizes[next]
		}
		peak = max(peak, live)
	}
	return peak, sum
}

// simulator plays the arena mode reuse, as docs/abi.md describes it.
type simulator struct {
	*pieces
	at      []uint64     // by piece
	extents []abi.Extent // the free ones below the cursor
	work    uint64       // extents looked at, and pieces, in all simulations so far
	limit   uint64       // of work
}

func newSimulator(p *pieces, limit uint64) *simulator {
	return &simulator{pieces: p, at: make([]uint64, len(p.of)), limit: limit}
}

// high returns the high-water mark for some sizes, the sum of which fits uint64, and
// false if the work is over the limit. rules holds the rule of each piece; nil stands
// for abi.RuleLow.
func (m *simulator) high(sizes, rules []uint64) (uint64, bool) {
	var cursor, high uint64
	m.extents = m.extents[:0]
	next := 0
	for s := range m.ends {
		if m.work > m.limit {
			return 0, false
		}
		for _, i := range m.ends[s] {
			cursor = m.free(abi.Extent{Start: m.at[i], Size: sizes[i]}, cursor)
		}
		for ; next < len(m.of) && int(m.life[next].First) == s; next++ {
			size, rule := sizes[next], abi.RuleLow
			if rules != nil {
				rule = rules[next]
			}
			if m.work > m.limit {
				return 0, false
			}
			best := m.fit(size)
			if best < 0 {
				m.at[next] = cursor
				cursor += size
				high = max(high, cursor)
				continue
			}
			e := &m.extents[best]
			e.Size -= size
			m.at[next] = e.Start
			if rule == abi.RuleHigh {
				m.at[next] += e.Size
			} else {
				e.Start += size
			}
			if e.Size == 0 {
				m.extents = slices.Delete(m.extents, best, best+1)
			}
		}
	}
	return high, true
}

// fit returns the smallest extent that is large enough, of those the first, or -1.
func (m *simulator) fit(size uint64) int {
	m.work += uint64(len(m.extents)) + 1
	best := -1
	if size == 0 {
		return best
	}
	for i, e := range m.extents {
		if e.Size >= size && (best < 0 || e.Size < m.extents[best].Size) {
			best = i
		}
	}
	return best
}

// free gives a piece back and returns the cursor.
func (m *simulator) free(e abi.Extent, cursor uint64) uint64 {
	if e.Size == 0 {
		return cursor
	}
	i := len(m.extents)
	for i > 0 && m.extents[i-1].Start > e.Start {
		i--
	}
	m.work += uint64(len(m.extents)-i) + 1
	j := i
	if j < len(m.extents) && m.extents[j].Start == e.Start+e.Size {
		e.Size += m.extents[j].Size
		j++
	}
	if i > 0 && m.extents[i-1].Start+m.extents[i-1].Size == e.Start {
		i--
		e.Start, e.Size = m.extents[i].Start, e.Size+m.extents[i].Size
	}
	if e.Start+e.Size == cursor {
		m.extents = slices.Delete(m.extents, i, j)
		return e.Start
	}
	m.extents = slices.Replace(m.extents, i, j, e)
	return cursor
}

// ratio returns a / b in units of one, for b > 0 and a result that fits.
func ratio(a, b, one uint64) uint64 {
	hi, lo := bits.Mul64(a, one)
	if hi >= b {
		return ^uint64(0)
	}
	q, _ := bits.Div64(hi, lo, b)
	return q
}
