package skyline

import "math/bits"

const logBits = 16

// log2 is the binary logarithm of x > 0 in units of 2^-logBits, rounded down. It
// is made of integers, as math.Log2 differs between machines.
func log2(x uint64) int32 {
	whole := bits.Len64(x) - 1
	m := x << (63 - whole) // mantissa in [1, 2), in units of 2^-63
	r := int32(whole)
	for range logBits {
		h, l := bits.Mul64(m, m)
		r <<= 1
		if h>>63 != 0 {
			r, m = r|1, h
		} else {
			m = h<<1 | l>>63
		}
	}
	return r
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
