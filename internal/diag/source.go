package diag

import (
	"bytes"
	"unicode/utf8"
)

// sourceLines finds the lines of the files that diagnostics are about.
type sourceLines struct {
	sources map[string][]byte
	split   map[string][][]byte // of the files that were asked for
}

func newSourceLines(sources map[string][]byte) *sourceLines {
	return &sourceLines{sources, make(map[string][][]byte)}
}

// line returns the line of a position, without its end, or false if it is not known.
func (s *sourceLines) line(p Pos) ([]byte, bool) {
	data, ok := s.sources[p.File]
	if !ok || p.Line <= 0 {
		return nil, false
	}
	lines, ok := s.split[p.File]
	if !ok {
		lines = bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) // columns do not count the mark
		s.split[p.File] = lines
	}
	if p.Line > len(lines) {
		return nil, false
	}
	return bytes.TrimSuffix(lines[p.Line-1], []byte("\r")), true
}

// column returns the column of a position in characters, from 1, or 0 if it is not
// known: columns count bytes, so that takes the line.
func (s *sourceLines) column(p Pos) int {
	line, ok := s.line(p)
	if !ok || p.Col <= 0 {
		return 0
	}
	return charsBefore(line, p.Col) + 1
}

// charsBefore counts the characters of a line before the one that holds the byte with a
// column. Behind the line there are none.
func charsBefore(line []byte, col int) int {
	n := 0
	for at := 0; at < len(line); n++ {
		_, size := utf8.DecodeRune(line[at:])
		if at += size; at >= col {
			break
		}
	}
	return n
}
