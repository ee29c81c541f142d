package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// packReport is a result with the table that it is of.
type packReport struct {
	table   *table
	problem pack.Problem
	result  pack.Result
	engine  pack.Engine
}

// printLine prints a named line of a report.
func printLine(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "  %-9s %s\n", name, fmt.Sprintf(format, args...))
}

// text prints the report for people.
func (r *packReport) text(w io.Writer, proof bool) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	res := &r.result
	fmt.Fprintf(out, "%s: %s\n", r.table.name(), countBuffers(len(r.table.Buffers)))
	status := res.Status.String()
	if res.Interrupted {
		status += ", interrupted"
	}
	printLine(out, "status", "%s", status)
	if r.placed() {
		printLine(out, "height", "%s", byteText(res.Height))
	}
	if r.problem.Capacity != nil {
		printLine(out, "capacity", "%s", byteText(*r.problem.Capacity))
	}
	printLine(out, "bound", "%s", boundText(res.Bound))
	if r.placed() {
		printLine(out, "gap", "%s", gapText(res.Gap()))
	}
	if res.Status == pack.Infeasible {
		printLine(out, "conflict", "%s", r.conflict())
		if !proof {
			printLine(out, "because", "%s", r.proof().Reason)
		}
	}
	if h := r.hints(); h != nil && r.placed() {
		printLine(out, "hints", "%d of %d kept", h.Kept, h.Given)
	}
	if res.Method != "" {
		printLine(out, "method", "%s", res.Method)
	}
	printLine(out, "nodes", "%d, effort %s, seed %d", res.Nodes, r.engine.Effort, r.engine.Seed)
	if proof {
		fmt.Fprintln(out)
		r.proof().text(out)
	}
	return out.Flush()
}

// hints counts the hints of a table, and those that the packing keeps; nil if there
// are none.
func (r *packReport) hints() *jsonHints {
	var h jsonHints
	for i := range r.problem.Buffers {
		if at := r.problem.Buffers[i].Hint; at != nil {
			h.Given++
			if i < len(r.result.Offsets) && r.result.Offsets[i] == *at {
				h.Kept++
			}
		}
	}
	if h.Given == 0 {
		return nil
	}
	return &h
}

// placed tells whether there are offsets. Those of an unknown result are above the
// capacity.
func (r *packReport) placed() bool {
	return r.result.Status != pack.Infeasible && len(r.result.Offsets) == len(r.table.Buffers)
}

func countBuffers(n int) string {
	if n == 1 {
		return "1 buffer"
	}
	return fmt.Sprintf("%d buffers", n)
}

func byteText(bytes uint64) string { return report.Bytes(sequences.Bytes(bytes)) }

func boundText(b pack.Bound) string {
	if b.Bytes == 0 {
		return byteText(0)
	}
	return fmt.Sprintf("%s, %s in the steps [%d, %d)", byteText(b.Bytes), b.Kind, b.First, b.End)
}

// gapText prints a gap in percent; it is 0 only if the gap is.
func gapText(gap float64) string { return fmt.Sprintf("%.3g %%", 100*gap) }

// maxNamed is how many buffers of a conflict are named in a line.
const maxNamed = 10

func (r *packReport) conflict() string {
	ids := r.conflictIDs()
	what := countBuffers(len(ids))
	if r.result.Minimal {
		what += ", minimal"
	}
	more := ""
	if len(ids) > maxNamed {
		more = fmt.Sprintf(" and %d more; -proof lists them", len(ids)-maxNamed)
		ids = ids[:maxNamed]
	}
	return fmt.Sprintf("%s: %s%s", what, strings.Join(ids, ", "), more)
}

func (r *packReport) conflictIDs() []string {
	ids := make([]string, len(r.result.Conflict))
	for k, i := range r.result.Conflict {
		ids[k] = r.table.Buffers[i].ID
	}
	return ids
}
