package sequences

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// scalarStyle is how a scalar is written.
type scalarStyle uint8

const (
	plainStyle scalarStyle = iota
	singleStyle
	doubleStyle
	blockStyle
)

// offsets returns, for every byte of the value of a scalar as written and for its
// end, where it lies in the text. It follows the text and the value in step:
// equal bytes, escapes, and the line folding of YAML, which turns white space
// into less of it. Where they part the answer is the last place that was sure.
func (s *source) offsets(n *node) []int {
	at := n.off
	switch n.style {
	case singleStyle, doubleStyle:
		at++
	case blockStyle: // the header, then the indentation of the first line
		if end := bytes.IndexByte(s.text[at:], '\n'); end >= 0 {
			at = skipSpace(s.text, at+end+1)
		}
	}
	out := make([]int, 0, len(n.value)+1)
	for len(out) < len(n.value) && at < len(s.text) {
		text, value := s.text[at:], n.value[len(out):]
		size, count := step(n.style, text, value)
		if count < 0 {
			break
		}
		for range min(count, len(value)) {
			out = append(out, at)
		}
		at += size
	}
	for len(out) <= len(n.value) {
		out = append(out, at)
	}
	return out
}

// step matches the start of the text with the start of the value: size bytes of
// the one stand for count bytes of the other. A negative count is no match.
func step(style scalarStyle, text []byte, value string) (size, count int) {
	switch {
	case style == doubleStyle && text[0] == '\\':
		return escape(text)
	case style == singleStyle && bytes.HasPrefix(text, []byte("''")):
		return 2, 1
	case text[0] == value[0] && !isSpace(text[0]):
		return 1, 1
	case !isSpace(text[0]):
		return 0, -1
	}
	size = skipSpace(text, 0)
	folded := bytes.IndexByte(text[:size], '\n') >= 0
	if text[0] == value[0] && text[0] != '\n' && (!folded || style == blockStyle) {
		return 1, 1
	}
	for count < len(value) && isSpace(value[count]) {
		count++
	}
	return size, count
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// escape returns the length of an escape sequence of a double-quoted scalar in
// the text and in the value.
func escape(text []byte) (size, bytes int) {
	if len(text) < 2 {
		return 1, 1
	}
	digits := 0
	switch text[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '\r', '\n': // an escaped line break and the indentation behind it
		return skipSpace(text, 1), 0
	case 'N', '_':
		return 2, 2
	case 'L', 'P':
		return 2, 3
	}
	if digits == 0 {
		return 2, 1
	}
	var r rune
	for _, c := range text[2:min(2+digits, len(text))] {
		r = r<<4 | rune(strings.IndexByte("0123456789abcdef", c|0x20)&15)
	}
	return 2 + digits, max(utf8.RuneLen(r), 1)
}
