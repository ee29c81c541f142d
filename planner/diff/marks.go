package diff

import (
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
)

// Texts are put together with marks around what comes from a file, names and formulas:
// Markdown sets that as code, the text form drops the marks. Nothing that is marked has a
// mark in it, because control characters are spelled out.
const (
	markStart = '\x01'
	markEnd   = '\x02'
)

// mark marks what comes from a file, and makes it harmless.
func mark(s string) string { return string(markStart) + prose.Plain(s) + string(markEnd) }

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
		out.WriteString(prose.Entities(s[:i], " .,:;+%()[]=/->*"))
		s = s[i:]
		if end := strings.IndexRune(s, markEnd); end > 0 {
			out.WriteString(prose.Code(s[1:end]))
			s = s[end+1:]
		}
	}
	return out.String()
}
