package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
)

// OtherError says that there is a file already, an output or a part file, with something
// else in it than rows that are to be written there.
type OtherError struct {
	Path    string
	Differs string // how its rows are others; empty if it has no rows of a sweep
}

func (e *OtherError) Error() string {
	if e.Differs == "" {
		return e.Path + " is there and holds no rows of a sweep"
	}
	return fmt.Sprintf("%s holds other rows than this sweep makes: %s", e.Path, e.Differs)
}

// CheckOutput returns an OtherError unless all rows of a file are of a shard of the work,
// so that nothing is lost if they are written anew.
func (w *Work) CheckOutput(old File, s Shard) error {
	return check(old, w.grid(s))
}

func (w *Work) grid(s Shard) *grid {
	return &grid{w.id, w.rows, func(row int) (Row, bool) { return w.head(row), s.has(row) }}
}

// CheckMerged is CheckOutput for what Merge returns.
func CheckMerged(old File, merged []byte) error {
	o, err := readOutput(File{Data: merged})
	if err != nil {
		return err
	}
	return check(old, &grid{o.rows[0].Work, len(o.rows), func(row int) (Row, bool) { return o.rows[row].Row, true }})
}

func check(old File, g *grid) error {
	o, err := readOutput(old)
	if err != nil {
		return &OtherError{Path: old.Path}
	}
	if len(o.rows) == 0 {
		return nil
	}
	rows := make([]Row, len(o.rows))
	for i := range rows {
		rows[i] = o.rows[i].Row
	}
	if differs := g.differs(rows); differs != "" {
		return &OtherError{old.Path, differs}
	}
	return nil
}

// grid is the rows that are to be written.
type grid struct {
	work string
	rows int
	at   func(row int) (Row, bool) // its head, and whether it is to be written
}

// differs says what some rows have that a grid has not; nothing if they are rows of it.
func (g *grid) differs(old []Row) string {
	if len(old) == 0 {
		return "a file, the grid, or the version of this program is another"
	}
	first, _ := g.at(0)
	if there, here := old[0].Params.names(), first.Params.names(); there != here {
		return fmt.Sprintf("there the parameters are (%s), and here (%s)", there, here)
	}
	rest := ""
	for _, r := range old {
		if r.Rows != g.rows {
			return fmt.Sprintf("there the grid has %s, and here %d", prose.Plural(r.Rows, "row"), g.rows)
		}
		here, ok := g.at(r.Row)
		if r.File != here.File || !slices.Equal(r.Params, here.Params) {
			return fmt.Sprintf("there row %d is %s, and here %s", r.Row, r.Point(), here.Point())
		}
		switch {
		case r.Work != g.work:
			rest = "the content of a file, or the version of this program, is another"
		case !ok && rest == "":
			rest = fmt.Sprintf("there is row %d, which is not of this shard", r.Row)
		}
	}
	return rest
}

func (v Values) names() string {
	var out []string
	for _, p := range v {
		out = append(out, p.Param)
	}
	return prose.Plain(strings.Join(out, ", "))
}

// Point is what a row is of, in words.
func (r *Row) Point() string {
	var words strings.Builder
	for _, v := range r.Params {
		fmt.Fprintf(&words, "%s = %d, ", v.Param, v.Value)
	}
	return prose.Plain(words.String() + r.File)
}
