package sweep

import (
	"bytes"
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

// PartError says that a part file is there which is not of the work.
type PartError struct {
	Path  string
	Other bool // it is of another sweep; else it is no part file at all
}

func (e *PartError) Error() string {
	if e.Other {
		return fmt.Sprintf("%s holds rows of another sweep, with other files, parameters or another version of this program; remove it to start anew", e.Path)
	}
	return fmt.Sprintf("%s is no part file of a sweep; remove it, or choose another output", e.Path)
}

const partMark = "seqplan sweep, finished rows of "

func (w *Work) partHeader() []byte { return append(seal([]byte(partMark+w.id)), '\n') }

// openPart opens or creates a part file and returns the rows in it.
func (w *Work) openPart(path string) (*part, map[int]Row, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, err
	}
	rows, err := w.readPart(file, path)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return &part{file: file}, rows, nil
}

func (w *Work) readPart(file *os.File, path string) (map[int]Row, error) {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, &PartError{Path: path}
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	header := w.partHeader()
	if len(data) < len(header) && bytes.HasPrefix(header, data) { // new, or killed while it was
		if err := file.Truncate(0); err != nil {
			return nil, err
		}
		_, err := file.Write(header)
		return nil, err
	}
	lines := bytes.Split(data, []byte("\n"))
	if !bytes.HasPrefix(data, header) {
		first, ok := unseal(lines[0])
		return nil, &PartError{Path: path, Other: ok && bytes.HasPrefix(first, []byte(partMark))}
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

// finished reads a line of a part file.
func (w *Work) finished(line []byte) (Row, bool) {
	text, ok := unseal(line)
	if !ok {
		return Row{}, false
	}
	r, err := parseLine(text)
	if err != nil || r.Row < 0 || r.Row >= w.rows {
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
