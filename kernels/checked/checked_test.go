package checked_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/kernels/checked"
)

// operations are the functions of the package with the exact formula of each.
var operations = []struct {
	name  string
	run   func(a, b uint64) (uint64, error)
	chain func(c *checked.Calc, a, b uint64) uint64
	exact func(a, b *big.Int) *big.Int // nil: division by zero
}{
	{"Add", checked.Add, (*checked.Calc).Add, func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }},
	{"Sub", checked.Sub, (*checked.Calc).Sub, func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }},
	{"Mul", checked.Mul, (*checked.Calc).Mul, func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }},
	{"Div", checked.Div, (*checked.Calc).Div, func(a, b *big.Int) *big.Int { return quotient(a, b) }},
	{"Mod", checked.Mod, (*checked.Calc).Mod, func(a, b *big.Int) *big.Int {
		if q := quotient(a, b); q != nil {
			return q.Sub(a, q.Mul(q, b))
		}
		return nil
	}},
	{"CeilDiv", checked.CeilDiv, (*checked.Calc).CeilDiv, ceilDiv},
	{"AlignUp", checked.AlignUp, (*checked.Calc).AlignUp, func(a, b *big.Int) *big.Int {
		if q := ceilDiv(a, b); q != nil {
			return q.Mul(q, b)
		}
		return nil
	}},
}

func quotient(a, b *big.Int) *big.Int {
	if b.Sign() == 0 {
		return nil
	}
	return new(big.Int).Quo(a, b)
}

func ceilDiv(a, b *big.Int) *big.Int {
	return quotient(new(big.Int).Sub(new(big.Int).Add(a, b), big.NewInt(1)), b)
}

// want is the result that an exact value stands for.
func want(exact *big.Int) (uint64, error) {
	switch {
	case exact == nil:
		return 0, checked.ErrDivZero
	case exact.Sign() < 0:
		return 0, checked.ErrNegative
	case !exact.IsUint64():
		return 0, checked.ErrOverflow
	}
	return exact.Uint64(), nil
}

// value draws numbers near the places where something happens.
func value() *rapid.Generator[uint64] {
	return rapid.OneOf(
		rapid.Uint64Range(0, 9),
		rapid.Map(rapid.Uint64Range(0, 9), func(d uint64) uint64 { return ^d }),
		rapid.Custom(func(t *rapid.T) uint64 {
			return uint64(1)<<rapid.IntRange(0, 63).Draw(t, "bit") + rapid.Uint64Range(0, 2).Draw(t, "above") - 1
		}),
		rapid.Uint64(),
	)
}

func TestExact(t *testing.T) {
	for _, o := range operations {
		t.Run(o.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := value().Draw(t, "a"), value().Draw(t, "b")
				v, err := want(o.exact(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)))
				got, gotErr := o.run(a, b)
				if got != v || gotErr != err {
					t.Fatalf("%s(%d, %d) = %d, %v, want %d, %v", o.name, a, b, got, gotErr, v, err)
				}
				var c checked.Calc
				if got := o.chain(&c, a, b); got != v || c.Err() != err {
					t.Fatalf("Calc.%s(%d, %d) = %d, %v, want %d, %v", o.name, a, b, got, c.Err(), v, err)
				}
			})
		})
	}
}

func TestBorders(t *testing.T) {
	const top = ^uint64(0)
	for _, o := range operations {
		for _, a := range []uint64{0, 1, 2, 3, 1 << 32, 1<<63 - 1, 1 << 63, top - 1, top} {
			for _, b := range []uint64{0, 1, 2, 3, 1 << 32, 1<<63 - 1, 1 << 63, top - 1, top} {
				v, err := want(o.exact(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)))
				got, gotErr := o.run(a, b)
				require.Equal(t, err, gotErr, "%s(%d, %d)", o.name, a, b)
				require.Equal(t, v, got, "%s(%d, %d)", o.name, a, b)
			}
		}
	}
}

// TestCalcKeepsFirstError: a chain does not recover, and names what came first.
func TestCalcKeepsFirstError(t *testing.T) {
	var c checked.Calc
	require.Equal(t, uint64(7), c.Max(c.Min(7, 9), 3))
	require.NoError(t, c.Err())
	require.Zero(t, c.Sub(1, 2))
	require.Zero(t, c.Div(1, 0))
	require.Zero(t, c.Add(1, 1))
	require.Zero(t, c.Min(1, 1))
	require.Equal(t, checked.ErrNegative, c.Err())
	c.Fail(checked.ErrOverflow)
	require.Equal(t, checked.ErrNegative, c.Err())

	var d checked.Calc
	d.Fail(checked.ErrOverflow)
	require.Equal(t, checked.ErrOverflow, d.Err())
	require.Zero(t, d.Mul(2, 3))
}

func TestCause(t *testing.T) {
	_, err := checked.Sub(1, 2)
	require.Equal(t, checked.ErrNegative, checked.Cause(fmt.Errorf("in x: %w", err)))
	other := errors.New("other")
	require.Equal(t, other, checked.Cause(other))
	require.NoError(t, checked.Cause(nil))
}
