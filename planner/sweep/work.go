package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/sequences"
)

// Format is the version of the rows. A change in what a row says of the same input is a
// new one.
const Format = 3

// File is a sequence file.
type File struct {
	Path string // as the rows name it
	Data []byte
	Err  error // why it cannot be read, which each of its rows says then
}

// Work is what a sweep has to do. It is immutable.
type Work struct {
	id       string
	identity []byte // of the program and the formats
	files    []source
	axes     []axis
	rows     int
}

type source struct {
	path  string
	hash  [sha256.Size]byte
	seq   *sequences.Sequence
	found sequences.Diagnostics // in reading it
	err   error                 // the result of each of its rows
}

// ErrNoParam says that no file has a parameter of the grid.
var ErrNoParam = errors.New("no file has the parameter")

// NewWork makes the grid of files and ranges; the last range varies fastest, the files
// slowest. program is the version of the program: results of another one are not mixed
// with these. It fails with a SizeError, and with ErrNoParam.
func NewWork(program string, files []File, ranges []Range) (*Work, error) {
	axes, err := makeAxes(ranges, len(files))
	if err != nil {
		return nil, err
	}
	w := &Work{axes: axes, rows: len(files)}
	h := sha256.New()
	// Each word with its length: no two works are the same text.
	word := func(text string) { fmt.Fprintf(h, "%d:%s ", len(text), text) }
	w.identity = fmt.Appendf(nil, "sweep %d plan %d abi %d program %d:%s", Format, planner.PlanFormat, abi.Version, len(program), program)
	word(string(w.identity))
	for _, f := range files {
		s := newSource(f)
		w.files = append(w.files, s)
		word(s.path)
		if f.Err != nil {
			word("not read: " + f.Err.Error())
			continue
		}
		word(string(s.hash[:]))
	}
	for _, a := range axes {
		w.rows *= len(a.values)
		word("param " + a.param)
		for _, v := range a.values {
			word(strconv.FormatUint(v, 10))
		}
		if !w.known(a.param) {
			return nil, fmt.Errorf("%w %q", ErrNoParam, a.param)
		}
	}
	w.id = hex.EncodeToString(h.Sum(nil)[:8])
	return w, nil
}

func newSource(f File) source {
	s := source{path: prose.Plain(f.Path), err: f.Err}
	if f.Err != nil {
		_ = errors.As(f.Err, &s.found)
		return s
	}
	s.hash = sha256.Sum256(f.Data)
	s.seq, s.found = sequences.Read(f.Path, f.Data)
	if s.err = s.found.Err(); s.err == nil && s.seq == nil {
		s.err = errors.New("no sequence")
	}
	return s
}

// Found returns what is to be said about a file as such, warnings too: of a file that
// cannot be read its error, if that is of the type sequences.Diagnostics.
func (w *Work) Found(file int) sequences.Diagnostics { return w.files[file].found }

// known tells whether a file has a parameter, or may have.
func (w *Work) known(name string) bool {
	for _, f := range w.files {
		if f.err != nil {
			return true
		}
		for _, p := range f.seq.Params {
			if p.Name == name {
				return true
			}
		}
	}
	return false
}

// ID is 16 hexadecimal digits: the hash of all that the rows depend on.
func (w *Work) ID() string { return w.id }

// Rows is the number of rows.
func (w *Work) Rows() int { return w.rows }

// at returns the file and the values of a row.
func (w *Work) at(row int) (*source, Values) {
	values := make(Values, len(w.axes))
	for i := len(w.axes) - 1; i >= 0; i-- {
		a := &w.axes[i]
		values[i] = Value{a.param, a.values[row%len(a.values)]}
		row /= len(a.values)
	}
	return &w.files[row], values
}

// head is a row without its result.
func (w *Work) head(row int) Row {
	f, values := w.at(row)
	return Row{Work: w.id, Row: row, Rows: w.rows, File: f.path, Params: values}
}

// key identifies the result of a row among the rows of all works: whatever the file is
// called.
func (w *Work) key(row int) string {
	f, values := w.at(row)
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s %x", len(w.identity), w.identity, f.hash)
	for _, v := range values.sorted() {
		fmt.Fprintf(h, " %d:%s=%d", len(v.Param), v.Param, v.Value)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// result makes the plan of a row. It fails if it is cancelled; all else is a result.
func (w *Work) result(ctx context.Context, row int) (Result, error) {
	f, values := w.at(row)
	if f.err != nil {
		return failed(f.err), nil
	}
	seq := f.seq
	for _, v := range values {
		var err error
		if seq, err = restrict(seq, v); err != nil {
			return failed(err), nil
		}
	}
	plan, err := planner.Make(seq, planner.Options{Context: ctx})
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	if err != nil {
		return failed(err), nil
	}
	budgets, err := budget.Evaluate(seq, plan, budget.Options{})
	if err != nil {
		return failed(err), nil
	}
	return newResult(plan, budgets), nil
}

// restrict is the sequence for a parameter up to a value.
func restrict(seq *sequences.Sequence, v Value) (*sequences.Sequence, error) {
	low := v.Value
	for _, p := range seq.Params {
		if p.Name == v.Param && !p.Fixed() {
			low = p.Min
		}
	}
	return planner.WithParam(seq, v.Param, low, v.Value)
}
