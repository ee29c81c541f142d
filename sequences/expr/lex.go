package expr

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seqplan/seqplan/internal/diag"
)

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokNumber
	tokIdent
	tokPunct // one of + - * / % ( ) ,
)

type token struct {
	kind  tokenKind
	text  string // as written, without a unit
	value uint64 // tokNumber, with its unit
	pos   diag.Pos
}

// String describes the token in a message.
func (t token) String() string {
	if t.kind == tokEnd {
		return "the end of the expression"
	}
	return strconv.Quote(t.text)
}

// lexer cuts the source into tokens. It is a small value: looking ahead is
// working on a copy.
type lexer struct {
	src string
	off int
	pos diag.Pos // of src[off]
}

// advance moves over n bytes that hold no newline.
func (l *lexer) advance(n int) {
	l.off += n
	if l.pos.Line != 0 {
		l.pos.Col += n
	}
}

func (l *lexer) skipSpace() {
	for l.off < len(l.src) {
		switch l.src[l.off] {
		case ' ', '\t', '\r':
			l.advance(1)
		case '\n':
			l.off++
			if l.pos.Line != 0 {
				l.pos.Line, l.pos.Col = l.pos.Line+1, 1
			}
		default:
			return
		}
	}
}

func (l *lexer) fail(kind SyntaxKind, hint, format string, args ...any) *SyntaxError {
	return &SyntaxError{Pos: l.pos, Kind: kind, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

func (l *lexer) next() (token, *SyntaxError) {
	l.skipSpace()
	t := token{pos: l.pos}
	rest := l.src[l.off:]
	if rest == "" {
		return t, nil
	}
	switch c := rest[0]; {
	case isDigit(c):
		return l.number()
	case isLetter(c):
		t.kind, t.text = tokIdent, rest[:identLen(rest)]
	case strings.IndexByte("+-*/%(),", c) >= 0:
		t.kind, t.text = tokPunct, rest[:1]
	default:
		return t, l.badChar(rest)
	}
	l.advance(len(t.text))
	return t, nil
}

func (l *lexer) badChar(rest string) *SyntaxError {
	if op := rest[:min(2, len(rest))]; op == "<<" || op == ">>" {
		return l.fail(SyntaxBitOperator, "write n * 2 for n << 1 and n / 2 for n >> 1",
			"%s is not an operator of size expressions", op)
	}
	if strings.IndexByte("&|^~", rest[0]) >= 0 {
		return l.fail(SyntaxBitOperator, "use * / and %; bit operators bind differently in C and in Go",
			"%s is not an operator of size expressions", rest[:1])
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		return l.fail(SyntaxChar, "", "unexpected byte 0x%02X", rest[0])
	}
	return l.fail(SyntaxChar, "", "unexpected character %q", r)
}

// number reads an integer with an optional unit, which white space may precede.
func (l *lexer) number() (token, *SyntaxError) {
	rest := l.src[l.off:]
	base, digits := 10, rest[:prefixLen(rest, isDigit)]
	size := len(digits)
	if digits == "0" && len(rest) > 1 && rest[1]|0x20 == 'x' {
		base, digits = 16, rest[2:2+prefixLen(rest[2:], isHex)]
		size = 2 + len(digits)
	}
	t := token{kind: tokNumber, text: rest[:size], pos: l.pos}
	word := rest[size : size+prefixLen(rest[size:], isWord)]
	malformed := func(hint string) *SyntaxError {
		return l.fail(SyntaxNumber, hint, "malformed number %q", t.text+word)
	}
	switch {
	case digits == "":
		return t, malformed("hexadecimal digits follow 0x")
	case base == 10 && len(digits) > 1 && digits[0] == '0':
		return t, malformed("drop the leading zeros")
	case strings.ContainsFunc(word, func(r rune) bool { return !isLetter(byte(r)) || r == '_' }):
		return t, malformed("numbers are whole, in decimal or with the prefix 0x in hexadecimal")
	}
	start := *l
	value, err := strconv.ParseUint(digits, base, 64)
	l.advance(size)
	shift, failed := l.unit(word)
	if failed != nil {
		return t, failed
	}
	if err != nil || bits.LeadingZeros64(value) < shift && value != 0 {
		written := strings.TrimSpace(start.src[start.off:l.off])
		return t, start.fail(SyntaxNumberRange, "the largest value is 18446744073709551615", "%s is too large", written)
	}
	t.value = value << shift
	return t, nil
}

// unit reads the unit behind a number, attached to it as word or set off by
// white space, and returns the power of two that it stands for. A name that does
// not look like a unit is left to the parser.
func (l *lexer) unit(word string) (int, *SyntaxError) {
	ahead := *l
	if word == "" {
		ahead.skipSpace()
		rest := ahead.src[ahead.off:]
		if rest == "" || !isLetter(rest[0]) {
			return 0, nil
		}
		name := rest[:identLen(rest)]
		if !looksLikeUnit(name) {
			return 0, nil
		}
		word = name
	}
	letter := word[0] &^ 0x20
	power := strings.IndexByte("KMGT", letter) + 1
	if power > 0 && word[1:] == "iB" && word[0] == letter {
		ahead.advance(len(word))
		*l = ahead
		return 10 * power, nil
	}
	hint := "units are KiB, MiB, GiB and TiB; write * between a number and a name"
	if power > 0 && looksLikeUnit(word) {
		hint = "write " + string(rune(letter)) + "iB, a power of 1024"
	} else if looksLikeUnit(word) {
		hint = "units are KiB, MiB, GiB and TiB, powers of 1024"
	}
	return 0, ahead.fail(SyntaxUnit, hint, "unknown unit %q", word)
}

// looksLikeUnit reports whether a name behind a number is meant as a unit: one
// letter, an i, a b, all but the last of them optional, in upper or lower case.
func looksLikeUnit(name string) bool {
	if len(name) == 1 {
		return strings.Contains("KMGTB", name)
	}
	stem, ok := strings.CutSuffix(strings.ToLower(name), "b")
	return ok && (len(stem) == 1 || len(stem) == 2 && stem[1] == 'i')
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHex(c byte) bool    { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '.' }

func prefixLen(s string, is func(byte) bool) int {
	for i := range len(s) {
		if !is(s[i]) {
			return i
		}
	}
	return len(s)
}

// identLen is the length of the dotted name that s starts with.
func identLen(s string) int {
	n := 0
	for {
		n += prefixLen(s[n:], func(c byte) bool { return isLetter(c) || isDigit(c) })
		if n+1 >= len(s) || s[n] != '.' || !isLetter(s[n+1]) {
			return n
		}
		n++
	}
}
