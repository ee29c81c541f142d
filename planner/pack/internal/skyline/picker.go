package skyline

// picker finds the rectangle with the largest key that starts and ends within
// given sections, among those with a key above 0. Groups of rectangles are summed
// up, and groups of groups, so that a search skips what cannot help.
type picker struct {
	*index
	sizes []uint64
	keys  []uint32
	maxes [][]uint32 // by level: the largest key of each group
	steps uint64
}

func newPicker(x *index, sizes []uint64) *picker {
	p := &picker{index: x, sizes: sizes, keys: make([]uint32, len(sizes)), maxes: make([][]uint32, len(x.ends))}
	for l := range p.maxes {
		p.maxes[l] = make([]uint32, len(x.ends[l].least))
	}
	return p
}

// sum sums up the keys, which the caller has set.
func (p *picker) sum() {
	below := p.keys
	for _, m := range p.maxes {
		for i := range m {
			m[i] = maxOf(group(below, i))
		}
		below = m
	}
}

func group(keys []uint32, i int) []uint32 {
	return keys[i<<fanoutBits : min(len(keys), (i+1)<<fanoutBits)]
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
		m[i] = maxOf(group(below, i))
		below = m
	}
}

// put sets a key that was 0.
func (p *picker) put(i int, key uint32) {
	p.keys[i] = key
	for _, m := range p.maxes {
		i >>= fanoutBits
		if m[i] >= key {
			return
		}
		m[i] = key
	}
}

// search is a question and the best answer so far.
type search struct {
	a, c, d, b int32
	most       uint64
	key        uint32
	at         int
}

// best returns the rectangle with the largest key that starts in [a, c], ends in
// (d, b] and has no more units than most, or -1. So c = d asks for those in [a, b)
// that cover c, and c = b-1, d = a for all of them. Of equal keys the one that is
// looked at first is the best.
func (p *picker) best(a, c, d, b int32, most uint64) int {
	s := search{a: a, c: c, d: d, b: b, most: most, at: -1}
	for i := range p.classes {
		k := &p.classes[i]
		if lo, hi := max(a, d+1-k.longest()), min(c, b-k.shortest()); lo <= hi {
			p.scan(&s, 0, k.from(lo), k.to(hi))
		}
	}
	return s.at
}

// scan looks at the entries [from, to) of a level; 0 are the rectangles.
func (p *picker) scan(s *search, level, from, to int) {
	if to-from <= 2*fanout || level >= len(p.maxes) {
		p.each(s, level, from, to)
		return
	}
	inner, outer := (from+fanout-1)>>fanoutBits, to>>fanoutBits
	p.each(s, level, from, inner<<fanoutBits)
	p.scan(s, level+1, inner, outer)
	p.each(s, level, outer<<fanoutBits, to)
}

func (p *picker) each(s *search, level, from, to int) {
	p.steps += uint64(to - from)
	if level == 0 {
		for i, k := range p.keys[from:to] {
			if k > s.key && p.fits(s, from+i) {
				s.key, s.at = k, from+i
			}
		}
		return
	}
	below := len(p.keys)
	if level > 1 {
		below = len(p.maxes[level-2])
	}
	e := p.ends[level-1]
	for i, k := range p.maxes[level-1][from:to] {
		if k > s.key && e.least[from+i] <= s.b && e.most[from+i] > s.d {
			p.each(s, level-1, (from+i)<<fanoutBits, min((from+i+1)<<fanoutBits, below))
		}
	}
}

func (p *picker) fits(s *search, i int) bool {
	f, e := p.first[i], p.end[i]
	return f >= s.a && f <= s.c && e > s.d && e <= s.b && p.sizes[i] <= s.most
}
