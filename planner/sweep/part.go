package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// part is a part file: a header that names the work, and behind it finished rows in any
// order, each sealed. It is only ever appended to, a line by one call, so that it does no
// harm if two runs have it open. A line that is damaged in any way is no row.
type part struct {
	mu   sync.Mutex
	file *os.File
}

const partMark = "seqplan sweep, finished rows of "

func (w *Work) partHeader() []byte { return append(seal([]byte(partMark+w.id)), '\n') }

// openPart opens or creates a part file and returns the rows in it. A file that is not of
// the work is an OtherError, or, with anew, is overwritten.
func (w *Work) openPart(path string, anew bool) (*part, map[int]Row, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, err
	}
	rows, err := w.readPart(file, path)
	if anew && errors.As(err, new(*OtherError)) {
		rows, err = nil, w.beginPart(file)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return &part{file: file}, rows, nil
}

func (w *Work) readPart(file *os.File, path string) (map[int]Row, error) {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file that rows can be kept in", path)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	header := w.partHeader()
	if len(data) < len(header) && bytes.HasPrefix(header, data) { // new, or killed while it was
		return nil, w.beginPart(file)
	}
	lines := bytes.Split(data, []byte("\n"))
	if !bytes.HasPrefix(data, header) {
		return nil, &OtherError{path, w.differs(lines)}
	}
	rows := map[int]Row{}
	for _, line := range lines[1:] {
		if r, ok := w.finished(line); ok {
			rows[r.Row] = r
		}
	}
	if data[len(data)-1] != '\n' { // what is torn off must not spoil the next line
		_, err = file.Write([]byte{'\n'})
	}
	return rows, err
}

// beginPart makes a part file without rows.
func (w *Work) beginPart(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.Write(w.partHeader())
	return err
}

// differs says how the rows of the part file of another work differ; nothing if the lines
// are not those of a part file.
func (w *Work) differs(lines [][]byte) string {
	first, ok := unseal(lines[0])
	if !ok || !bytes.HasPrefix(first, []byte(partMark)) {
		return ""
	}
	var rows []Row
	for _, line := range lines[1:] {
		text, _ := unseal(line)
		if r, err := parseLine(text); err == nil {
			rows = append(rows, r)
		}
	}
	return w.grid(Shard{}).differs(rows)
}

// finished reads a line of a part file.
func (w *Work) finished(line []byte) (Row, bool) {
	text, ok := unseal(line)
	if !ok {
		return Row{}, false
	}
	r, err := parseLine(text)
	if err != nil || r.Rows != w.rows {
		return Row{}, false
	}
	head := w.head(r.Row)
	head.Result = r.Result
	return r, bytes.Equal(head.line(), text)
}

// add appends a row.
func (p *part) add(r Row) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.file.Write(append(seal(r.line()), '\n'))
	return err
}
