package prose

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Plain writes what is not printable as an escape of Go, so that a text stays on its line
// and moves no cursor: control characters, marks that turn the direction of text, and
// bytes that are not UTF-8.
func Plain(s string) string { return plain(s, unicode.IsPrint) }

// PlainTabbed is Plain, but tabs stay, for a tabwriter.
func PlainTabbed(s string) string {
	return plain(s, func(r rune) bool { return r == '\t' || unicode.IsPrint(r) })
}

func plain(s string, harmless func(rune) bool) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !harmless(r) }) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case harmless(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		s = s[n:]
	}
	return b.String()
}

// Cell is a text cell of a table for spreadsheets. One that a spreadsheet would take for
// a formula gets an apostrophe in front, which they show as text; in some countries they take
// the wide forms of its signs too.
func Cell(s string) string {
	s = Plain(s)
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " '"))
	if strings.ContainsRune("=+-@|%＝＋－＠", first) {
		return "'" + s
	}
	return s
}

// JSON escapes in encoded JSON what the encoder leaves as it is and a terminal would act
// on. It can only be inside of strings.
func JSON(s string) string {
	harmless := func(r rune) bool { return r == '\n' || unicode.IsPrint(r) }
	if !strings.ContainsFunc(s, func(r rune) bool { return !harmless(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case harmless(r):
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}
