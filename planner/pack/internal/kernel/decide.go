package kernel

import (
	"cmp"
	"slices"
)

const (
	// maxBlocks may be grouped to holes; more are one hole.
	maxBlocks = 64
	// maxSteps holes are considered from one state at one boundary, and the best
	// maxDecisions ways kept.
	maxSteps     = 65536
	maxDecisions = 1024
)

// hole is a place where tiles leave that are adjacent, and others come.
type hole struct {
	leave, come []int32
}

// decision is a way over a boundary.
type decision struct {
	from   *state
	holes  []hole
	weight int64 // of the state behind, about
}

// decider lists the decisions of a state. The tiles that leave are in blocks,
// which are adjacent in any case. It groups the blocks to holes and the coming
// tiles with them, so that the sizes are equal.
type decider struct {
	s      *sweep
	from   *state
	blocks [][]int32
	sizes  []uint64
	come   []int32
	group  []int            // hole of each block; 0: none yet
	fill   []int            // of each coming tile
	costs  map[uint64]int64 // what making these blocks one hole does to the weight
	steps  int
	out    []decision
}

const never = -1 << 62

// decide appends the decisions of a state.
func (s *sweep) decide(from *state, come []int32, to []decision) []decision {
	blocks := from.tree.blocks(s.leaving, nil)
	if len(blocks) > maxBlocks {
		s.cut = true
		blocks = [][]int32{slices.Concat(blocks...)}
	}
	switch len(blocks) {
	case 0:
		return append(to, decision{from: from, weight: from.weight})
	case 1:
		// Whichever finer holes there were, the orders behind are among these.
		return append(to, decision{from, []hole{{blocks[0], come}}, from.weight + logFactorial(len(come))})
	}
	d := decider{
		s: s, from: from, blocks: blocks, come: come,
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
		d.holes(1, rest{0, n, len(blocks) - n}, from.weight)
	}
	if len(d.out) > maxDecisions {
		s.cut = true
		slices.SortStableFunc(d.out, heavierDecision)
		d.out = d.out[:maxDecisions]
	}
	return append(to, d.out...)
}

func heavierDecision(x, y decision) int { return cmp.Compare(y.weight, x.weight) }

// spent counts a step.
func (d *decider) spent() bool {
	d.s.nodes++
	d.steps++
	return d.over()
}

func (d *decider) over() bool {
	if d.steps < maxSteps {
		return false
	}
	d.s.cut = true
	return true
}

// holes makes holes g and up of so many blocks, and one more of all others, which
// is the largest. The lowest blocks of the holes ascend.
func (d *decider) holes(g int, then rest, weight int64) {
	if then.blocks == 0 {
		d.last(g, weight)
		return
	}
	for n := 1; n <= min(then.blocks, then.largest); n++ {
		for i := then.from; i < len(d.blocks) && !d.over(); i++ {
			if d.group[i] == 0 {
				d.group[i] = g
				d.choose(g, i+1, n-1, 1<<i, d.sizes[i], rest{i + 1, then.blocks - n, then.largest}, weight)
				d.group[i] = 0
			}
		}
	}
}

// rest is what is to be grouped to holes yet.
type rest struct {
	from    int // lowest block of the next hole, at least
	blocks  int // in holes but the last one
	largest int // blocks of the last hole
}

// choose adds so many more free blocks, from one on, to hole g.
func (d *decider) choose(g, from, more int, set, size uint64, then rest, weight int64) {
	if more > 0 {
		for i := from; i+more <= len(d.blocks) && !d.over(); i++ {
			if d.group[i] == 0 {
				d.group[i] = g
				d.choose(g, i+1, more-1, set|1<<i, size+d.sizes[i], then, weight)
				d.group[i] = 0
			}
		}
		return
	}
	if d.spent() {
		return
	}
	if cost := d.cost(g, set); cost != never {
		d.take(g, 0, 0, size, then, weight+cost)
	}
}

// last makes hole g of all free blocks.
func (d *decider) last(g int, weight int64) {
	var set uint64
	first := slices.Index(d.group, 0)
	size := make([]int, g)
	for i, h := range d.group {
		if h == 0 {
			d.group[i] = g
			set |= 1 << i
			defer func() { d.group[i] = 0 }()
		}
	}
	_ = first
	_ = size
	if d.spent() {
		return
	}
	cost := d.cost(g, set)
	if cost == never {
		return
	}
	coming := 0
	for i, h := range d.fill {
		if h == 0 {
			d.fill[i] = g
			coming++
			defer func() { d.fill[i] = 0 }()
		}
	}
	d.emit(g, weight+cost+logFactorial(coming))
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

// take fills hole g with coming tiles, from one on, of a size left.
func (d *decider) take(g, from, taken int, left uint64, then rest, weight int64) {
	if left == 0 {
		d.holes(g+1, then, weight+logFactorial(taken))
		return
	}
	if d.spent() {
		return
	}
	for i := from; i < len(d.come); i++ {
		t := d.s.tiles[d.come[i]]
		if d.fill[i] != 0 || t.size > left {
			continue
		}
		d.fill[i] = g
		d.take(g, i+1, taken+1, left-t.size, then, weight)
		d.fill[i] = 0
		// It does not matter which one of equal tiles it is.
		for i+1 < len(d.come) && d.s.tiles[d.come[i+1]] == t {
			i++
		}
	}
}

func (d *decider) emit(holes int, weight int64) {
	h := make([]hole, holes)
	for i, g := range d.group {
		h[g-1].leave = append(h[g-1].leave, d.blocks[i]...)
	}
	for i, g := range d.fill {
		h[g-1].come = append(h[g-1].come, d.come[i])
	}
	d.out = append(d.out, decision{from: d.from, holes: h, weight: weight})
}
