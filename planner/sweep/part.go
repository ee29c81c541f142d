package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// part is a part file: a header that names the work and the shard, and behind it finished
// rows in any order, each sealed. It appears with its header, and is only ever appended to, a
// line by one call, so that it does no harm if two runs of the same have it open. A line that
// is damaged in any way is no row.
type part struct {
	mu   sync.Mutex
	file *os.File
}

const partMark = "seqplan sweep, finished rows of "

func (w *Work) partHeader(s Shard) []byte {
	return append(seal([]byte(partMark+w.id+", shard "+s.String())), '\n')
}

// openPart opens or creates a part file and returns the rows in it. A file that is not of
// the work and the shard is an OtherError, or, with anew, is overwritten.
func (w *Work) openPart(path string, s Shard, anew bool) (*part, map[int]Row, error) {
	err := w.beginPart(path, s, linkNew)
	if err != nil && !errors.Is(err, os.ErrExist) {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, err
	}
	rows, err := w.readPart(file, path, s)
	if torn := errors.Is(err, errTorn); torn || anew && errors.As(err, new(*OtherError)) {
		file.Close()
		if err := w.beginPart(path, s, os.Rename); err != nil {
			return nil, nil, err
		}
		return w.openPart(path, s, false)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return &part{file: file}, rows, nil
}

var errTorn = errors.New("not even a header")

func (w *Work) readPart(file *os.File, path string, s Shard) (map[int]Row, error) {
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file that rows can be kept in", path)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	header := w.partHeader(s)
	if len(data) < len(header) && bytes.HasPrefix(header, data) {
		return nil, errTorn
	}
	lines := bytes.Split(data, []byte("\n"))
	if !bytes.HasPrefix(data, header) {
		return nil, &OtherError{path, w.differs(lines, s)}
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

// beginPart makes a part file without rows, all at once.
func (w *Work) beginPart(path string, s Shard, put func(from, to string) error) error {
	return place(path, w.partHeader(s), put)
}

// place writes a file beside its place, and then puts it there.
func place(path string, data []byte, put func(from, to string) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new.*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it is gone if it was renamed
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = put(f.Name(), path)
	}
	return err
}

// linkNew puts a file where there is none, or fails with os.ErrExist. Some file systems of
// clusters have no hard links: there the file appears before its text.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// differs says how the rows of the part file of another work, or of another shard, differ;
// nothing if the lines are not those of a part file.
func (w *Work) differs(lines [][]byte, s Shard) string {
	first, ok := unseal(lines[0])
	name, ok2 := strings.CutPrefix(string(first), partMark)
	if !ok || !ok2 {
		return ""
	}
	if shard, ok := strings.CutPrefix(name, w.id+", shard "); ok {
		return fmt.Sprintf("there they are of shard %s, and here of %s", shard, s)
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
