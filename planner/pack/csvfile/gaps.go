package csvfile

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// gaps returns the gaps of the row that have the right form, and in reader.gapAt
// where they start.
func (c *cells) gaps() []Gap {
	c.gapAt = c.gapAt[:0]
	if c.at[colGaps] == 0 {
		return nil
	}
	var gaps []Gap
	field := c.row[c.at[colGaps]-1]
	for at := 0; at < len(field) && len(c.found) < maxFaults; at++ {
		length := strings.IndexAny(field[at:], " \t")
		if length < 0 {
			length = len(field) - at
		}
		if length == 0 {
			continue
		}
		if g, ok := c.gap(field[at:at+length], at); ok {
			gaps = append(gaps, g)
			c.gapAt = append(c.gapAt, at)
		}
		at += length
	}
	return gaps
}

const hintGap = "a gap is lo-hi or lo-hi@wlo:whi, gaps are separated by spaces"

// gap reads one gap, which starts at a byte of its field.
func (c *cells) gap(text string, at int) (Gap, bool) {
	interval, window, windowed := strings.Cut(text, "@")
	var g Gap
	var err error
	if g.Lower, g.Upper, err = pair(interval, "-"); err == nil && windowed {
		g.Window = new(Window)
		g.Window.Lo, g.Window.Hi, err = pair(window, ":")
	}
	place := func() (int, int) { return c.at[colGaps] - 1, at }
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		c.add(c.within(place()), CodeGap, hintGap, "malformed gap %s", show(text))
	case err != nil:
		c.add(c.within(place()), CodeNumberSize, "", "a number of the gap %s is above %d", show(text), uint64(math.MaxUint64))
	case c.inclusive && g.Upper == math.MaxUint64:
		c.add(c.within(place()), CodeOverflow, "with a column end, a gap names its last step",
			"the step after the gap %s leaves uint64", show(text))
	default:
		if c.inclusive {
			g.Upper++
		}
		return g, true
	}
	return Gap{}, false
}

// pair reads two numbers with a separator between them.
func pair(text, separator string) (low, high uint64, err error) {
	first, second, _ := strings.Cut(text, separator)
	low, err = strconv.ParseUint(first, 10, 64)
	high, err2 := strconv.ParseUint(second, 10, 64)
	return low, high, errors.Join(err, err2)
}
