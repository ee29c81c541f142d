package cli

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// verifyPacking checks the packing that the column offset gives.
func (f *packFlags) verifyPacking(t *table, s streams) error {
	problem := t.problem()
	if f.capacity > 0 {
		problem.Capacity = (*uint64)(&f.capacity)
	}
	r := pack.Result{Status: pack.Feasible, Offsets: make([]uint64, len(problem.Buffers))}
	var found []string
	for i := range problem.Buffers {
		b := &problem.Buffers[i]
		if b.Offset == nil {
			found = append(found, fmt.Sprintf("%s: the buffer %s has no offset", t.at(i), t.Buffers[i].ID))
			continue
		}
		r.Offsets[i], b.Offset = *b.Offset, nil // it is what is checked, not a condition
		end, err := checked.Add(r.Offsets[i], b.Size)
		if err != nil {
			return fmt.Errorf("%s: end of the buffer %s: %w", t.at(i), t.Buffers[i].ID, err)
		}
		r.Height = max(r.Height, end)
	}
	var faults audit.Faults
	if err := audit.Check(problem, r); len(found) == 0 && errors.As(err, &faults) {
		for _, fault := range faults {
			found = append(found, t.fault(fault))
		}
	}
	if len(found) > 0 {
		return f.reportFaults(t, found, s)
	}
	fmt.Fprintf(s.out, "%s: %s, a packing without faults\n", t.path, countBuffers(len(t.Buffers)))
	printLine(s.out, "height", "%s", byteText(r.Height))
	if f.capacity > 0 {
		printLine(s.out, "capacity", "%s", byteText(uint64(f.capacity)))
	}
	var err error
	if r.Bound, err = pack.LowerBound(problem); err != nil {
		return err
	}
	printLine(s.out, "bound", "%s", boundText(r.Bound))
	printLine(s.out, "gap", "%s", gapText(r.Gap()))
	return nil
}

func (f *packFlags) reportFaults(t *table, found []string, s streams) error {
	for i, text := range found {
		if i == diag.RenderCap && !f.all {
			fmt.Fprintf(s.err, "... and %d more; use -all\n", len(found)-i)
			break
		}
		fmt.Fprintln(s.err, text)
	}
	return errReported
}

// at is the place of a row.
func (t *table) at(i int) diag.Pos { return diag.Pos{File: t.path, Line: t.Buffers[i].Line} }

// fault prints a fault with the lines of its buffers.
func (t *table) fault(f audit.Fault) string {
	switch {
	case f.Buffer < 0:
		return fmt.Sprintf("%s: %s: %s", t.path, f.Kind, f.Detail)
	case f.Other < 0:
		return fmt.Sprintf("%s: %s: %s: %s", t.at(f.Buffer), f.Kind, t.Buffers[f.Buffer].ID, f.Detail)
	}
	other := &t.Buffers[f.Other]
	where := ""
	if f.Kind == audit.Overlap {
		where = fmt.Sprintf(" at step %d", f.Step)
	}
	return fmt.Sprintf("%s: %s: %s and %s (line %d)%s: %s",
		t.at(f.Buffer), f.Kind, t.Buffers[f.Buffer].ID, other.ID, other.Line, where, f.Detail)
}
