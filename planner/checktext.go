package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seqplan/seqplan/internal/prose"
)

// FieldError is a fault of a plan file at one place of it.
type FieldError struct {
	Field     string // as "buffers[3].lifetime.end"; empty if the fault is in the text itself
	Line, Col int    // from 1; 0 if it is not known. A column is a character.
	Msg       string
}

func (e *FieldError) Error() string {
	var at []string
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d, column %d: ", e.Line, e.Col))
	}
	if e.Field != "" {
		at = append(at, e.Field+": ")
	}
	return strings.Join(at, "") + e.Msg
}

// planText is the text of a plan file without a byte order mark.
type planText []byte

func newPlanText(data []byte) planText { return bytes.TrimPrefix(data, []byte("\ufeff")) }

// fault is a fault at an offset; none is known if it is negative.
func (t planText) fault(offset int, field, format string, args ...any) *FieldError {
	e := &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)}
	if offset >= 0 {
		before := t[:min(offset, len(t))]
		line := bytes.LastIndexByte(before, '\n') + 1
		e.Line, e.Col = bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[line:])+1
	}
	return e
}

// characters refuses what the decoder would replace without a word: bytes that are not
// UTF-8, and escapes of half a character.
func (t planText) characters() error {
	for i := 0; i < len(t); {
		if t[i] == '\\' && i+1 < len(t) {
			n, ok := escape(t[i:])
			if !ok {
				return t.fault(i, "", "%s is half of a character", t[i:i+6])
			}
			i += n
			continue
		}
		r, n := utf8.DecodeRune(t[i:])
		if r == utf8.RuneError && n == 1 {
			return t.fault(i, "", "the byte 0x%02x is not UTF-8", t[i])
		}
		i += n
	}
	return nil
}

// escape returns the length of an escape of JSON, two of them for a character that needs a
// pair, and false for one half of a pair alone.
func escape(t []byte) (int, bool) {
	unit := func(t []byte) uint64 {
		if len(t) < 6 || t[0] != '\\' || t[1] != 'u' {
			return 0
		}
		v, err := strconv.ParseUint(string(t[2:6]), 16, 16)
		if err != nil {
			return 0 // the decoder refuses it
		}
		return v
	}
	switch v := unit(t); {
	case v < 0xd800 || v > 0xdfff:
		return 2, true
	case v <= 0xdbff && unit(t[6:])>>10 == 0xdc00>>10:
		return 12, true
	}
	return 0, false
}

// decodeError puts an error of the decoder into the words of a FieldError.
func (t planText) decodeError(err error) error {
	syntax, kind := new(json.SyntaxError), new(json.UnmarshalTypeError)
	switch {
	case errors.As(err, &syntax):
		return t.fault(max(0, int(syntax.Offset)-1), "", "%s", syntax)
	case errors.As(err, &kind):
		want := "an integer in its range"
		switch kind.Type.Kind().String() {
		case "bool":
			want = "true or false"
		case "string":
			want = "a string"
		case "slice":
			want = "a list"
		case "struct":
			want = "an object"
		}
		return t.fault(int(kind.Offset), kind.Field, "want %s, got %s", want, prose.Shorten(kind.Value, 40))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok { // in quotes
		return t.fault(bytes.Index(t, []byte(name)), "", "unknown field %s", prose.Shorten(name, 40))
	}
	return &FieldError{Msg: prose.Shorten(strings.TrimPrefix(err.Error(), "json: "), 120)}
}

// offset is where the value of a field starts, or the innermost object or list that has
// it; -1 if there is none.
func (t planText) offset(field string) int {
	dec := json.NewDecoder(bytes.NewReader(t))
	at := -1
	for _, name := range append([]string{""}, strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })...) {
		if name != "" && !find(dec, name) {
			return at
		}
		at = int(dec.InputOffset())
		for at < len(t) && strings.IndexByte(" \t\r\n:,", t[at]) >= 0 {
			at++
		}
	}
	return at
}

// find reads up to the value of a key, or of an index, of the next object or list.
func find(dec *json.Decoder, name string) bool {
	open, err := dec.Token()
	if err != nil || open != json.Delim('{') && open != json.Delim('[') {
		return false
	}
	var skipped json.RawMessage
	for n := 0; dec.More(); n++ {
		at := any(strconv.Itoa(n))
		if open == json.Delim('{') {
			if at, err = dec.Token(); err != nil {
				return false
			}
		}
		if key, ok := at.(string); ok && strings.EqualFold(key, name) {
			return true
		}
		if dec.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}

// keys refuses an object with a key twice, of which the decoder would take the last one,
// whatever its case.
func (t planText) keys() error {
	dec := json.NewDecoder(bytes.NewReader(t))
	var open []map[string]bool // nil for a list
	key := false               // the next token is one, or the end of an object
	for {
		at := int(dec.InputOffset())
		token, err := dec.Token()
		if err != nil {
			return nil // the end, or what the decoder refuses
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if !key {
				break
			}
			seen, name := open[len(open)-1], strings.ToLower(strings.ToUpper(v)) // as the decoder folds
			if seen[name] {
				return t.fault(at+bytes.IndexByte(t[at:], '"'), "", "the key %q is there twice", prose.Shorten(v, 40))
			}
			seen[name], key = true, false
			continue
		}
		if len(open) == 0 {
			return nil
		}
		key = open[len(open)-1] != nil
	}
}
