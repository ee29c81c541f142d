package kernel

import "slices"

// stepsPerNode is how many holes are considered in the time of a change.
const stepsPerNode = 16

// decider lists the decisions of a state. The tiles that leave are in blocks,
// which are adjacent in any case. It groups the blocks to holes and the coming
// tiles with them, so that the sizes are equal.
type decider struct {
	s      *sweep
	from   *state
	blocks [][]int32
	sizes  []uint64
	come   []int32
	parts  sizes            // of come
	group  []int            // hole of each block; 0: none yet
	fill   []int            // of each coming tile
	costs  map[uint64]int64 // what making these blocks one hole does to the weight
	steps  int
}

// plan is what is left to decide after some holes.
type plan struct {
	from    int   // lowest block of the next hole, at least
	blocks  int   // in holes but the last one
	largest int   // blocks of the last hole
	come    int   // tiles that are in no hole
	weight  int64 // so far
}

const never = -1 << 62

// decide lists the decisions of a state.
func (s *sweep) decide(from *state, come []int32, parts sizes) {
	s.spend(from.tree)
	blocks := from.tree.blocks(s.leaving, nil)
	if len(blocks) > s.limits.blocks {
		s.cut = true
		blocks = [][]int32{slices.Concat(blocks...)}
	}
	switch len(blocks) {
	case 0:
		s.add(decision{from: from, weight: from.weight})
		return
	case 1:
		// Whichever finer holes there were, the orders behind are among these.
		s.add(decision{from, []hole{{blocks[0], come}}, from.weight + logFactorial(len(come))})
		return
	}
	d := decider{
		s: s, from: from, blocks: blocks, come: come, parts: parts,
		sizes: make([]uint64, len(blocks)),
		group: make([]int, len(blocks)),
		fill:  make([]int, len(come)),
		costs: map[uint64]int64{},
	}
	for i, b := range blocks {
		for _, t := range b {
			d.sizes[i] += s.tiles[t].size
		}
	}
	for n := range len(blocks) {
		d.holes(1, plan{0, n, len(blocks) - n, len(come), from.weight})
	}
	s.nodes += uint64(d.steps / stepsPerNode)
}

// over says whether to go no further with a plan, which can become as heavy as
// with one hole for all that comes, or because too much has been tried.
func (d *decider) over(p plan) bool {
	if d.steps < d.s.limits.steps && p.weight+logFactorial(p.come) > d.s.ways.least() {
		return false
	}
	d.s.cut = true
	return true
}

// holes makes holes g and up of so many blocks, and one more of all others, which
// is the largest. The lowest blocks of the holes ascend.
func (d *decider) holes(g int, p plan) {
	if p.blocks == 0 {
		d.last(g, p)
		return
	}
	for n := 1; n <= min(p.blocks, p.largest); n++ {
		q := p
		q.blocks -= n
		for i := p.from; i < len(d.blocks) && !d.over(p); i++ {
			if d.group[i] == 0 {
				d.group[i] = g
				q.from = i + 1
				d.choose(g, i+1, n-1, 1<<i, d.sizes[i], q)
				d.group[i] = 0
			}
		}
	}
}

// choose adds so many more free blocks, from one on, to hole g.
func (d *decider) choose(g, from, more int, set, size uint64, p plan) {
	if more > 0 {
		for i := from; i+more <= len(d.blocks) && !d.over(p); i++ {
			if d.group[i] == 0 {
				d.group[i] = g
				d.choose(g, i+1, more-1, set|1<<i, size+d.sizes[i], p)
				d.group[i] = 0
			}
		}
		return
	}
	d.steps++
	if !d.parts.may(0, size) {
		return
	}
	if cost := d.cost(g, set); cost != never {
		p.weight += cost
		d.take(g, 0, 0, size, p)
	}
}

// take fills hole g with coming tiles, from one on, of a size left.
func (d *decider) take(g, from, taken int, left uint64, p plan) {
	if left == 0 {
		p.weight += logFactorial(taken)
		d.holes(g+1, p)
		return
	}
	p.come--
	for i := from; i < len(d.come); i++ {
		t := d.s.tiles[d.come[i]]
		if d.fill[i] != 0 || t.size > left || !d.parts.may(i+1, left-t.size) {
			continue
		}
		if d.steps++; d.over(plan{weight: p.weight + logFactorial(taken+1), come: p.come}) {
			return
		}
		d.fill[i] = g
		d.take(g, i+1, taken+1, left-t.size, p)
		d.fill[i] = 0
		// It does not matter which one of equal tiles it is.
		for i+1 < len(d.come) && d.s.tiles[d.come[i+1]] == t {
			i++
		}
	}
}

// last makes hole g of all free blocks.
func (d *decider) last(g int, p plan) {
	var set uint64
	for i, h := range d.group {
		if h == 0 {
			set |= 1 << i
		}
	}
	d.mark(d.group, 0, g)
	d.steps++
	if cost := d.cost(g, set); cost != never {
		if p.weight += cost; !d.over(p) {
			d.mark(d.fill, 0, g)
			d.emit(g, p.weight+logFactorial(p.come))
			d.mark(d.fill, g, 0)
		}
	}
	d.mark(d.group, g, 0)
}

func (d *decider) mark(of []int, from, to int) {
	for i, g := range of {
		if g == from {
			of[i] = to
		}
	}
}

func (d *decider) cost(g int, set uint64) int64 {
	if c, ok := d.costs[set]; ok {
		return c
	}
	var tiles []int32
	for i, b := range d.blocks {
		if d.group[i] == g {
			tiles = append(tiles, b...)
		}
	}
	c := int64(never)
	if t, lost := d.s.replace(d.from.tree, tiles, leaf(tiles[0])); t != nil {
		c = t.weight + lost - d.from.tree.weight
	}
	d.costs[set] = c
	return c
}

func (d *decider) emit(holes int, weight int64) {
	h := make([]hole, holes)
	for i, g := range d.group {
		h[g-1].leave = append(h[g-1].leave, d.blocks[i]...)
	}
	for i, g := range d.fill {
		h[g-1].come = append(h[g-1].come, d.come[i])
	}
	d.s.add(decision{from: d.from, holes: h, weight: weight})
}
