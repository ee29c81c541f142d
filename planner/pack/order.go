package pack

import (
	"cmp"
	"math/bits"
	"slices"
)

// Order is the order in which a greedy packer places the buffers. Ties are
// broken by the next key where one is named, and then by index.
type Order uint8

// The orders. The letters are those of the literature on exact search: W width
// (length of the lifetime), A area (bytes times width), Z size, T the largest
// section total over the lifetime.
const (
	BySize   Order = iota // Z, then W: largest first
	ByArea                // A
	ByLength              // W, A, T: longest lifetime first
	ByTotal               // T, A, W: who lives at the peak first
	ByStart               // first step, then Z: the order of an online allocator
	numOrders
)

func (o Order) String() string {
	names := [numOrders]string{"size", "area", "length", "total", "start"}
	if o < numOrders {
		return names[o]
	}
	return "unknown"
}

// keys are what the orders compare. An area may leave uint64.
type keys struct {
	size, total    uint64
	areaHi, areaLo uint64
	length         int
	first          uint64
}

func (k keys) compareArea(l keys) int {
	return cmp.Or(cmp.Compare(l.areaHi, k.areaHi), cmp.Compare(l.areaLo, k.areaLo))
}

// compare is negative if k comes before l.
func (o Order) compare(k, l keys) int {
	size, length := cmp.Compare(l.size, k.size), cmp.Compare(l.length, k.length)
	total := cmp.Compare(l.total, k.total)
	switch o {
	case ByArea:
		return k.compareArea(l)
	case ByLength:
		return cmp.Or(length, k.compareArea(l), total)
	case ByTotal:
		return cmp.Or(total, k.compareArea(l), length)
	case ByStart:
		return cmp.Or(cmp.Compare(k.first, l.first), size)
	}
	return cmp.Or(size, length)
}

// sorted returns the indexes of the buffers in the order o. The length of a
// lifetime counts sections, so that idle steps weigh nothing.
func (in *instance) sorted(o Order) []int {
	ks := make([]keys, len(in.buffers))
	largest := newRangeMax(in.totals)
	order := make([]int, len(in.buffers))
	for i, b := range in.buffers {
		s := in.spans[i]
		k := keys{size: b.Size, length: int(s.end - s.first), first: b.First}
		k.total = largest.over(int(s.first), int(s.end))
		k.areaHi, k.areaLo = bits.Mul64(b.Size, uint64(k.length))
		ks[i], order[i] = k, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return o.compare(ks[i], ks[j]) })
	return order
}

// rangeMax answers the maximum over a range in constant time: row r holds the
// maxima of all ranges of length 2^r.
type rangeMax [][]uint64

func newRangeMax(values []uint64) rangeMax {
	rows := rangeMax{values}
	for width := 2; width <= len(values); width *= 2 {
		below := rows[len(rows)-1]
		row := make([]uint64, len(values)-width+1)
		for i := range row {
			row[i] = max(below[i], below[i+width/2])
		}
		rows = append(rows, row)
	}
	return rows
}

// over returns the maximum of the values with index in [first, end), which is
// not empty.
func (m rangeMax) over(first, end int) uint64 {
	r := bits.Len(uint(end-first)) - 1
	return max(m[r][first], m[r][end-1<<r])
}
