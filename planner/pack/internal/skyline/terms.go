package skyline

import "math/bits"

// The terms that a priority is made of, as logarithms.
const (
	width   = iota // sections in the lifetime
	size           // units
	largest        // section total over the lifetime
	sum            // of the section totals over the lifetime
	numTerms
)

func newLogs(first, end []int32, sizes, totals []uint64) (logs [numTerms][]int32) {
	for t := range logs {
		logs[t] = make([]int32, len(first))
	}
	over := newRangeMax(totals)
	hi, lo := make([]uint64, len(totals)+1), make([]uint64, len(totals)+1) // sums of the totals before
	for i, t := range totals {
		var carry uint64
		lo[i+1], carry = bits.Add64(lo[i], t, 0)
		hi[i+1] = hi[i] + carry
	}
	for i := range first {
		f, e := first[i], end[i]
		logs[width][i] = log2(uint64(e - f))
		logs[size][i] = log2(sizes[i])
		logs[largest][i] = log2(over.over(int(f), int(e)))
		low, borrow := bits.Sub64(lo[e], lo[f], 0)
		high, _ := bits.Sub64(hi[e], hi[f], borrow)
		shift := bits.Len64(high)
		if shift > 0 {
			low = high<<(64-shift) | low>>shift
		}
		logs[sum][i] = log2(low) + int32(shift)<<logBits
	}
	return logs
}
