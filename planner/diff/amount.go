package diff

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
)

// Amount is a number that is not negative, mostly of bytes, or not known, which is its
// zero value. It has 128 bits, so the sum of the sizes of all buffers always fits. In JSON
// it is an integer, or null.
type Amount struct {
	hi, lo uint64
	known  bool
}

// NewAmount returns a known amount.
func NewAmount[N ~uint64](n N) Amount { return Amount{lo: uint64(n), known: true} }

// Known tells whether the amount is known.
func (a Amount) Known() bool { return a.known }

// Uint64 returns the amount, and false if it is not known or needs more than 64 bits.
func (a Amount) Uint64() (uint64, bool) { return a.lo, a.known && a.hi == 0 }

// plus adds up known amounts.
func (a Amount) plus(b Amount) Amount {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return Amount{hi, lo, a.known && b.known}
}

func (a Amount) big() *big.Int { return join(a.hi, a.lo) }

func join(hi, lo uint64) *big.Int {
	n := new(big.Int).SetUint64(hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(lo))
}

// String returns the decimal number.
func (a Amount) String() string {
	if !a.known {
		return "unknown"
	}
	return a.big().String()
}

// MarshalJSON writes an integer, or null.
func (a Amount) MarshalJSON() ([]byte, error) {
	if !a.known {
		return []byte("null"), nil
	}
	return a.big().Append(nil, 10), nil
}

// UnmarshalJSON reads an integer of at most 128 bits, or null.
func (a *Amount) UnmarshalJSON(text []byte) error {
	n, err := readInteger(text)
	if err != nil || n == nil {
		*a = Amount{}
		return err
	}
	if n.Sign() < 0 {
		return fmt.Errorf("%s is not an amount: it is negative", n)
	}
	a.hi, a.lo, a.known = halves(n)
	return nil
}

// Change is the difference of two amounts, new - old; its zero value is not known, as
// where one of the two is not. In JSON it is an integer with its sign, or null.
type Change struct {
	down   bool
	hi, lo uint64 // of the size of the change
	known  bool
}

// change returns to - from.
func change(from, to Amount) Change {
	if !from.known || !to.known {
		return Change{}
	}
	down := to.hi < from.hi || to.hi == from.hi && to.lo < from.lo
	if down {
		from, to = to, from
	}
	lo, borrow := bits.Sub64(to.lo, from.lo, 0)
	hi, _ := bits.Sub64(to.hi, from.hi, borrow)
	return Change{down, hi, lo, true}
}

// Known tells whether both amounts are known.
func (c Change) Known() bool { return c.known }

// Sign returns -1, 0 or 1; 0 too if the change is not known.
func (c Change) Sign() int {
	switch {
	case c.hi == 0 && c.lo == 0:
		return 0
	case c.down:
		return -1
	}
	return 1
}

// Size is the change without its sign.
func (c Change) Size() Amount { return Amount{c.hi, c.lo, c.known} }

func (c Change) big() *big.Int {
	n := join(c.hi, c.lo)
	if c.down {
		n.Neg(n)
	}
	return n
}

// String returns the decimal number with its sign; 0 has none.
func (c Change) String() string {
	switch {
	case !c.known:
		return "unknown"
	case c.Sign() > 0:
		return "+" + c.big().String()
	}
	return c.big().String()
}

// MarshalJSON writes an integer, or null.
func (c Change) MarshalJSON() ([]byte, error) {
	if !c.known {
		return []byte("null"), nil
	}
	return c.big().Append(nil, 10), nil
}

// UnmarshalJSON reads an integer of at most 128 bits and a sign, or null.
func (c *Change) UnmarshalJSON(text []byte) error {
	n, err := readInteger(text)
	if err != nil || n == nil {
		*c = Change{}
		return err
	}
	c.down = n.Sign() < 0
	c.hi, c.lo, c.known = halves(n)
	return nil
}

var errInteger = errors.New("want an integer of at most 128 bits")

// readInteger returns nil for null.
func readInteger(text []byte) (*big.Int, error) {
	if bytes.Equal(text, []byte("null")) {
		return nil, nil
	}
	if len(text) > 40 { // 2^128 has 39 digits
		return nil, errInteger
	}
	n, ok := new(big.Int).SetString(string(text), 10)
	if !ok || n.BitLen() > 128 {
		return nil, fmt.Errorf("%w, got %s", errInteger, strconv.Quote(string(text)))
	}
	return n, nil
}

func halves(n *big.Int) (hi, lo uint64, known bool) {
	abs := new(big.Int).Abs(n)
	return new(big.Int).Rsh(abs, 64).Uint64(), new(big.Int).And(abs, new(big.Int).SetUint64(1<<64-1)).Uint64(), true
}

// Figure is a number in the old plan and in the new one.
type Figure struct {
	Old    Amount `json:"old"`
	New    Amount `json:"new"`
	Change Change `json:"change"`
}

func figure(from, to Amount) Figure { return Figure{from, to, change(from, to)} }

func numbers[N ~uint64](from, to N) Figure { return figure(NewAmount(from), NewAmount(to)) }

// Changed tells whether the two differ, in being known too.
func (f Figure) Changed() bool { return f.Old != f.New }

// Pair is a value in the old plan and in the new one.
type Pair[T comparable] struct {
	Old T `json:"old"`
	New T `json:"new"`
}

// Changed tells whether the two differ.
func (p Pair[T]) Changed() bool { return p.Old != p.New }
