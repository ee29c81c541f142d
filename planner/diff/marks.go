package diff

import (
	"fmt"
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

// maxText is how many characters of a name or a formula are printed. The JSON form has it
// whole.
const maxText = 200

// mark marks what comes from a file, and makes it short and harmless.
func mark(s string) string { return markWhole(shorten(s)) }

// markWhole marks what may be long.
func markWhole(s string) string { return string(markStart) + prose.Plain(s) + string(markEnd) }

// shorten cuts a text in the middle: names often differ in their beginning, formulas and
// places in their end.
func shorten(s string) string {
	r := []rune(prose.Plain(s))
	if len(r) <= maxText {
		return string(r)
	}
	return string(r[:maxText/2]) + ".." + string(r[len(r)-maxText/2+2:])
}

// maxListed is how much is printed of a list in a line.
const maxListed = 10

// joined is a list in a line, of texts that have their marks.
func joined(list []string) string {
	more := ""
	if n := len(list) - maxListed; n > 1 {
		list, more = list[:maxListed], fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(list, ", ") + more
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
		out.WriteString(prose.Entities(s[:i], " .,:;+%()[]=/->*"))
		s = s[i:]
		if end := strings.IndexRune(s, markEnd); end > 0 {
			out.WriteString(prose.Code(s[1:end]))
			s = s[end+1:]
		}
	}
	return out.String()
}
