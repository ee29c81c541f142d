package cli

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// The faults that pack finds in a packing, or for want of one. They continue the codes
// of CSV files and keep their meaning for ever; docs/diagnostics.md describes them.
const (
	codeNoOffset     diag.Code = "SP0450"
	codeOverlap      diag.Code = "SP0451"
	codeOverCapacity diag.Code = "SP0452"
	codePacking      diag.Code = "SP0453"
	codeNoPacking    diag.Code = "SP0454"
)

func packTitles() diag.Titles {
	return diag.Titles{
		codeNoOffset:     "a buffer without an offset in a packing",
		codeOverlap:      "two buffers use the same bytes at the same time",
		codeOverCapacity: "a buffer ends above the capacity",
		codePacking:      "a packing is wrong in another way",
		codeNoPacking:    "buffers have no packing",
	}
}

// packTitle says in a few words what a code of a packing means; "" if it is none.
func packTitle(code diag.Code) string { return packTitles()[code] }

func faultCode(kind audit.Kind) diag.Code {
	switch kind {
	case audit.Overlap:
		return codeOverlap
	case audit.OverCapacity:
		return codeOverCapacity
	}
	return codePacking
}

// reportNoPacking says that buffers have no packing, to machines: people have the report.
func (r *packReport) reportNoPacking(s streams) {
	d := diag.Diagnostic{Pos: diag.Pos{File: r.table.path}, Code: codeNoPacking, Severity: diag.Error, Message: "there is no packing"}
	if c := r.problem.Capacity; c != nil {
		d.Message += fmt.Sprintf(" of at most %d bytes", *c)
	}
	if of := r.result.Conflict; len(of) > 0 {
		d.Pos = r.table.at(of[0])
		d.Message += " of " + r.conflict()
	}
	s.found.add(diag.List{d}, "", nil)
}
