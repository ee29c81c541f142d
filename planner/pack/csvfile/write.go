package csvfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrInvalid is in every error of Write that is a fault of the file.
var ErrInvalid = errors.New("invalid buffer")

// BufferError is a buffer that no file may hold. It unwraps to ErrInvalid.
type BufferError struct {
	Index  int // in File.Buffers
	ID     string
	Reason string
}

func (e *BufferError) Error() string {
	return fmt.Sprintf("%v %d, id %s: %s", ErrInvalid, e.Index, show(e.ID), e.Reason)
}

// Unwrap returns ErrInvalid.
func (e *BufferError) Unwrap() error { return ErrInvalid }

// Write prints f in its one form: id,lower,upper,size and those of alignment, gaps,
// offset and hint, in this order, that some buffer uses. Read returns the same
// buffers, with 1 for an alignment of 0. It returns a *BufferError, before it writes
// anything, if Read would find a fault, and otherwise the error of w.
func Write(w io.Writer, f *File) error {
	used, err := usedColumns(f)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16) // keeps the first error until Flush
	for c := range numColumns {
		if used.has(c) {
			if c > 0 {
				out.WriteByte(',')
			}
			out.WriteString(c.String())
		}
	}
	out.WriteByte('\n')
	var line []byte
	for i := range f.Buffers {
		line = f.Buffers[i].append(line[:0], used)
		out.Write(line)
	}
	return out.Flush()
}

// usedColumns checks the buffers and returns the columns that they need.
func usedColumns(f *File) (columns, error) {
	used := columns(1<<numRequired - 1)
	seen := make(map[string]int, len(f.Buffers))
	for i := range f.Buffers {
		b := &f.Buffers[i]
		if found := b.check(allColumns, false); len(found) > 0 {
			return 0, &BufferError{Index: i, ID: b.ID, Reason: found[0].message}
		}
		if first, double := seen[b.ID]; double {
			return 0, &BufferError{Index: i, ID: b.ID, Reason: fmt.Sprintf("buffer %d has this id already", first)}
		}
		seen[b.ID] = i
		if b.Align > 1 {
			used |= 1 << colAlign
		}
		if len(b.Gaps) > 0 {
			used |= 1 << colGaps
		}
		if b.Offset != nil {
			used |= 1 << colOffset
		}
		if b.Hint != nil {
			used |= 1 << colHint
		}
	}
	return used, nil
}

// append adds the row of b to a line.
func (b *Buffer) append(line []byte, used columns) []byte {
	line = appendText(line, b.ID)
	for _, v := range [...]uint64{b.Lower, b.Upper, b.Size} {
		line = strconv.AppendUint(append(line, ','), v, 10)
	}
	if used.has(colAlign) {
		line = strconv.AppendUint(append(line, ','), max(b.Align, 1), 10)
	}
	if used.has(colGaps) {
		line = append(line, ',')
		for i, g := range b.Gaps {
			if i > 0 {
				line = append(line, ' ')
			}
			line = appendPair(line, g.Lower, '-', g.Upper)
			if g.Window != nil {
				line = appendPair(append(line, '@'), g.Window.Lo, ':', g.Window.Hi)
			}
		}
	}
	for _, place := range [...]struct {
		column column
		at     *uint64
	}{{colOffset, b.Offset}, {colHint, b.Hint}} {
		if used.has(place.column) {
			line = append(line, ',')
			if place.at != nil {
				line = strconv.AppendUint(line, *place.at, 10)
			}
		}
	}
	return append(line, '\n')
}

func appendPair(line []byte, low uint64, separator byte, high uint64) []byte {
	return strconv.AppendUint(append(strconv.AppendUint(line, low, 10), separator), high, 10)
}

// appendText quotes a text only where it must: some readers know no quotes.
func appendText(line []byte, text string) []byte {
	if !strings.ContainsAny(text, `",`) {
		return append(line, text...)
	}
	line = append(append(line, '"'), strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"')
}
