package diag

import (
	"strings"
	"unicode"
)

// control tells whether a character could move the cursor, end a line for somebody, or
// turn the direction of what follows.
func control(r rune) bool {
	return r != '\t' && (r < ' ' || r >= 0x7F && r < 0xA0 || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r))
}

// clean returns text in which control characters, but those of keep, and bytes that are
// no UTF-8 are U+FFFD.
func clean(text, keep string) string {
	return strings.Map(func(r rune) rune {
		if control(r) && !strings.ContainsRune(keep, r) {
			return '\uFFFD'
		}
		return r
	}, text)
}
