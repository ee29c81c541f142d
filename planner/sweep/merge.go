package sweep

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
)

// MergeError says why shards are not all rows of one work.
type MergeError struct {
	Path   string // of the shard; empty if it is about all
	Line   int    // 0 if it is about no line
	Reason string
}

func (e *MergeError) Error() string {
	switch {
	case e.Path == "":
		return e.Reason
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Reason)
}

// Merge puts the outputs of all shards of a work together: the same bytes as one run
// writes. They are all CSV or all lines of JSON.
func Merge(shards []File) ([]byte, error) {
	m := &merger{}
	for _, s := range shards {
		if err := m.add(s); err != nil {
			return nil, err
		}
	}
	if m.rows == nil {
		return nil, &MergeError{Reason: "the shards have no rows"}
	}
	missing, first := 0, -1
	for i := range m.rows {
		if m.rows[i].text == nil {
			missing++
			if first < 0 {
				first = i
			}
		}
	}
	if missing > 0 {
		return nil, &MergeError{Reason: fmt.Sprintf("the shards are not complete: %d of %d rows are missing, the first is row %d", missing, len(m.rows), first)}
	}
	out := bytes.Clone(m.header)
	for i := range m.rows {
		out = append(append(out, m.rows[i].text...), '\n')
	}
	return out, nil
}

type merger struct {
	work   string
	header []byte   // of CSV
	kind   byte     // 'j' for JSON, 'c' for CSV, 0 if not known
	rows   []merged // nil: none seen yet
}

type merged struct {
	text []byte
	path string
}

// add takes the rows of one shard.
func (m *merger) add(s File) error {
	if len(s.Data) == 0 {
		return nil // a shard without rows
	}
	fail := func(line int, format string, args ...any) error {
		return &MergeError{s.Path, line, fmt.Sprintf(format, args...)}
	}
	kind := byte('c')
	if s.Data[0] == '{' {
		kind = 'j'
	}
	if m.kind != 0 && m.kind != kind {
		return fail(0, "is of another format than the shards before it: they are all CSV or all lines of JSON")
	}
	m.kind = kind
	if s.Data[len(s.Data)-1] != '\n' {
		return fail(0, "its last line is torn off; run the shard again")
	}
	for i, line := range bytes.Split(s.Data[:len(s.Data)-1], []byte("\n")) {
		if kind == 'c' && i == 0 {
			header := append(bytes.Clone(line), '\n')
			if m.header != nil && !bytes.Equal(m.header, header) || !bytes.HasPrefix(line, []byte("work,row,rows,")) {
				return fail(1, "has not the header of a sweep, or another one than the shards before it")
			}
			m.header = header
			continue
		}
		r, err := parseLine(line)
		if kind == 'c' {
			r, err = m.record(line)
		}
		if err != nil || r.Rows < 1 || r.Rows > MaxRows || r.Row < 0 || r.Row >= r.Rows {
			return fail(i+1, "%s; run the shard again", errLine)
		}
		if m.rows == nil {
			m.work, m.rows = r.Work, make([]merged, r.Rows)
		}
		if r.Work != m.work || r.Rows != len(m.rows) {
			return fail(i+1, "is of other work than the shards before it: its files, parameters or version of seqplan differ")
		}
		if other := m.rows[r.Row]; other.text != nil {
			return fail(i+1, "row %d is in %s too", r.Row, other.path)
		}
		m.rows[r.Row] = merged{line, s.Path}
	}
	return nil
}

// record reads the place of a row from a record of CSV, which is one line since no cell
// has a control character.
func (m *merger) record(line []byte) (Row, error) {
	c := csv.NewReader(bytes.NewReader(append(bytes.Clone(m.header), line...)))
	records, err := c.ReadAll() // all of the same length
	if err != nil || len(records) != 2 {
		return Row{}, errLine
	}
	var again bytes.Buffer
	w := csv.NewWriter(&again)
	_ = w.WriteAll(records)
	if !bytes.Equal(again.Bytes(), fmt.Appendf(nil, "%s%s\n", m.header, line)) {
		return Row{}, errLine
	}
	row, err1 := strconv.Atoi(records[1][1])
	rows, err2 := strconv.Atoi(records[1][2])
	return Row{Work: records[1][0], Row: row, Rows: rows}, errors.Join(err1, err2)
}
