package sequences

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sort"
	"unicode/utf8"
)

// readFile reads a sequence file, but never more than the limit and one byte.
func readFile(path string) ([]byte, *Diagnostic) {
	fail := func(err error) *Diagnostic {
		d := newError(Pos{File: path}, CodeRead, "", fmt.Sprintf("cannot read the file: %v", plainError(err)))
		return &d
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fail(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fail(err)
	}
	return data, nil
}

// plainError drops the path, which the position of the diagnostic has already.
func plainError(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}

// source is the text of a file. It maps the positions of the YAML library, which
// count characters and more kinds of line breaks, to byte offsets, and those to
// lines and columns as editors count them.
type source struct {
	file  string
	text  []byte // without a byte order mark
	lines []int  // offset of each line, broken at "\n" only
	marks []int  // offset of each line as YAML breaks them
	runes []int  // number of characters before each block of 64 bytes; nil if all is ASCII
}

const runeBlock = 64

// newSource checks that data is text. The file is too large, no text, or one that
// seqplan wrote, if it returns nil.
func newSource(file string, data []byte, r *reporter) *source {
	whole := place{Pos: Pos{File: file}}
	s := &source{file: file, text: bytes.TrimPrefix(data, []byte("\ufeff"))}
	if s.document(r) {
		return nil
	}
	if len(data) > maxFile {
		r.errorf(whole, CodeTooLarge, "the file is larger than %d MiB", maxFile>>20)
		return nil
	}
	if n := countMarks(s.text); n > maxMarks {
		r.hinted(whole, CodeTooLarge, "use templates for repeated steps", "the file holds more than %d values", maxMarks)
		return nil
	}
	s.index()
	for i := 0; i < len(s.text); {
		c, n := utf8.DecodeRune(s.text[i:])
		if c == utf8.RuneError && n <= 1 {
			r.errorf(s.place(i), CodeText, "the file is not UTF-8: byte 0x%02x", s.text[i])
			return nil
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7F && c < 0xA0 && c != 0x85 || c == '\ufeff' || c == '\ufffe' || c == '\uffff' {
			r.errorf(s.place(i), CodeText, "control character %U", c)
			return nil
		}
		i += n
	}
	return s
}

// countMarks counts the bytes that may separate two values, or that cost as much:
// quotes, which may follow each other, and line breaks.
func countMarks(text []byte) int {
	n := 0
	for i, c := range text {
		switch c {
		case ',', ':', '[', '{', '"', '\'', '\n':
			n++
		case '-', '?':
			if i+1 == len(text) || text[i+1] <= ' ' {
				n++
			}
		}
	}
	return n
}

func (s *source) index() {
	s.lines, s.marks = []int{0}, []int{0}
	ascii := true
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\n':
			s.lines = append(s.lines, i+1)
			s.marks = append(s.marks, i+1)
		case c == '\r':
			if i+1 == len(s.text) || s.text[i+1] != '\n' {
				s.marks = append(s.marks, i+1)
			}
		case c >= utf8.RuneSelf:
			ascii = false
			if n := breakLen(s.text[i:]); n > 0 {
				s.marks = append(s.marks, i+n)
			}
		}
	}
	if ascii {
		return
	}
	n := 0
	for i, c := range s.text {
		if i%runeBlock == 0 {
			s.runes = append(s.runes, n)
		}
		if utf8.RuneStart(c) {
			n++
		}
	}
}

// breakLen is the length of a line break beyond ASCII at the start of text, or 0.
func breakLen(text []byte) int {
	for _, b := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(text, []byte(b)) {
			return len(b)
		}
	}
	return 0
}

// offset returns the offset of a position of the YAML library.
func (s *source) offset(line, col int) int {
	if line < 1 || line > len(s.marks) {
		return len(s.text)
	}
	start := s.marks[line-1]
	if s.runes == nil {
		return min(start+max(col-1, 0), len(s.text))
	}
	want := s.runesBefore(start) + max(col-1, 0)
	block := max(sort.SearchInts(s.runes, want+1)-1, 0)
	i, n := block*runeBlock, s.runes[block]
	for i < len(s.text) && (n < want || !utf8.RuneStart(s.text[i])) {
		if utf8.RuneStart(s.text[i]) {
			n++
		}
		i++
	}
	return i
}

// runesBefore returns the number of characters that start before an offset.
func (s *source) runesBefore(offset int) int {
	if offset >= len(s.text) {
		offset = len(s.text)
	}
	block := min(offset/runeBlock, len(s.runes)-1)
	n := s.runes[block]
	for _, c := range s.text[block*runeBlock : offset] {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}

// pos returns the position of an offset.
func (s *source) pos(offset int) Pos {
	offset = min(max(offset, 0), len(s.text))
	line := sort.SearchInts(s.lines, offset+1)
	return Pos{File: s.file, Line: line, Col: offset - s.lines[line-1] + 1}
}

func (s *source) place(offset int) place { return place{Pos: s.pos(offset)} }

// MaxFileSize is the size of the largest sequence file in bytes.
const MaxFileSize = maxFile
