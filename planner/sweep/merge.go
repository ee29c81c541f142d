package sweep

import (
	"bytes"
	"fmt"
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
	out := bytes.Clone(m.first.header)
	for i := range m.rows {
		out = append(append(out, m.rows[i].text...), '\n')
	}
	return out, nil
}

type merger struct {
	first *output // with rows, or a header
	work  string
	rows  []merged // nil: none seen yet
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
	o, err := readOutput(s)
	if err != nil {
		return err
	}
	if m.first == nil {
		m.first = o
	}
	if m.first.csv != o.csv {
		return fail(0, "is of another format than the shards before it: they are all CSV or all lines of JSON")
	}
	if !bytes.Equal(m.first.header, o.header) {
		return fail(1, "has another header than the shards before it")
	}
	for _, r := range o.rows {
		if m.rows == nil {
			m.work, m.rows = r.Work, make([]merged, r.Rows)
		}
		if r.Work != m.work || r.Rows != len(m.rows) {
			return fail(r.line, "is of other work than the shards before it: its files, parameters or version of seqplan differ")
		}
		if other := m.rows[r.Row.Row]; other.text != nil {
			return fail(r.line, "row %d is in %s too", r.Row.Row, other.path)
		}
		m.rows[r.Row.Row] = merged{r.text, s.Path}
	}
	return nil
}
