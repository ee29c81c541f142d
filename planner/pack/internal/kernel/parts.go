package kernel

import "slices"

const (
	// maxSize units are looked up in bits, for parts of any number of tiles.
	maxSize = 1 << 14
	// maxSums tiles have the sizes of all their parts listed.
	maxSums = 12
)

// sizes are the sizes that parts of some tiles have.
type sizes struct {
	words int
	bits  []uint64 // for each suffix of the tiles, from all to none; nil: too large
	list  []uint64 // of all tiles, sorted; nil: not known
}

func newSizes(tiles []uint64) sizes {
	var total uint64
	for _, t := range tiles {
		total += t
	}
	if total > maxSize {
		return sizes{list: sums(tiles)}
	}
	z := sizes{words: int(total/64) + 1}
	z.bits = make([]uint64, (len(tiles)+1)*z.words)
	last := z.bits[len(tiles)*z.words:]
	last[0] = 1
	for i, t := range slices.Backward(tiles) {
		with := z.bits[i*z.words : (i+1)*z.words]
		copy(with, last)
		for w := int(t / 64); w < z.words; w++ {
			with[w] |= last[w-int(t/64)] << (t % 64)
			if t%64 > 0 && w > int(t/64) {
				with[w] |= last[w-int(t/64)-1] >> (64 - t%64)
			}
		}
		last = with
	}
	return z
}

// sums returns the sizes of all parts, sorted; nil if they are too many.
func sums(tiles []uint64) []uint64 {
	if len(tiles) > maxSums {
		return nil
	}
	sums := make([]uint64, 1, 1<<len(tiles))
	for _, t := range tiles {
		for _, s := range sums[:len(sums):len(sums)] {
			sums = append(sums, s+t)
		}
	}
	slices.Sort(sums)
	return sums
}

// may says whether a part of the tiles from one on may have a size: no is sure.
func (z *sizes) may(from int, size uint64) bool {
	switch {
	case z.bits != nil:
		return size/64 < uint64(z.words) && z.bits[from*z.words+int(size/64)]>>(size%64)&1 == 1
	case z.list != nil:
		_, ok := slices.BinarySearch(z.list, size)
		return ok
	}
	return true
}
