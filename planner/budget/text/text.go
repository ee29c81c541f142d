package text

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// Diagnostic is what a result is worth, and false if it says nothing.
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

// hint names the largest buffer and the way that changes least.
func hint(r *budget.Result) string {
	var parts []string
	if len(r.Culprits) > 0 {
		c := &r.Culprits[0]
		parts = append(parts, fmt.Sprintf("%q at line %d takes %.1f %%", c.Name, c.Line, c.Percent))
	}
	if len(r.Ways) > 0 {
		parts = append(parts, "enough would be "+way(&r.Ways[0]))
	}
	if r.Kind == sequences.BudgetCapacity && strings.HasPrefix(r.Name, sequences.Device.String()) {
		parts = append(parts, "the arena is not counted here, seqplan fit does")
	}
	return strings.Join(parts, "; ")
}

// way is one way in words.
func way(w *budget.Way) string {
	switch w.Kind {
	case budget.WayMax, budget.WayTypical:
		return fmt.Sprintf("%s of %s = %d (now %d)", w.Kind, w.Name, w.To, w.From)
	case budget.WayBuffer:
		return fmt.Sprintf("%q with at most %s (now %s)", w.Name, report.Bytes(sequences.Bytes(w.To)), report.Bytes(sequences.Bytes(w.From)))
	}
	return fmt.Sprintf("%s = %d (now %d)", w.Name, w.To, w.From)
}

// Details writes what is below the diagnostic of a budget that is exceeded: what takes most,
// and the ways back. For other results it writes nothing.
func Details(w io.Writer, r *budget.Result) error {
	if r.Over == 0 {
		return nil
	}
	out := bufio.NewWriter(w) // keeps the first error until Flush
	if len(r.Culprits) > 0 {
		fmt.Fprintln(out, "    what takes most:")
	}
	for i := range r.Culprits {
		c := &r.Culprits[i]
		step := "an input"
		if c.Step != "" {
			step = "step " + c.Step
		}
		fmt.Fprintf(out, "      %5.1f %%  %s  %s, line %d: %s, %s %s", c.Percent, report.Bytes(c.Bytes), c.Name, c.Line, step, c.Class, c.Scope)
		if c.Basis != "" {
			fmt.Fprintf(out, ", %s", c.Basis)
		}
		fmt.Fprintf(out, ": %s\n", strings.Join(strings.Fields(c.Formula), " ")) // it may have line breaks
	}
	if more := r.Buffers - len(r.Culprits); more > 0 {
		fmt.Fprintf(out, "      and %d more\n", more)
	}
	if len(r.Ways) == 0 {
		fmt.Fprintln(out, "    no single change was found that is enough")
	} else {
		fmt.Fprintln(out, "    back under the limit, each of these alone, and no larger value:")
	}
	for i := range r.Ways {
		v := &r.Ways[i]
		fmt.Fprintf(out, "      %s, line %d: needs %s", way(v), v.Line, report.Bytes(v.Used))
		if v.Limit != r.Limit {
			fmt.Fprintf(out, " of %s", report.Bytes(v.Limit))
		}
		fmt.Fprintln(out)
	}
	if r.NoBatch {
		fmt.Fprintln(out, "      no batch: the smallest one is over the limit too")
	}
	if r.Cut {
		fmt.Fprintln(out, "      others were not looked for, they would take too much work")
	}
	return out.Flush()
}
