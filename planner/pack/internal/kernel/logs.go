package kernel

import "math/bits"

// log2 is the logarithm of n to the base 2, in units of 2^-16, rounded down. It
// is the same on every machine.
func log2(n uint64) int64 {
	if n <= 1 {
		return 0
	}
	whole := bits.Len64(n) - 1
	x := n << (63 - whole) // [1, 2) with 63 bits behind the point
	out := int64(whole)
	for range 16 {
		out <<= 1
		hi, _ := bits.Mul64(x, x) // [1, 4) with 62 bits behind the point
		if hi>>63 == 1 {
			out++
			x = hi
		} else {
			x = hi << 1
		}
	}
	return out
}

var factorials = func() (f [1024]int64) {
	for i := 2; i < len(f); i++ {
		f[i] = f[i-1] + log2(uint64(i))
	}
	return f
}()

// logFactorial is the logarithm of n! in the units of log2, about.
func logFactorial(n int) int64 {
	if n < len(factorials) {
		return factorials[n]
	}
	return int64(n)*(log2(uint64(n))-94548) + log2(uint64(n)*6)/2 // Stirling; 94548 is log2(e)
}
