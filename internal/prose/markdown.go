package prose

import (
	"fmt"
	"strings"
	"unicode"
)

// Code is a name or a formula in Markdown: a code span, or, where that or a cell of a
// table could end early, text with its punctuation as entities.
func Code(s string) string {
	s = Plain(s)
	if s == "" || strings.ContainsAny(s, "`|<>&") || strings.TrimSpace(s) != s {
		return Entities(s, "")
	}
	return "`" + s + "`"
}

// Entities spells out all but letters, digits and the given characters, so that Markdown
// and HTML read nothing into them.
func Entities(s, safe string) string {
	var out strings.Builder
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(safe, r) {
			out.WriteRune(r)
		} else {
			fmt.Fprintf(&out, "&#%d;", r)
		}
	}
	return out.String()
}
