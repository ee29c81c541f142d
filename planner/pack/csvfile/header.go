package csvfile

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
)

// column is what a column means, whatever its name in a file.
type column uint8

// The columns in the order in which they are written.
const (
	colID column = iota
	colLower
	colUpper
	colSize
	colAlign
	colGaps
	colOffset
	colHint
	numColumns

	numRequired = colAlign // those before it are required
)

func (c column) String() string {
	return [numColumns]string{"id", "lower", "upper", "size", "alignment", "gaps", "offset", "hint"}[c]
}

// columns is a set of columns, a bit for each.
type columns uint16

const allColumns columns = 1<<numColumns - 1

func (s columns) has(c column) bool { return s>>c&1 != 0 }

// inclusiveEnd is the name of the column that says upper - 1.
const inclusiveEnd = "end"

// columnOf returns the column that a name means, in lower case.
func columnOf(name string) (column, bool) {
	switch name {
	case "buffer", "buffer_id":
		return colID, true
	case "start", "begin":
		return colLower, true
	case inclusiveEnd:
		return colUpper, true
	}
	for c := range numColumns {
		if name == c.String() {
			return c, true
		}
	}
	return 0, false
}

// names returns the names that columnOf knows.
func names() []string {
	known := []string{"buffer", "buffer_id", "start", "begin", inclusiveEnd}
	for c := range numColumns {
		known = append(known, c.String())
	}
	return known
}

// header says where the columns of a file are.
type header struct {
	at        [numColumns]int    // the index of the field, from 1; 0 if there is none
	called    [numColumns]string // as the file calls it
	fields    int
	inclusive bool // the ends of lifetimes and gaps are the last steps in them
}

// header reads the first row and returns nil if it has faults.
func (r *reader) header() *header {
	row, err := r.next()
	if err != nil {
		r.headerError(err)
		return nil
	}
	if len(row) > maxColumns {
		r.add(r.fieldPos(0), CodeNoHeader, hintHeader, "the file has no header: its first row has %d fields", len(row))
		return nil
	}
	h := &header{fields: len(row)}
	known := 0
	for i, field := range row {
		name := strings.TrimSpace(field)
		c, ok := columnOf(strings.ToLower(name))
		switch {
		case !ok:
			r.unknownColumn(i, name)
			continue
		case h.at[c] != 0:
			first := h.called[c]
			r.add(r.fieldPos(i), CodeDoubleColumn, "leave out one of them",
				"the column %s is here twice, as %q and as %q", c, first, name)
		default:
			h.at[c], h.called[c] = i+1, name
			h.inclusive = h.inclusive || strings.EqualFold(name, inclusiveEnd)
		}
		known++
	}
	if known == 0 {
		r.found = nil // a row of numbers is no row of unknown columns
		r.add(r.fieldPos(0), CodeNoHeader, hintHeader, "the file has no header: its first row names no column")
		return nil
	}
	for c := range numRequired {
		if h.at[c] == 0 {
			r.add(r.fieldPos(0), CodeMissingColumn, hintHeader, "the column %s is missing", c)
		}
	}
	if len(r.found) > 0 {
		return nil
	}
	return h
}

// maxColumns is how many fields a row may have that can still be a header with
// mistakes.
const maxColumns = 1000

const hintHeader = "the first row is id,lower,upper,size and perhaps alignment, gaps, offset and hint, in any order"

func (r *reader) unknownColumn(i int, name string) {
	if name == "" {
		r.add(r.fieldPos(i), CodeUnknownColumn, "take the comma away, in the rows too", "column %d has no name", i+1)
		return
	}
	hint := "the columns are id (buffer, buffer_id), lower (start, begin), upper or end, size, alignment, gaps, offset and hint"
	if len(r.found) < maxSuggestions {
		if near := diag.Nearest(strings.ToLower(name), names()); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	r.add(r.fieldPos(i), CodeUnknownColumn, hint, "unknown column %s", show(name))
}
