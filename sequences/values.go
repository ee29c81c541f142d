package sequences

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// number is what an integer of a file must be.
type number struct {
	min, max uint64
	unit     bool // a unit of bytes may follow
}

var (
	anyNumber = number{0, math.MaxUint64, false}
	anyBytes  = number{1, math.MaxUint64, true}
)

// integer reads a whole number. It is written as in expressions: decimal or
// hexadecimal, and where bytes are meant with the suffix KiB, MiB, GiB or TiB. No
// value gives ok false without a report.
func (d *decoder) integer(n *node, what string, want number) (v uint64, ok bool) {
	if n == nil {
		return 0, false
	}
	if n.kind != scalarNode || n.tag == "!!null" || n.tag == "!!bool" {
		d.wrongKind(n, what, "a whole number")
		return 0, false
	}
	text := n.value
	digits, unit := splitUnit(text)
	v, err := parseDigits(digits)
	shift, known := map[string]int{"": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[unit]
	switch {
	case errors.Is(err, strconv.ErrRange):
		d.errorf(n.place(), CodeIntegerSize, "%s is too large: %s is above %d", what, digits, uint64(math.MaxUint64))
	case err != nil:
		d.hinted(n.place(), CodeInteger, integerHint(text), "%s must be a whole number, found %q", what, text)
	case !known && !want.unit:
		d.hinted(n.at(len(text)-len(unit)), CodeUnitHere, "write the number alone", "%s is no number of bytes, and %q is no unit that may stand here", what, unit)
	case !known:
		d.hinted(n.at(len(text)-len(unit)), CodeUnit, "the units are KiB, MiB, GiB and TiB, powers of 1024", "unknown unit %q of %s", unit, what)
	case unit != "" && !want.unit:
		d.hinted(n.at(len(text)-len(unit)), CodeUnitHere, "write the number alone", "%s is no number of bytes, the unit %q cannot stand here", what, unit)
	case v > 0 && bits.LeadingZeros64(v) < shift:
		d.errorf(n.place(), CodeIntegerSize, "%s is too large: %s is above %d bytes", what, text, uint64(math.MaxUint64))
	case v<<shift < want.min:
		d.errorf(n.place(), CodeIntegerSize, "%s must be at least %d, found %s", what, want.min, text)
	case v<<shift > want.max:
		d.errorf(n.place(), CodeIntegerSize, "%s must be at most %d, found %s", what, want.max, text)
	default:
		return v << shift, true
	}
	return 0, false
}

// splitUnit cuts a number from the unit behind it. What looks like no number at
// all has no unit.
func splitUnit(text string) (digits, unit string) {
	if isFloat(text) && !strings.HasPrefix(text, "0x") {
		return text, ""
	}
	n := 0
	for hex := strings.HasPrefix(text, "0x"); n < len(text); n++ {
		if c := text[n]; !strings.ContainsRune("0123456789+-_.", rune(c)) && !(hex && (n == 1 || strings.ContainsRune("abcdefABCDEF", rune(c)))) {
			break
		}
	}
	unit = strings.TrimLeft(text[n:], " ")
	if n == 0 || unit == "" || unit[0]|0x20 < 'a' || unit[0]|0x20 > 'z' {
		return text, ""
	}
	return text[:n], unit
}

var errNotDigits = errors.New("not a whole number")

// parseDigits reads a decimal or hexadecimal number without sign, underscores or
// leading zeros.
func parseDigits(text string) (uint64, error) {
	base, digits := 10, text
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		base, digits = 16, hex
	} else if len(text) > 1 && text[0] == '0' {
		return 0, errNotDigits
	}
	if strings.ContainsAny(digits, "+-_") {
		return 0, errNotDigits
	}
	return strconv.ParseUint(digits, base, 64)
}

func isFloat(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

func integerHint(text string) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return "it cannot be negative"
	case strings.HasPrefix(text, "+"):
		return "write it without a sign"
	case strings.Contains(text, "_"):
		return "write it without underscores"
	case len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789") == "":
		return "write it without leading zeros"
	case text != "" && strings.Trim(text, "0123456789") == "":
		return "it is above 18446744073709551615"
	case isFloat(text):
		return "it cannot have a fraction or an exponent"
	}
	return ""
}

// align reads an alignment; no value is 0.
func (d *decoder) align(n *node, what string) uint64 {
	v, ok := d.integer(n, what, number{0, math.MaxUint64, true})
	if !ok {
		return 0
	}
	if bits.OnesCount64(v) != 1 || v > maxAlign {
		hint := ""
		if v > 1 && v < maxAlign {
			hint = fmt.Sprintf("the next larger one is %d", uint64(1)<<bits.Len64(v))
		}
		d.hinted(n.place(), CodeAlign, hint, "%s must be a power of two from 1 to %d, found %s", what, uint64(maxAlign), n.value)
		return 0
	}
	return v
}
