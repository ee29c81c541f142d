package report

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// csvColumns are the columns of CSV.
var csvColumns = [...]string{
	"name", "class", "scope", "step", "kind", "type", "elem_size", "count", "first", "end",
	"max", "typical", "offset", "slot", "in_place_of", "driven_by",
}

// CSV writes one row for each buffer, in the order of the file, below the names of the
// columns. A cell is empty where there is nothing to say: the step of an input, the
// largest size of a dynamic buffer without bound, the typical size of a static one, the
// offset of a dynamic one. Names that a spreadsheet would take for formulas have an
// apostrophe in front.
func CSV(w io.Writer, p *planner.Plan) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvColumns[:]); err != nil {
		return err
	}
	for i := range p.Buffers {
		if err := out.Write(csvRow(p, &p.Buffers[i])); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(p *planner.Plan, b *planner.Buffer) []string {
	known := func(v sequences.Bytes, is bool) string {
		if !is {
			return ""
		}
		return strconv.FormatUint(uint64(v), 10)
	}
	number := func(n int, is bool) string {
		if !is {
			return ""
		}
		return strconv.Itoa(n)
	}
	typical := sequences.Bytes(0)
	if b.Typical != nil {
		typical = *b.Typical
	}
	static := b.Class == planner.Static
	step := ""
	if b.Step >= 0 {
		step = stepName(p, b.Step)
	}
	return []string{
		prose.Cell(b.Name), b.Class.String(), b.Scope.String(), prose.Cell(step), b.Kind.String(), prose.Cell(b.Type),
		known(b.ElemSize, true), prose.Cell(b.Count), number(int(b.Lifetime.First), true), number(int(b.Lifetime.End), true),
		known(b.Max, b.Proof != planner.ProofNone), known(typical, b.Typical != nil),
		known(b.Offset, static), number(b.Slot, !static), prose.Cell(b.InPlaceOf), prose.Cell(strings.Join(b.DrivenBy, " ")),
	}
}
