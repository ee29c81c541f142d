package diff

import (
	"fmt"
	"math/big"
)

var units = [...]string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// short prints a number of bytes in its largest binary unit alone.
func (a Amount) short() string {
	if !a.known {
		return "unknown"
	}
	value, unit := float64(a.hi)*(1<<64)+float64(a.lo), -1
	if value < 1024 {
		return fmt.Sprintf("%d B", a.lo)
	}
	// 1023.95 would print as 1024.0.
	for unit < 0 || value >= 1023.95 && unit < len(units)-1 {
		value /= 1024
		unit++
	}
	return fmt.Sprintf("%.1f %s", value, units[unit])
}

// text prints a number of bytes as report.Bytes does: exactly and, from 1 KiB on, in the
// largest binary unit as well.
func (a Amount) text() string {
	if a.known && (a.hi > 0 || a.lo >= 1024) {
		return fmt.Sprintf("%s B (%s)", a, a.short())
	}
	return a.short()
}

// short prints a change with its sign.
func (c Change) short() string { return c.sign() + c.Size().short() }

func (c Change) sign() string { return [...]string{"-", "", "+"}[c.Sign()+1] }

// text prints the change of a figure with its sign, exactly, in the largest unit and in
// percent.
func (f Figure) text() string {
	c := f.Change
	if !c.known {
		return "unknown"
	}
	if c.Sign() == 0 {
		return "0 B"
	}
	unit := ""
	if c.Size().text() != c.Size().short() {
		unit = c.short() + ", "
	}
	return fmt.Sprintf("%s B (%s%s)", c, unit, f.percent())
}

// brief prints the change of a figure without the exact number.
func (f Figure) brief() string { return fmt.Sprintf("%s (%s)", f.Change.short(), f.percent()) }

// percent prints a change other than 0 in percent of the old amount.
func (f Figure) percent() string {
	from := f.Old.big()
	if from.Sign() == 0 {
		return "new"
	}
	// Tenths of a percent, rounded half up.
	n := f.Change.Size().big()
	n.Mul(n, big.NewInt(2000)).Add(n, from)
	n.Quo(n, from.Lsh(from, 1))
	if n.Sign() == 0 {
		return f.Change.sign() + "<0.1 %"
	}
	whole, tenth := new(big.Int).QuoRem(n, big.NewInt(10), new(big.Int))
	return fmt.Sprintf("%s%d.%d %%", f.Change.sign(), whole, tenth)
}

// plain prints a figure that is no number of bytes.
func (f Figure) plain() string {
	if !f.Change.known {
		return "unknown"
	}
	return f.Change.String()
}
