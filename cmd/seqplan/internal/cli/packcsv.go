package cli

import (
	"io"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

// table is a CSV file that was read without an error.
type table struct {
	path string
	*csvfile.File
}

// name is the path for people.
func (t *table) name() string {
	if t.path == "-" {
		return "stdin"
	}
	return t.path
}

// read reads a CSV file, or stdin if the path is -, and reports its faults.
func (f *packFlags) read(path string, s streams) (*table, error) {
	data, err := f.diagnostics.read(path, anySize, s)
	if err != nil {
		return nil, err
	}
	file, faults := csvfile.Read(path, data)
	if err := f.report(faults, path, data, s); err != nil {
		return nil, err
	}
	return &table{path, file}, nil
}

// problem returns the rows as buffers, in their order.
func (t *table) problem() pack.Problem {
	p := pack.Problem{Buffers: make([]pack.Buffer, len(t.Buffers))}
	for i := range t.Buffers {
		row := &t.Buffers[i]
		b := pack.Buffer{First: row.Lower, End: row.Upper, Size: row.Size, Align: row.Align, Offset: row.Offset, Hint: row.Hint}
		for _, g := range row.Gaps {
			gap := pack.Gap{First: g.Lower, End: g.Upper}
			if g.Window != nil {
				gap.Low, gap.High = g.Window.Lo, g.Window.Hi
			}
			b.Gaps = append(b.Gaps, gap)
		}
		p.Buffers[i] = b
	}
	return p
}

// row makes a row of a buffer.
func row(id string, b pack.Buffer) csvfile.Buffer {
	r := csvfile.Buffer{ID: id, Lower: b.First, Upper: b.End, Size: b.Size, Align: b.Align, Offset: b.Offset, Hint: b.Hint}
	for _, g := range b.Gaps {
		gap := csvfile.Gap{Lower: g.First, Upper: g.End}
		if g.Low < g.High {
			gap.Window = &csvfile.Window{Lo: g.Low, Hi: g.High}
		}
		r.Gaps = append(r.Gaps, gap)
	}
	return r
}

// write writes the rows with these offsets.
func (t *table) write(w io.Writer, offsets []uint64) error {
	placed := csvfile.File{Buffers: make([]csvfile.Buffer, len(t.Buffers))}
	for i := range t.Buffers {
		placed.Buffers[i] = t.Buffers[i]
		placed.Buffers[i].Offset = &offsets[i]
	}
	return csvfile.Write(w, &placed)
}
