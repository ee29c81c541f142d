package cli

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
)

// proof says why no packing is lower than a bound, or why there is none.
type proof struct {
	Claim   string     `json:"claim"`
	Reason  string     `json:"reason"`
	Step    *uint64    `json:"step,omitempty"` // at which the buffers are in use together
	Cell    uint64     `json:"cell,omitempty"` // bytes to which they are rounded up; 0 or 1: none
	Slack   uint64     `json:"slack,omitempty"`
	Sum     uint64     `json:"sum,omitempty"` // of what they take there, without the slack
	Buffers []proofRow `json:"buffers"`
}

// proofRow is a buffer of a proof, with what it takes at the step of the proof.
type proofRow struct {
	ID     string  `json:"id"`
	Line   int     `json:"line"`
	Lower  uint64  `json:"lower"`
	Upper  uint64  `json:"upper"`
	Size   uint64  `json:"size"`
	Align  uint64  `json:"alignment"`
	Offset *uint64 `json:"offset,omitempty"` // fixed
	Takes  uint64  `json:"takes,omitempty"`
}

func (r *packReport) proof() *proof {
	if r.result.Status == pack.Infeasible {
		return r.whyNone()
	}
	return r.whyBound()
}

// whyBound proves the bound.
func (r *packReport) whyBound() *proof {
	b := r.result.Bound
	p := &proof{Claim: fmt.Sprintf("no packing is lower than %s", byteText(b.Bytes)), Buffers: []proofRow{}}
	within := fmt.Sprintf("in the steps [%d, %d)", b.First, b.End)
	switch {
	case b.Bytes == 0:
		p.Reason = "no height is below 0"
	case b.Kind == pack.Refuted:
		p.Reason = fmt.Sprintf("a search found no lower packing of the parts of these buffers that lie %s; only the same search can check that", within)
		for i := range r.problem.Buffers {
			if a := &r.problem.Buffers[i]; a.First < b.End && b.First < a.End {
				p.Buffers = append(p.Buffers, r.proofRow(i))
			}
		}
	case b.Kind == pack.Placed:
		p.Reason = "this buffer is fixed, and that is its end"
		for i := range r.problem.Buffers {
			if a := &r.problem.Buffers[i]; len(p.Buffers) == 0 && a.Offset != nil && *a.Offset+a.Size >= b.Bytes && a.First < b.End && b.First < a.End {
				p.Buffers = append(p.Buffers, r.proofRow(i))
			}
		}
	default:
		r.sum(p, need(r.problem, b.First, b.First, b.End, b.Bytes), b.Bytes)
	}
	return p
}

// whyNone proves that the conflict has no packing.
func (r *packReport) whyNone() *proof {
	p := &proof{Claim: "these buffers have no packing", Buffers: []proofRow{}}
	if len(r.result.Conflict) == 1 {
		p.Claim = "this buffer has no packing"
	}
	limit := r.problem.Capacity
	if limit != nil {
		p.Claim += fmt.Sprintf(" of at most %s", byteText(*limit))
	}
	if r.result.Minimal && len(r.result.Conflict) > 1 {
		p.Claim += "; leave out any one of them, and the rest has one"
	}
	part := pack.Problem{Capacity: limit}
	for _, i := range r.result.Conflict {
		part.Buffers = append(part.Buffers, r.problem.Buffers[i])
		p.Buffers = append(p.Buffers, r.proofRow(i))
	}
	if p.Reason = r.fixedFault(part); p.Reason != "" {
		return p
	}
	if limit != nil && *limit < math.MaxUint64 {
		if m := need(part, r.result.Bound.First, 0, math.MaxUint64, *limit+1); m.bytes > *limit {
			for k := range m.uses {
				m.uses[k].Buffers[0] = r.result.Conflict[m.uses[k].Buffers[0]]
			}
			p.Buffers = nil
			r.sum(p, m, *limit+1)
			return p
		}
	}
	p.Reason = fmt.Sprintf("a search of %d nodes found none; only the same search can check that", r.result.Nodes)
	return p
}

// fixedFault says what is wrong with the buffers of a problem that have a fixed
// offset, placed there; "" if nothing is.
func (r *packReport) fixedFault(part pack.Problem) string {
	fixed := pack.Problem{Capacity: part.Capacity}
	var placed pack.Result
	var of []int // index in the table
	for k, b := range part.Buffers {
		if b.Offset != nil {
			fixed.Buffers = append(fixed.Buffers, b)
			of = append(of, r.result.Conflict[k])
			placed.Offsets = append(placed.Offsets, *b.Offset)
			placed.Height = max(placed.Height, *b.Offset+b.Size) // the reader has checked the sum
		}
	}
	var faults audit.Faults
	if !errors.As(audit.Check(fixed, placed), &faults) {
		return ""
	}
	f := faults[0]
	f.Buffer = of[f.Buffer]
	if f.Other >= 0 {
		f.Other = of[f.Other]
	}
	return fmt.Sprintf("of the fixed offsets (%s)", r.table.fault(f))
}

// sum fills in what the buffers take together at a step.
func (r *packReport) sum(p *proof, m needed, bytes uint64) {
	if m.bytes < bytes { // it is one buffer that needs so much
		p.Reason = "that is the size of this buffer"
		for i := range r.problem.Buffers {
			if a := &r.problem.Buffers[i]; a.Size >= bytes && len(p.Buffers) == 0 {
				p.Buffers = append(p.Buffers, r.proofRow(i))
			}
		}
		return
	}
	p.Step, p.Cell, p.Sum = &m.step, m.cell, m.bytes
	p.Reason = fmt.Sprintf("at step %d they use %s", m.step, byteText(m.bytes))
	if m.cell > 1 {
		p.Reason += fmt.Sprintf(" when each is rounded up to a multiple of %d, as each starts at one; the topmost may end before", m.cell)
	}
	for _, u := range m.uses {
		cells := m.cells(u)
		if cells == 0 {
			continue
		}
		p.Slack = max(p.Slack, cells-(u.High-u.Low))
		row := r.proofRow(u.Buffers[0])
		row.Takes = cells
		p.Buffers = append(p.Buffers, row)
	}
}

func (r *packReport) proofRow(i int) proofRow {
	b, row := &r.problem.Buffers[i], &r.table.Buffers[i]
	return proofRow{ID: row.ID, Line: row.Line, Lower: b.First, Upper: b.End, Size: b.Size, Align: b.Align, Offset: b.Offset}
}
