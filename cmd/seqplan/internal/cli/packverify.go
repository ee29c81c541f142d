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
	faults  []string
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
	switch {
	case f.asJSON:
		if err := v.json(s.out); err != nil {
			return err
		}
	case len(v.faults) == 0:
		return v.text(s.out)
	default:
		f.reportFaults(v.faults, s)
	}
	if len(v.faults) > 0 {
		return errReported
	}
	return nil
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
			v.faults = append(v.faults, fmt.Sprintf("%s: the buffer %s has no offset", v.table.at(i), v.table.Buffers[i].ID))
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
			v.faults = append(v.faults, v.table.fault(fault))
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
	out := verifyJSON{Format: packFormat, Buffers: len(v.table.Buffers), Faults: v.faults, Capacity: v.problem.Capacity}
	if len(v.faults) == 0 {
		bound, gap := newJSONBound(v.result.Bound), v.result.Gap()
		out.Faults, out.Height, out.Bound, out.Gap = []string{}, &v.result.Height, &bound, &gap
	}
	return writeJSON(w, out)
}

func (f *packFlags) reportFaults(found []string, s streams) {
	for i, text := range found {
		if i == diag.RenderCap && !f.all {
			fmt.Fprintf(s.err, "... and %d more; use -all\n", len(found)-i)
			break
		}
		fmt.Fprintln(s.err, text)
	}
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
