package prose

import (
	"fmt"
	"strings"
)

// Plural is a number with its noun: 1 buffer, 2 buffers, 2 passes.
func Plural[N int | uint64](n N, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Shorten cuts a text to a number of characters.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:max(0, most-2)]) + ".."
}
