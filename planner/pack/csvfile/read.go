package csvfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/seqplan/seqplan/internal/diag"
)

const (
	// maxFaults ends the reading of a file that is something else. Far more than
	// anybody reads, and some ten MiB of messages.
	maxFaults = 100_000
	// maxSuggestions is how many unknown columns are compared with the known ones.
	maxSuggestions = 20
	// maxPrepared is for how many rows memory is taken before they are read.
	maxPrepared = 1 << 20
)

// Read reads a CSV file. name stands in the positions. It returns a File, or nil
// and every fault that it finds, sorted; see the package comment for the format.
func Read(name string, data []byte) (*File, diag.List) {
	r := newReader(name, data)
	f := r.file()
	if len(r.found) > 0 {
		return nil, r.found.Sorted()
	}
	return f, nil
}

type reader struct {
	name  string
	text  []byte // without a byte order mark
	csv   *csv.Reader
	seen  map[string]int // the line of each id
	gapAt []int          // where in their field the gaps of the row start
	lines []int          // where lines start, made when a place in a field is wanted
	found diag.List
}

func newReader(name string, data []byte) *reader {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	r := &reader{name: name, text: text, csv: csv.NewReader(bytes.NewReader(text))}
	r.csv.FieldsPerRecord = -1 // counted here, to go on after a wrong row
	r.csv.ReuseRecord = true
	r.csv.TrimLeadingSpace = true
	return r
}

func (r *reader) file() *File {
	h := r.header()
	if h == nil {
		return nil
	}
	rows := min(bytes.Count(r.text, []byte("\n")), maxPrepared)
	f := &File{Buffers: make([]Buffer, 0, rows)}
	r.seen = make(map[string]int, rows)
	for len(r.found) < maxFaults {
		row, err := r.next()
		if err == io.EOF {
			return f
		}
		switch {
		case err != nil:
			r.syntax(err)
		case len(row) != h.fields:
			r.wrongFields(row, h)
		default:
			f.Buffers = append(f.Buffers, r.buffer(row, h))
		}
	}
	last := r.found[len(r.found)-1].Pos
	r.add(diag.Pos{File: r.name, Line: last.Line + 1}, CodeTooMany, "", "the rest of the file is not read after %d faults", len(r.found))
	return nil
}

// next returns the next row that is not blank, or io.EOF, or a *csv.ParseError,
// after which the reading can go on.
func (r *reader) next() ([]string, error) {
	for {
		row, err := r.csv.Read()
		if err == nil && len(row) == 1 && row[0] == "" {
			continue // nothing but spaces
		}
		return row, err
	}
}

func (r *reader) headerError(err error) {
	if err == io.EOF {
		r.add(diag.Pos{File: r.name}, CodeNoHeader, hintHeader, "the file has no header: it is empty")
		return
	}
	r.syntax(err)
}

func (r *reader) syntax(err error) {
	at := diag.Pos{File: r.name}
	message := err.Error()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		at.Line, at.Col = parse.Line, parse.Column
		message = "a quote inside a field without quotes"
		if errors.Is(parse.Err, csv.ErrQuote) {
			message = "a quoted field is not closed, or something follows its last quote"
		}
		if parse.StartLine != parse.Line {
			message += fmt.Sprintf(", in the row that starts in line %d", parse.StartLine)
		}
	}
	r.add(at, CodeSyntax, `a field with quotes in it is written "so ""quoted"""`, "%s", message)
}

func (r *reader) wrongFields(row []string, h *header) {
	const hint = "an empty field needs its comma too"
	if len(row) < h.fields {
		r.add(r.fieldPos(0), CodeFields, hint, "the row has %d fields, the header %d", len(row), h.fields)
		return
	}
	r.add(r.fieldPos(h.fields), CodeFields, "", "the row has %d fields, the header %d", len(row), h.fields)
}

func (r *reader) fieldPos(i int) diag.Pos {
	line, col := r.csv.FieldPos(i)
	return diag.Pos{File: r.name, Line: line, Col: col}
}

// within returns the place of a byte in field i.
func (r *reader) within(i, offset int) diag.Pos {
	at := r.fieldPos(i)
	if r.lines == nil {
		r.lines = append(r.lines, 0)
		for i, c := range r.text {
			if c == '\n' {
				r.lines = append(r.lines, i+1)
			}
		}
	}
	if start := r.lines[at.Line-1] + at.Col - 1; start < len(r.text) && r.text[start] == '"' {
		offset++
	}
	at.Col += offset
	return at
}

func (r *reader) add(at diag.Pos, code diag.Code, hint, format string, args ...any) {
	r.found = append(r.found, diag.Diagnostic{
		Pos: at, Code: code, Severity: diag.Error, Message: fmt.Sprintf(format, args...), Hint: hint,
	})
}
