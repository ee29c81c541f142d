// Package checked is arithmetic on unsigned 64-bit sizes that reports every
// result that is not exact: a value that leaves uint64, a negative difference,
// a division by zero. It is a leaf that the planner, the generated code and the
// host back end share; no size is ever computed without it.
package checked

import (
	"errors"
	"math/bits"
)

// The ways in which an operation can fail.
var (
	ErrOverflow = errors.New("value leaves uint64")
	ErrNegative = errors.New("result is negative")
	ErrDivZero  = errors.New("division by zero")
)

// Cause returns which of these an error wraps, without what was wrapped around it, and
// any other error as it is.
func Cause(err error) error {
	for _, c := range []error{ErrOverflow, ErrNegative, ErrDivZero} {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// Add returns a + b.
func Add(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Sub returns a - b.
func Sub(a, b uint64) (uint64, error) {
	if b > a {
		return 0, ErrNegative
	}
	return a - b, nil
}

// Mul returns a * b.
func Mul(a, b uint64) (uint64, error) {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return 0, ErrOverflow
	}
	return lo, nil
}

// Div returns a / b, rounded towards zero.
func Div(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, ErrDivZero
	}
	return a / b, nil
}

// Mod returns a % b.
func Mod(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, ErrDivZero
	}
	return a % b, nil
}

// CeilDiv returns a / b, rounded up.
func CeilDiv(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, ErrDivZero
	}
	q := a / b
	if a%b != 0 {
		q++ // no overflow: a rest means b > 1, so q < 2^63
	}
	return q, nil
}

// AlignUp returns the smallest multiple of b that is at least a. Any b > 0 is
// allowed, not only powers of two.
func AlignUp(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, ErrDivZero
	}
	rest := a % b
	if rest == 0 {
		return a, nil
	}
	return Add(a, b-rest)
}
