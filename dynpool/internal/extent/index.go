package extent

import "math/bits"

// Index holds free extents and finds the smallest that is large enough. It is a trie
// over the sizes, six bits of a size to a level, so that a search looks at one or two
// nodes a level however many extents there are: eleven levels at most, four up to
// 16 GiB in quanta of 1 KiB. Extents whose sizes are the same number of quanta are in
// one list, the last one in first.
type Index[T any] struct {
	quantum uint64
	levels  int // of the tree; 0 if there is none yet
	root    *node[T]
	count   int
	whole   int         // extents that are all of their region
	spare   [2]*node[T] // nodes to use again: leaves, inner ones
}

// node is an inner node, which has kids, or a leaf, which has lists.
type node[T any] struct {
	used  uint64 // bit i: the kid or list i is not empty
	kids  *[fan]*node[T]
	lists *[fan]*Extent[T]
	next  *node[T] // among the spare ones
}

const (
	levelBits = 6
	fan       = 1 << levelBits
	maxLevels = (64 + levelBits - 1) / levelBits
)

// NewIndex returns an empty index. The best fit is exact if all sizes are multiples
// of quantum bytes; else it is exact to less than a quantum.
func NewIndex[T any](quantum uint64) *Index[T] { return &Index[T]{quantum: quantum} }

// Len returns how many extents the index holds.
func (x *Index[T]) Len() int { return x.count }

// Whole returns how many of them are all of their region.
func (x *Index[T]) Whole() int { return x.whole }

// Insert adds an extent, which must be in no index and at least a quantum large.
func (x *Index[T]) Insert(e *Extent[T]) {
	if e.listed {
		panic("extent: Insert of what an Index holds")
	}
	key := e.Size / x.quantum
	for x.levels == 0 || x.levels < maxLevels && key>>(levelBits*x.levels) != 0 {
		x.grow()
	}
	n := x.root
	for level := x.levels - 1; level > 0; level-- {
		i := digit(key, level)
		if n.used&(1<<i) == 0 {
			n.kids[i] = x.node(level - 1)
			n.used |= 1 << i
		}
		n = n.kids[i]
	}
	i := digit(key, 0)
	e.prev, e.next, e.listed = nil, n.lists[i], true
	if e.next != nil {
		e.next.prev = e
	}
	n.lists[i] = e
	n.used |= 1 << i
	x.count++
	if e.Whole() { // which it stays: nothing beside it is cut or joined while it is here
		x.whole++
	}
}

// grow puts a new root above the tree.
func (x *Index[T]) grow() {
	old := x.root
	x.root = x.node(x.levels)
	if old != nil && old.used != 0 {
		x.root.kids[0], x.root.used = old, 1
	} else if old != nil {
		x.recycle(old)
	}
	x.levels++
}

// Remove takes an extent out, which the index must hold with the size that it had.
func (x *Index[T]) Remove(e *Extent[T]) {
	if !e.listed {
		panic("extent: Remove of what no Index holds")
	}
	x.count--
	if e.Whole() {
		x.whole--
	}
	first := e.prev == nil
	if e.next != nil {
		e.next.prev = e.prev
	}
	if !first {
		e.prev.next = e.next
	}
	next := e.next
	e.prev, e.next, e.listed = nil, nil, false
	if first {
		x.replace(e.Size/x.quantum, next)
	}
}

// replace sets the head of a list, and drops the nodes that this leaves empty, but
// for the root.
func (x *Index[T]) replace(key uint64, head *Extent[T]) {
	var path [maxLevels]*node[T]
	n := x.root
	for level := x.levels - 1; level > 0; level-- {
		path[level] = n
		n = n.kids[digit(key, level)]
	}
	n.lists[digit(key, 0)] = head
	if head != nil {
		return
	}
	n.used &^= 1 << digit(key, 0)
	for level := 1; level < x.levels && n.used == 0; level++ {
		x.recycle(n)
		n = path[level]
		n.kids[digit(key, level)] = nil
		n.used &^= 1 << digit(key, level)
	}
}

// Fit returns an extent of at least size bytes than which no other is smaller, nil
// if there is none.
func (x *Index[T]) Fit(size uint64) *Extent[T] {
	key := size / x.quantum
	if size%x.quantum != 0 {
		key++
	}
	if x.levels == 0 || x.levels < maxLevels && key>>(levelBits*x.levels) != 0 {
		return nil
	}
	// Down along the digits of the key, as far as they go. Where a node has a kid
	// further on, the way back leads there.
	n, level := x.root, x.levels-1
	branch, at := n, -1
	for {
		i := digit(key, level)
		if n.used>>i>>1 != 0 {
			branch, at = n, level
		}
		if n.used&(1<<i) == 0 {
			break
		}
		if level == 0 {
			return n.lists[i]
		}
		n = n.kids[i]
		level--
	}
	if at < 0 {
		return nil
	}
	i := digit(key, at) + 1
	i += bits.TrailingZeros64(branch.used >> i)
	for n = branch; at > 0; at-- {
		n = n.kids[i]
		i = bits.TrailingZeros64(n.used)
	}
	return n.lists[i]
}

// After returns the extent that comes after one in the order of Fit: the next of as
// many quanta, else one of the next larger size. nil is the end.
func (x *Index[T]) After(e *Extent[T]) *Extent[T] {
	if e.next != nil {
		return e.next
	}
	key := e.Size / x.quantum
	if key >= ^uint64(0)/x.quantum {
		return nil
	}
	return x.Fit((key + 1) * x.quantum)
}

// Largest returns an extent than which no other has more quanta, nil if the index is
// empty.
func (x *Index[T]) Largest() *Extent[T] {
	if x.count == 0 {
		return nil
	}
	n := x.root
	for level := x.levels - 1; level > 0; level-- {
		n = n.kids[bits.Len64(n.used)-1]
	}
	return n.lists[bits.Len64(n.used)-1]
}

// digit is one of the digits of a key, in base 64.
func digit(key uint64, level int) int { return int(key >> (levelBits * level) % fan) }

func (x *Index[T]) node(level int) *node[T] {
	spare := &x.spare[min(level, 1)]
	if n := *spare; n != nil {
		*spare, n.next = n.next, nil
		return n
	}
	if level == 0 {
		return &node[T]{lists: new([fan]*Extent[T])}
	}
	return &node[T]{kids: new([fan]*node[T])}
}

func (x *Index[T]) recycle(n *node[T]) {
	spare := &x.spare[1]
	if n.lists != nil {
		spare = &x.spare[0]
	}
	n.next, *spare = *spare, n
}
