package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// verification is what is known of the packing that the column offset gives.
type verification struct {
	table   *table
	problem pack.Problem // without the offsets: they are what is checked, not a condition
	result  pack.Result  // with the bound where there are no faults
	faults  diag.List
}

// verifyPacking checks the packing that the column offset gives.
func (f *packFlags) verifyPacking(t *table, s streams) error {
	v := &verification{table: t, problem: t.problem()}
	if f.capacity > 0 {
		v.problem.Capacity = (*uint64)(&f.capacity)
	}
	if err := v.check(); err != nil {
		return err
	}
	if f.asJSON {
		if err := v.json(s.out); err != nil {
			return err
		}
	} else if len(v.faults) == 0 {
		return v.text(s.out)
	}
	return f.reportFaults(v.faults, s)
}

func (v *verification) check() error {
	buffers := v.problem.Buffers
	if !slices.ContainsFunc(buffers, func(b pack.Buffer) bool { return b.Offset != nil }) && len(buffers) > 0 {
		return fmt.Errorf("%s has no offsets to check; a result of seqplan pack -o has a column offset", v.table.name())
	}
	r := &v.result
	r.Status, r.Offsets = pack.Feasible, make([]uint64, len(buffers))
	for i := range buffers {
		b := &buffers[i]
		if b.Offset == nil {
			v.faults = append(v.faults, diag.Diagnostic{
				Pos: v.table.at(i), Code: codeNoOffset, Severity: diag.Error,
				Message: fmt.Sprintf("the buffer %s has no offset", v.table.Buffers[i].ID),
			})
			continue
		}
		r.Offsets[i], b.Offset = *b.Offset, nil
		end, err := checked.Add(r.Offsets[i], b.Size)
		if err != nil {
			return fmt.Errorf("%s: end of the buffer %s: %w", v.table.at(i), v.table.Buffers[i].ID, err)
		}
		r.Height = max(r.Height, end)
	}
	var faults audit.Faults
	if err := audit.Check(v.problem, *r); len(v.faults) == 0 && errors.As(err, &faults) {
		for _, fault := range faults {
			v.faults = append(v.faults, v.table.diagnose(fault))
		}
	}
	if len(v.faults) > 0 {
		return nil
	}
	var err error
	r.Bound, err = pack.LowerBound(v.problem)
	return err
}

func (v *verification) text(w io.Writer) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	fmt.Fprintf(out, "%s: %s, a packing without faults\n", v.table.name(), countBuffers(len(v.table.Buffers)))
	printLine(out, "height", "%s", byteText(v.result.Height))
	if c := v.problem.Capacity; c != nil {
		printLine(out, "capacity", "%s", byteText(*c))
	}
	printLine(out, "bound", "%s", boundText(v.result.Bound))
	printLine(out, "gap", "%s", gapText(v.result.Gap()))
	return out.Flush()
}

// verifyJSON is the JSON form of a verification.
type verifyJSON struct {
	Format   int        `json:"seqplan_pack_verify"`
	Buffers  int        `json:"buffers"`
	Faults   []string   `json:"faults"`
	Capacity *uint64    `json:"capacity,omitempty"`
	Height   *uint64    `json:"height,omitempty"`
	Bound    *jsonBound `json:"bound,omitempty"`
	Gap      *float64   `json:"gap,omitempty"` // as a part of the bound
}

func (v *verification) json(w io.Writer) error {
	out := verifyJSON{Format: packFormat, Buffers: len(v.table.Buffers), Faults: make([]string, len(v.faults)), Capacity: v.problem.Capacity}
	for i, d := range v.faults {
		out.Faults[i] = plain(d)
	}
	if len(v.faults) == 0 {
		bound, gap := newJSONBound(v.result.Bound), v.result.Gap()
		out.Height, out.Bound, out.Gap = &v.result.Height, &bound, &gap
	}
	return writeJSON(w, out)
}

// reportFaults prints the faults of a packing. Text has neither codes nor source lines,
// since most faults are of two lines, and with -json stdout has it.
func (f *packFlags) reportFaults(found diag.List, s streams) error {
	if s.forMachines() {
		s.found.add(found, "", nil)
	} else if !f.asJSON {
		for i, d := range found {
			if i == diag.RenderCap && !f.all {
				fmt.Fprintf(s.err, "... and %d more; use -all\n", len(found)-i)
				break
			}
			fmt.Fprintln(s.err, plain(d))
		}
	}
	if len(found) > 0 {
		return errReported
	}
	return nil
}

// plain is a fault of a packing as text.
func plain(d diag.Diagnostic) string { return fmt.Sprintf("%s: %s", d.Pos, d.Message) }

// at is the place of a row.
func (t *table) at(i int) diag.Pos { return diag.Pos{File: t.path, Line: t.Buffers[i].Line} }

// fault prints a fault with the lines of its buffers.
func (t *table) fault(f audit.Fault) string { return plain(t.diagnose(f)) }

// diagnose makes a diagnostic of a fault.
func (t *table) diagnose(f audit.Fault) diag.Diagnostic {
	d := diag.Diagnostic{Pos: diag.Pos{File: t.path}, Code: faultCode(f.Kind), Severity: diag.Error}
	if f.Buffer < 0 {
		d.Message = fmt.Sprintf("%s: %s", f.Kind, f.Detail)
		return d
	}
	d.Pos = t.at(f.Buffer)
	if f.Other < 0 {
		d.Message = fmt.Sprintf("%s: %s: %s", f.Kind, t.Buffers[f.Buffer].ID, f.Detail)
		return d
	}
	other := &t.Buffers[f.Other]
	where := ""
	if f.Kind == audit.Overlap {
		where = fmt.Sprintf(" at step %d", f.Step)
	}
	d.Message = fmt.Sprintf("%s: %s and %s (line %d)%s: %s",
		f.Kind, t.Buffers[f.Buffer].ID, other.ID, other.Line, where, f.Detail)
	return d
}
