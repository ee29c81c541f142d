package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A plan that was read may have any names. Each format makes them harmless: what a
// terminal, a spreadsheet or a browser would act on is written so that it is only text.

// clean writes what is not printable as an escape, so that a name stays on its line and
// moves no cursor: control characters, marks that turn the direction of text, and bytes
// that are not UTF-8. A tab stays if keep says so.
func clean(s string, keep rune) string {
	harmless := func(r rune) bool { return r == keep || unicode.IsPrint(r) && r != utf8.RuneError }
	if !strings.ContainsFunc(s, func(r rune) bool { return !harmless(r) }) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case harmless(r):
			b.WriteString(s[i : i+n])
		case r == utf8.RuneError && n == 1 || r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += n
	}
	return b.String()
}

// plain is clean without an exception.
func plain(s string) string { return clean(s, -1) }

// cell is a text cell of a table for spreadsheets. One that a spreadsheet would take for
// a formula gets an apostrophe in front, which they show as text.
func cell(s string) string {
	s = plain(s)
	if first := strings.TrimLeft(s, " '"); first != "" && strings.Contains("=+-@|%", first[:1]) {
		return "'" + s
	}
	return s
}

// code is a name or a formula in Markdown: a code span, or, where it has a character that
// may end a span or a cell, text with all punctuation escaped.
func code(s string) string {
	s = plain(s)
	if s == "" {
		return ""
	}
	if !strings.ContainsAny(s, "`|\\<>&") && strings.TrimSpace(s) == s {
		return "`" + s + "`"
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune("<>&|@`", r):
			fmt.Fprintf(&b, "&#%d;", r)
		case r < 0x80 && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// shorten cuts a text to a number of characters.
func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:max(0, most-2)]) + ".."
}

// last is a name without the names in front of its last dot, which are those of its step.
func last(name string) string {
	if at := strings.LastIndexByte(name, '.'); at >= 0 && at+1 < len(name) {
		return name[at+1:]
	}
	return name
}

// escapeJSON escapes what the encoder leaves as it is and a terminal would act on. It can
// only be inside of strings.
func escapeJSON(s string) string {
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
