package checked

// Calc evaluates a chain of checked operations and keeps the first error.
// After an error every operation returns 0. The zero value is ready to use.
// Generated code uses it, so that a printed formula still reads as one.
type Calc struct{ err error }

// Err returns the first error of the chain, or nil.
func (c *Calc) Err() error { return c.err }

// Fail records err unless an earlier error is kept already.
func (c *Calc) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *Calc) keep(v uint64, err error) uint64 {
	if c.err != nil {
		return 0
	}
	c.err = err
	return v
}

// Add returns a + b.
func (c *Calc) Add(a, b uint64) uint64 { return c.keep(Add(a, b)) }

// Sub returns a - b.
func (c *Calc) Sub(a, b uint64) uint64 { return c.keep(Sub(a, b)) }

// Mul returns a * b.
func (c *Calc) Mul(a, b uint64) uint64 { return c.keep(Mul(a, b)) }

// Div returns a / b, rounded towards zero.
func (c *Calc) Div(a, b uint64) uint64 { return c.keep(Div(a, b)) }

// Mod returns a % b.
func (c *Calc) Mod(a, b uint64) uint64 { return c.keep(Mod(a, b)) }

// Min returns the smaller of a and b.
func (c *Calc) Min(a, b uint64) uint64 { return c.keep(min(a, b), nil) }

// Max returns the larger of a and b.
func (c *Calc) Max(a, b uint64) uint64 { return c.keep(max(a, b), nil) }

// CeilDiv returns a / b, rounded up.
func (c *Calc) CeilDiv(a, b uint64) uint64 { return c.keep(CeilDiv(a, b)) }

// AlignUp returns the smallest multiple of b that is at least a.
func (c *Calc) AlignUp(a, b uint64) uint64 { return c.keep(AlignUp(a, b)) }
