package text

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/sequences"
)

// annotated is how many of the largest buffers an annotation names.
const annotated = 3

// Annotations are the diagnostics of results for a review, which shows them beside the lines
// that a change touches: short, with the hint and the largest buffers, and where budgets are
// exceeded with a warning at the largest buffer too. A change seldom touches the line of the
// budget, but often that of the buffer.
func Annotations(results []budget.Result) sequences.Diagnostics {
	var out sequences.Diagnostics
	var names []string
	over := map[string][]*budget.Result{} // exceeded, by the name of the largest buffer
	for i := range results {
		r := &results[i]
		d, ok := Diagnostic(r)
		if !ok {
			continue
		}
		d.Notes = nil
		if r.Over > 0 {
			for _, c := range r.Culprits[:min(len(r.Culprits), annotated)] {
				d.Notes = append(d.Notes, noteAt(r, most, c.Place, share(c.Percent, c.Bytes, c.Name)))
			}
		}
		out = append(out, d)
		if len(d.Notes) > 0 {
			name := r.Culprits[0].Name
			if over[name] == nil {
				names = append(names, name)
			}
			over[name] = append(over[name], r)
		}
	}
	for _, name := range names {
		out = append(out, largest(name, over[name]))
	}
	return out
}

// largest is the warning at the buffer that takes most of some budgets.
func largest(name string, of []*budget.Result) sequences.Diagnostic {
	var shares []string
	for _, r := range of {
		shares = append(shares, fmt.Sprintf("%.1f %% of %q", r.Culprits[0].Percent, r.Name))
	}
	exceeded := "which is exceeded"
	if len(of) > 1 {
		exceeded = "which are exceeded"
	}
	return sequences.Diagnostic{
		Pos: noteAt(of[0], "", of[0].Culprits[0].Place, "").Pos, Code: of[0].Code, Severity: diag.Warning,
		Message: fmt.Sprintf("%q takes %s, %s", name, strings.Join(shares, ", "), exceeded),
	}
}
