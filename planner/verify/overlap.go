package verify

import (
	"cmp"
	"slices"
)

// block is an interval of bytes that is in use during an interval of steps.
type block struct {
	name        string
	area        bool // of the runtime, not a buffer
	offset, top uint64
	life        life
}

// collision is two blocks that share bytes at a step.
type collision struct {
	a, b *block
	step int
}

// collisions finds, for every block that shares bytes with one of lower offset
// at some step, one such other block. Blocks are taken by offset; a tree over the
// steps keeps the highest block so far at each step, which is the one to collide
// with first. O(n log n).
func collisions(blocks []block, steps int) []collision {
	order := make([]*block, 0, len(blocks))
	for i := range blocks {
		if blocks[i].top > blocks[i].offset {
			order = append(order, &blocks[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *block) int { return cmp.Compare(a.offset, b.offset) })
	tops := newTops(steps)
	var out []collision
	for _, b := range order {
		if a := tops.highest(b.life); a != nil && a.top > b.offset {
			out = append(out, collision{a, b, max(a.life.first, b.life.first)})
		}
		tops.add(b)
	}
	return out
}

// tops is a segment tree over the steps: at a node, cover is the highest block
// that lives throughout the range of the node, and any is the highest one that
// lives at some step of it.
type tops struct {
	size       int
	cover, any []*block
}

func newTops(steps int) *tops {
	size := 1
	for size < steps {
		size *= 2
	}
	return &tops{size, make([]*block, 2*size), make([]*block, 2*size)}
}

func higher(a, b *block) *block {
	if a == nil || b != nil && b.top > a.top {
		return b
	}
	return a
}

// add enters a block.
func (t *tops) add(b *block) { t.visit(1, life{0, t.size}, b.life, b) }

// highest returns the highest block that shares a step with l, or nil.
func (t *tops) highest(l life) *block { return t.visit(1, life{0, t.size}, l, nil) }

// visit walks the nodes that make up l. It enters b there if b is not nil, and
// returns the highest block met.
func (t *tops) visit(node int, at, l life, b *block) *block {
	if !at.overlaps(l) {
		return nil
	}
	if b != nil {
		t.any[node] = higher(t.any[node], b)
	}
	if l.first <= at.first && at.end <= l.end {
		if b != nil {
			t.cover[node] = higher(t.cover[node], b)
		}
		return t.any[node]
	}
	mid := (at.first + at.end) / 2
	left := t.visit(2*node, life{at.first, mid}, l, b)
	right := t.visit(2*node+1, life{mid, at.end}, l, b)
	return higher(t.cover[node], higher(left, right))
}
