package text

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// Diagnostic is what a result is worth, and false if it says nothing. Its notes are, for a
// budget that is exceeded, what takes most and the ways back.
func Diagnostic(r *budget.Result) (sequences.Diagnostic, bool) {
	d := sequences.Diagnostic{Pos: r.Pos, Code: r.Code, Severity: diag.Error}
	switch r.Code {
	case "":
		return d, false
	case budget.CodeIdle:
		d.Severity = diag.Warning
		d.Message = fmt.Sprintf("the budget %q can never be exceeded: %s", r.Name, r.Idle)
		d.Hint = "remove it, or write 0 for memory that must not be"
		if r.Kind == sequences.BudgetPool && r.Buffers > 0 || r.Limit == ^sequences.Bytes(0) {
			d.Hint = "remove it, or lower it"
		}
	case budget.CodeExceeded, budget.CodeCapacity:
		name := "budget"
		if r.Code == budget.CodeCapacity {
			name = "declared capacity"
		}
		d.Message = fmt.Sprintf("the %s %q is exceeded by %s: %s needs %s, the limit is %s",
			name, r.Name, report.Bytes(r.Over), subject(r), report.Bytes(r.Used), report.Bytes(r.Limit))
		d.Hint = hint(r)
		d.Notes = append(parts(r), back(r)...)
	default:
		d.Message = fmt.Sprintf("the budget %q cannot be checked: %s", r.Name, r.Fault)
		if r.Code == budget.CodeNoSize {
			d.Hint = "declare it, or give the budget another basis"
		}
	}
	return d, true
}

// subject is what a budget is for.
func subject(r *budget.Result) string {
	_, of, _ := strings.Cut(r.Name, ".")
	basis := ""
	if r.Basis != "" {
		basis = fmt.Sprintf(" (%s)", r.Basis)
	}
	switch r.Kind {
	case sequences.BudgetTotal:
		if r.Workers > 0 {
			return fmt.Sprintf("the device memory of all %d workers%s", r.Workers, basis)
		}
		return "the device memory of all workers" + basis
	case sequences.BudgetPool:
		return fmt.Sprintf("the static %s region", of)
	case sequences.BudgetCapacity:
		scope, _, _ := strings.Cut(r.Name, ".")
		return fmt.Sprintf("the static %s region", scope)
	case sequences.BudgetArena:
		return "the arena" + basis
	case sequences.BudgetClass:
		class, scope, _ := strings.Cut(of, "_")
		return fmt.Sprintf("the sum of the %s %s buffers%s", class, scope, basis)
	}
	return "the sum of the buffers" + basis
}

// hint names the largest buffer and the first way.
func hint(r *budget.Result) string {
	var parts []string
	if len(r.Culprits) > 0 {
		c := &r.Culprits[0]
		parts = append(parts, fmt.Sprintf("%q at line %d takes %.1f %%", c.Name, c.Line, c.Percent))
	}
	if len(r.Ways) > 0 {
		w := &r.Ways[0]
		at := ""
		if w.Line > 0 && (len(r.Culprits) == 0 || w.Line != r.Culprits[0].Line) {
			at = fmt.Sprintf(" at line %d", w.Line)
		}
		enough := "enough would be "
		if w.Kind.If() {
			enough = "it holds "
		}
		parts = append(parts, enough+Way(w)+at)
	}
	if r.Kind == sequences.BudgetCapacity && strings.HasPrefix(r.Name, sequences.Device.String()) {
		parts = append(parts, "the arena is not counted here, seqplan fit does")
	}
	return strings.Join(parts, "; ")
}

// noteAt makes a note about a place in the file of a result.
func noteAt(r *budget.Result, label string, at budget.Place, message string) diag.Note {
	n := diag.Note{Label: label, Message: message}
	if at.Line > 0 {
		n.Pos = diag.Pos{File: r.Pos.File, Line: at.Line, Col: at.Col}
	}
	return n
}
