package rect

// The functions here do not check: whoever makes a problem has checked its sums.

// AlignUp rounds up to a multiple of a power of two.
func AlignUp(v, align uint64) uint64 { return (v + align - 1) &^ (align - 1) }

// GCD returns the greatest common divisor; that of 0 and a number is the number.
func GCD(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Grid returns what all offsets of a left-justified packing are multiples of: they
// are sums of heights, of which step is a divisor, rounded up to alignments, of
// which the largest is given. One that divides all heights costs nothing, another
// one leaves a power of two.
func Grid(step, largest uint64) uint64 {
	if step%largest == 0 {
		return step
	}
	return GCD(step, largest)
}
