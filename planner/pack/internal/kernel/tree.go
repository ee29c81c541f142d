package kernel

import "github.com/seqplan/seqplan/internal/splitmix"

// node is a PQ tree: a set of orders of its leaves. The kids of a loose node come
// in any order, those of a strict one in theirs or the reverse. Nodes are shared
// and never changed.
type node struct {
	kids   []*node // none: a leaf
	strict bool    // at least three kids
	tile   int32   // of a leaf
	leaves int32
	weight int64  // logarithm of the number of orders
	hash   uint64 // equal for equal sets of orders
}

func leaf(tile int32) *node {
	return &node{tile: tile, leaves: 1, hash: splitmix.Mix(uint64(tile))}
}

// looseLeaves are tiles in any order.
func looseLeaves(tiles []int32) *node {
	kids := make([]*node, len(tiles))
	for i, t := range tiles {
		kids[i] = leaf(t)
	}
	return loose(kids)
}

// loose are the kids in any order, at least one.
func loose(kids []*node) *node {
	if len(kids) == 1 {
		return kids[0]
	}
	n := &node{kids: kids, weight: logFactorial(len(kids))}
	var sum uint64
	for _, k := range kids {
		n.leaves += k.leaves
		n.weight += k.weight
		sum += splitmix.Mix(k.hash)
	}
	n.hash = splitmix.Hash(1, sum)
	return n
}

// strictly are the kids in this order or the reverse.
func strictly(kids []*node) *node {
	if len(kids) < 3 {
		return loose(kids)
	}
	n := &node{kids: kids, strict: true, weight: logFactorial(2)}
	var up, down uint64
	for i, k := range kids {
		n.leaves += k.leaves
		n.weight += k.weight
		up = splitmix.Hash(up, k.hash)
		down = splitmix.Hash(down, kids[len(kids)-1-i].hash)
	}
	n.hash = splitmix.Hash(2, min(up, down), max(up, down))
	return n
}

// like returns a node of the same kind with other kids.
func (n *node) like(kids []*node) *node {
	if n.strict {
		return strictly(kids)
	}
	return loose(kids)
}

// frontier appends the leaves in one of the orders.
func (n *node) frontier(to []int32) []int32 {
	if len(n.kids) == 0 {
		return append(to, n.tile)
	}
	for _, k := range n.kids {
		to = k.frontier(to)
	}
	return to
}

// marks says of each tile whether it is marked.
type marks []bool

// marked is the number of marked leaves.
func (n *node) marked(m marks) int32 {
	if len(n.kids) == 0 {
		if m[n.tile] {
			return 1
		}
		return 0
	}
	var c int32
	for _, k := range n.kids {
		c += k.marked(m)
	}
	return c
}

// blocks appends the largest sets of marked leaves that are adjacent in all
// orders.
func (n *node) blocks(m marks, to [][]int32) [][]int32 {
	switch n.marked(m) {
	case 0:
		return to
	case n.leaves:
		return append(to, n.frontier(nil))
	}
	run := false
	for _, k := range n.kids {
		full := k.marked(m) == k.leaves
		if full && run && n.strict {
			to[len(to)-1] = k.frontier(to[len(to)-1])
		} else {
			to = k.blocks(m, to)
		}
		run = full
	}
	return to
}
