package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
)

// output is a file of rows that was written before: CSV or lines of JSON.
type output struct {
	csv    bool
	header []byte // of CSV, with the end of its line
	rows   []outputRow
}

// outputRow is a line of an output. Of CSV the place of the row is known, not its result.
type outputRow struct {
	Row
	text []byte
	line int
}

// readOutput reads an output. It fails with a MergeError. Nothing is an output without
// rows.
func readOutput(f File) (*output, error) {
	o := &output{}
	if len(f.Data) == 0 {
		return o, nil
	}
	fail := func(line int, format string, args ...any) error {
		return &MergeError{f.Path, line, fmt.Sprintf(format, args...)}
	}
	o.csv = f.Data[0] != '{'
	if f.Data[len(f.Data)-1] != '\n' {
		return nil, fail(0, "its last line is torn off; run the shard again")
	}
	for i, line := range bytes.Split(f.Data[:len(f.Data)-1], []byte("\n")) {
		if o.csv && i == 0 {
			if !bytes.HasPrefix(line, []byte("work,row,rows,file,")) {
				return nil, fail(1, "has not the header of a sweep")
			}
			o.header = append(bytes.Clone(line), '\n')
			continue
		}
		r, err := o.parse(line)
		if err != nil {
			return nil, fail(i+1, "%s; run the shard again", errLine)
		}
		o.rows = append(o.rows, outputRow{r, line, i + 1})
	}
	return o, nil
}

func (o *output) parse(line []byte) (Row, error) {
	if o.csv {
		return parseRecord(o.header, line)
	}
	return parseLine(line)
}

// parseRecord reads the place of a row from a record of CSV, which is one line since no
// cell has a control character.
func parseRecord(header, line []byte) (Row, error) {
	both := append(bytes.Clone(header), line...)
	records, err := csv.NewReader(bytes.NewReader(both)).ReadAll() // all of the same length
	if err != nil || len(records) != 2 {
		return Row{}, errLine
	}
	var again bytes.Buffer
	_ = csv.NewWriter(&again).WriteAll(records)
	if !bytes.Equal(again.Bytes(), append(both, '\n')) {
		return Row{}, errLine
	}
	names, cells := records[0], records[1]
	row, err1 := strconv.Atoi(cells[1])
	rows, err2 := strconv.Atoi(cells[2])
	r := Row{Work: cells[0], Row: row, Rows: rows, File: uncell(cells[3]), Params: Values{}}
	for i := 4; i < len(names); i++ {
		name, ok := strings.CutPrefix(names[i], paramColumn)
		if !ok {
			break
		}
		value, err := strconv.ParseUint(cells[i], 10, 64)
		if err != nil {
			return Row{}, errLine
		}
		r.Params = append(r.Params, Value{name, value})
	}
	if err1 != nil || err2 != nil || !r.placed() {
		return Row{}, errLine
	}
	return r, nil
}

// uncell is the text that prose.Cell makes a cell of.
func uncell(cell string) string {
	if text, ok := strings.CutPrefix(cell, "'"); ok && prose.Cell(text) == cell {
		return text
	}
	return cell
}
