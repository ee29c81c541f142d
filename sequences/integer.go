package sequences

import "fmt"

// ParseInteger reads an integer as it stands in a sequence file: decimal, or hexadecimal
// behind 0x, without sign, underscores or leading zeros. So nobody takes 0100 for 64.
func ParseInteger(text string) (uint64, error) {
	v, err := parseDigits(text)
	if err == nil {
		return v, nil
	}
	if hint := integerHint(text); hint != "" {
		return 0, fmt.Errorf("%q is no integer: %s", text, hint)
	}
	return 0, fmt.Errorf("%q is no integer from 0 to 18446744073709551615", text)
}
