package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Texts are put together with marks around what comes from a file, names and formulas:
// Markdown sets that as code, the text form drops the marks. Nothing that is marked has a
// mark in it, because control characters are spelled out.
const (
	markStart = '\x01'
	markEnd   = '\x02'
)

// mark marks what comes from a file, and makes it harmless on a terminal and in one line.
func mark(s string) string {
	var out strings.Builder
	out.WriteByte(markStart)
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, `\x%02x`, s[0])
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			out.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		s = s[n:]
	}
	out.WriteByte(markEnd)
	return out.String()
}

// strip drops the marks.
func strip(s string) string { return strings.Map(dropMark, s) }

func dropMark(r rune) rune {
	if r == markStart || r == markEnd {
		return -1
	}
	return r
}

// markdown turns the marks into code, and spells out what else Markdown might read.
func markdown(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexRune(s, markStart)
		if i < 0 {
			i = len(s)
		}
		out.WriteString(entities(s[:i], " .,:;+%()[]=/->*"))
		s = s[i:]
		if end := strings.IndexRune(s, markEnd); end > 0 {
			out.WriteString(code(s[1:end]))
			s = s[end+1:]
		}
	}
	return out.String()
}

// code is a code span. Where that could end early, or a table cell could, it is spelled
// out.
func code(s string) string {
	switch {
	case s == "":
		return ""
	case strings.ContainsAny(s, "`|\\") || strings.Trim(s, " ") != s:
		return "<code>" + entities(s, "") + "</code>"
	}
	return "`" + s + "`"
}

// entities spells out all but letters, digits and the given characters.
func entities(s, safe string) string {
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
