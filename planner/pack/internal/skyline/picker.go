package skyline

import "math/bits"

// picker finds the rectangle with the largest key that starts and ends within
// given sections, among those with a key above 0. The rectangles are in order of
// class, which is the binary logarithm of their length, and then of first
// section: so who covers a section is, for each class, in a short range. Groups
// of fanout rectangles are summed up, and groups of groups, so that a search
// skips what cannot help.
type picker struct {
	*index
	keys  []uint32
	maxes [][]uint32 // the largest key of each group, by level
	work  uint64
}

// index is the part of a picker that does not change.
type index struct {
	first, end []int32
	classes    []class // the largest first
}

// class are the rectangles with lengths in [1 << log, 2 << log).
type class struct {
	log    int
	shift  int     // of the sections in starts
	starts []int32 // by section >> shift: the first rectangle of the class that starts there or later
}

const (
	fanoutBits = 4
	fanout     = 1 << fanoutBits
)

func classOf(first, end int32) int { return bits.Len32(uint32(end-first)) - 1 }

func newIndex(first, end []int32, sections int32) *index {
	x := &index{first: first, end: end}
	for from := 0; from < len(first); {
		c := class{log: classOf(first[from], end[from])}
		c.shift = max(0, c.log-2)
		c.starts = make([]int32, sections>>c.shift+2)
		to := from
		for g := range c.starts {
			for to < len(first) && classOf(first[to], end[to]) == c.log && int(first[to])>>c.shift < g {
				to++
			}
			c.starts[g] = int32(to)
		}
		x.classes = append(x.classes, c)
		from = to
	}
	return x
}

func newPicker(x *index) *picker {
	p := &picker{index: x, keys: make([]uint32, len(x.first))}
	for n := len(x.first); n > fanout; {
		n = (n + fanout - 1) / fanout
		p.maxes = append(p.maxes, make([]uint32, n))
	}
	return p
}

// reset sums up the keys, which the caller has set.
func (p *picker) reset() {
	below := p.keys
	for _, m := range p.maxes {
		for i := range m {
			m[i] = maxOf(below[i*fanout : min(len(below), (i+1)*fanout)])
		}
		below = m
	}
}

func maxOf(keys []uint32) uint32 {
	var m uint32
	for _, k := range keys {
		m = max(m, k)
	}
	return m
}

// take sets a key to 0.
func (p *picker) take(i int) {
	was := p.keys[i]
	p.keys[i] = 0
	below := p.keys
	for _, m := range p.maxes {
		i >>= fanoutBits
		if m[i] != was {
			return
		}
		m[i] = maxOf(below[i<<fanoutBits : min(len(below), (i+1)<<fanoutBits)])
		below = m
	}
}

// search is one question: the best key that starts in [a, c] and ends in (c, b].
type search struct {
	a, c, d, b int32
	key        uint32
	at         int
}

// best returns the rectangle with the largest key that starts in [a, c] and ends
// in (d, b], d being c, or a if c is the last section before b; or -1.
func (p *picker) best(a, c, d, b int32) int {
	s := search{a: a, c: c, d: d, b: b, at: -1}
	for i := range p.classes {
		k := &p.classes[i]
		shortest, longest := int32(1)<<k.log, int32(2)<<k.log-1
		lo, hi := max(a, d+1-longest), min(c, b-shortest)
		if lo > hi {
			continue
		}
		p.scan(&s, 0, int(k.starts[lo>>k.shift]), int(k.starts[hi>>k.shift+1]))
	}
	return s.at
}

// scan looks at the entries [from, to) of a level; 0 are the rectangles.
func (p *picker) scan(s *search, lvl, from, to int) {
	if to-from <= 2*fanout || lvl >= len(p.maxes) {
		p.each(s, lvl, from, to)
		return
	}
	inner, outer := (from+fanout-1)>>fanoutBits, to>>fanoutBits
	p.each(s, lvl, from, inner<<fanoutBits)
	p.scan(s, lvl+1, inner, outer)
	p.each(s, lvl, outer<<fanoutBits, to)
}

func (p *picker) each(s *search, lvl, from, to int) {
	p.work += uint64(to - from)
	if lvl == 0 {
		for i, k := range p.keys[from:to] {
			if k > s.key {
				if f, e := p.first[from+i], p.end[from+i]; f >= s.a && f <= s.c && e > s.d && e <= s.b {
					s.key, s.at = k, from+i
				}
			}
		}
		return
	}
	below := len(p.keys)
	if lvl > 1 {
		below = len(p.maxes[lvl-2])
	}
	for i, k := range p.maxes[lvl-1][from:to] {
		if k > s.key {
			p.each(s, lvl-1, (from+i)<<fanoutBits, min((from+i+1)<<fanoutBits, below))
		}
	}
}
