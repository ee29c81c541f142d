package kernel

import (
	"context"

	"github.com/seqplan/seqplan/planner/pack/internal/rect"
)

// Work is how many tiles Reduce looks at.
func Work(p *rect.Problem, capacity uint64, level Level) int {
	r := newReducer(p, capacity)
	r.run(context.Background(), level)
	return r.work
}

// Sweep goes once over a perfect problem as it is, leaving out a lot. It says
// whether it found a packing, and whether it left out nothing.
func Sweep(p *rect.Problem, back bool, width, surplus, steps, blocks int) (found, complete bool) {
	s := newSweep(p)
	s.back = back
	s.limits = limits{surplus, steps, blocks}
	end := s.run(context.Background(), width, 1<<40)
	return end != nil, !s.cut
}

// Hole is the tiles that leave a hole at a boundary, and those that fill it.
type Hole struct{ Leave, Come []int32 }

// Decisions lists the ways over the first boundary of a perfect problem.
func Decisions(p *rect.Problem) [][]Hole {
	s := newSweep(p)
	s.limits.surplus, s.until = 1<<20, 1<<40
	s.cross(context.Background(), []*state{s.first()}, 1, 1)
	var all [][]Hole
	for _, d := range s.ways.heap {
		var holes []Hole
		for _, h := range d.holes {
			holes = append(holes, Hole{h.leave, h.come})
		}
		all = append(all, holes)
	}
	return all
}

// Heaviest keeps some of the decisions of these weights.
func Heaviest(limit int, weights ...int64) (kept []int64, complete bool) {
	w := ways{limit: limit}
	complete = true
	for _, x := range weights {
		complete = w.add(decision{weight: x}) && complete
	}
	for _, d := range w.sorted() {
		kept = append(kept, d.weight)
	}
	return kept, complete
}

// Misplace moves a part of the last merged tile by one unit.
func (k *Kernel) Misplace() { k.parts[len(k.parts)-1].at++ }

// Tree is a set of orders of leaves.
type Tree struct{ node *node }

// NewTree returns any order of tiles.
func NewTree(tiles ...int32) Tree { return Tree{looseLeaves(tiles)} }

// Replace puts others, in any order, in the place of adjacent leaves, if some
// order has them adjacent. Lost is how many orders those have, as a logarithm.
func (t Tree) Replace(leave, come []int32) (after Tree, lost int64, ok bool) {
	m := make(marks, 64)
	for _, l := range leave {
		m[l] = true
	}
	r := replacer{m: m, count: int32(len(leave)), with: looseLeaves(come)}
	n := r.replace(t.node)
	return Tree{n}, r.lost, n != nil
}

// Blocks returns the sets of marked leaves that are adjacent in all orders.
func (t Tree) Blocks(marked []int32) [][]int32 {
	m := make(marks, 64)
	for _, l := range marked {
		m[l] = true
	}
	return t.node.blocks(m, nil)
}

// Weight is the logarithm of the number of orders.
func (t Tree) Weight() int64 { return t.node.weight }

// Hash is equal for equal sets of orders.
func (t Tree) Hash() uint64 { return t.node.hash }

// Has says whether an order is in the set.
func (t Tree) Has(order []int32) bool {
	rank := make([]int32, 64)
	for i, l := range order {
		rank[l] = int32(i)
	}
	got := t.node.arrange(rank).tiles
	for i, l := range got {
		if l != order[i] {
			return false
		}
	}
	return len(got) == len(order)
}
