package pack

// Buffer is one thing to place: bytes over time.
type Buffer struct {
	First, End uint64 // half-open lifetime in steps, First < End
	Size       uint64 // bytes, may be 0
	Align      uint64 // a power of two

	Gaps   []Gap   // parts of the lifetime in which bytes are lent: ascending, disjoint
	Offset *uint64 // the only place that it may have; nil: any
	Hint   *uint64 // a place that it is given where that costs no height; nil: none
}

// Gap is a part [First, End) of the lifetime of a buffer, not empty, in which
// only its bytes [Low, High), counted from its start, stay in use: none of them
// if Low == High. A buffer that shrinks has a gap up to its end, with Low 0.
type Gap struct {
	First, End uint64
	Low, High  uint64 // Low <= High <= Size
}

// Problem is a packing problem. Two buffers must be disjoint at each step at
// which both are alive, in the bytes that each has in use at that step, unless
// they are in one group of InPlace.
type Problem struct {
	Buffers []Buffer
	// InPlace are groups of buffers, by index, that share one offset. A buffer is
	// in one group at most.
	InPlace [][]int
	// Excluded are pairs of buffers, by index, that may not share a byte at any
	// time, whatever their lifetimes and gaps. A partial order of several streams
	// is a list of such pairs: those that nothing puts one before the other.
	Excluded [][2]int
	// Capacity is a height to fit into; nil: the height is minimised. A packing
	// that fits is not improved.
	Capacity *uint64
}
