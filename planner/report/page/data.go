package page

import (
	"strconv"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// number is a uint64 in JSON: a string, because a number of JavaScript is exact up to
// 2^53 only.
type number string

func num[N ~uint64](n N) number { return number(strconv.FormatUint(uint64(n), 10)) }

func optional[N ~uint64](n *N) *number {
	if n == nil {
		return nil
	}
	s := num(*n)
	return &s
}

// data is all that the page shows.
type data struct {
	Format  int      `json:"seqplan_page"`
	Name    string   `json:"name"`
	Source  string   `json:"source"`
	Hash    string   `json:"hash"`
	Workers int      `json:"workers"`
	Batch   string   `json:"batch"` // name of the batch-size parameter; "" if there is none
	Params  []param  `json:"params"`
	Streams []string `json:"streams,omitempty"`
	Steps   []step   `json:"steps"`
	Waits   []wait   `json:"waits"`
	Pools   []pool   `json:"pools"`
	Classes classes  `json:"classes"`
	Counts  []count  `json:"counts"`
	Arena   arena    `json:"arena"`
	Buffers []buffer `json:"buffers"`
}

type param struct {
	Name string `json:"name"`
	Min  number `json:"min"`
	Max  number `json:"max"`
}

type step struct {
	Name   string `json:"name"`
	Host   bool   `json:"host,omitempty"`
	Stream int    `json:"stream,omitempty"`
}

type wait struct {
	Step   sequences.StepID `json:"step"`
	Reason string           `json:"reason"`
}

// pool is the static pool of one scope. Live is by step, at the sizes of the plan.
type pool struct {
	Scope    string           `json:"scope"`
	Round    number           `json:"round"` // sizes are rounded up to it
	Reserved number           `json:"reserved"`
	Size     number           `json:"size"`
	Height   number           `json:"height"`
	Bound    number           `json:"bound"`
	BoundBy  string           `json:"bound_by,omitempty"`
	Gap      float64          `json:"gap"` // percent
	Optimal  bool             `json:"optimal"`
	Method   string           `json:"method"`
	Sum      number           `json:"sum"`
	Buffers  int              `json:"buffers"`
	Peak     sequences.StepID `json:"peak"`
	Capacity *number          `json:"capacity,omitempty"`
	Live     []number         `json:"live"`
}

type classes struct {
	Basis     string     `json:"basis"`
	Unbounded int        `json:"unbounded"`
	Rows      []classRow `json:"rows"`
	Total     classRow   `json:"total"`
}

type classRow struct {
	Class   string `json:"class,omitempty"`
	Scope   string `json:"scope,omitempty"`
	Buffers int    `json:"buffers"`
	Bytes   number `json:"bytes"`
}

// count is a count. Formula is the index of the formula of its typical value, -1 if it
// has none.
type count struct {
	Name    string  `json:"name"`
	At      string  `json:"at"`
	Max     *number `json:"max,omitempty"`
	Typical *number `json:"typical,omitempty"`
	Buffers int     `json:"buffers"`
	Bytes   number  `json:"bytes"`
	Formula int     `json:"formula"`
}

type arena struct {
	Align   number  `json:"align"`
	Slots   int     `json:"slots"`
	Reuse   bool    `json:"reuse"`
	Worst   *demand `json:"worst,omitempty"`
	Typical *demand `json:"typical,omitempty"`
}

type demand struct {
	Sum  number `json:"sum"`
	Peak number `json:"peak"`
	Host number `json:"host"`
}

func newDemand(d *planner.Demand) *demand {
	if d == nil {
		return nil
	}
	return &demand{num(d.Sum), num(d.Peak), num(d.HostSum)}
}

// overview is all but the buffers, and the formulas of the counts.
func overview(seq *sequences.Sequence, plan *planner.Plan, r *report.Report) data {
	d := data{
		Format: 1, Name: plan.Name, Source: plan.Source, Hash: r.Hash.String(), Workers: plan.Workers, Batch: plan.Batch,
		Streams: plan.Streams, Params: []param{}, Steps: []step{}, Waits: []wait{}, Counts: []count{}, Buffers: []buffer{},
		Arena: arena{num(r.Arena.Align), r.Arena.Slots, r.Arena.Reuse, newDemand(r.Arena.Worst), newDemand(r.Arena.Typical)},
	}
	for _, p := range plan.Params {
		d.Params = append(d.Params, param{p.Name, num(p.Min), num(p.Max)})
	}
	for _, s := range plan.Steps {
		d.Steps = append(d.Steps, step{s.Name, s.Host, s.Stream})
	}
	for _, w := range plan.Waits {
		d.Waits = append(d.Waits, wait{w.Step, w.Reason})
	}
	for _, p := range r.Pools {
		out := pool{
			Scope: p.Scope.String(), Round: num(seq.Scope(p.Scope).Align), Reserved: num(p.Reserved), Size: num(p.Size),
			Height: num(p.Height), Bound: num(p.LowerBound), BoundBy: p.BoundBy, Gap: p.GapPercent, Optimal: p.Optimal,
			Method: p.Method, Sum: num(p.Sum), Buffers: p.Buffers, Peak: p.PeakStep, Live: []number{},
		}
		switch {
		case p.Capacity > 0:
			out.Capacity = optional(&p.Capacity)
		case p.Scope == sequences.Device && r.Fit != nil:
			out.Capacity = optional(&r.Fit.Capacity)
		}
		for _, b := range report.Live(plan, p.Scope) {
			out.Live = append(out.Live, num(b))
		}
		d.Pools = append(d.Pools, out)
	}
	d.Classes = classes{
		Basis: string(r.Classes.Basis), Unbounded: r.Classes.Unbounded, Rows: []classRow{},
		Total: classRow{Buffers: r.Classes.Total.Buffers, Bytes: num(r.Classes.Total.Bytes)},
	}
	for _, row := range r.Classes.Rows {
		d.Classes.Rows = append(d.Classes.Rows, classRow{row.Class.String(), row.Scope.String(), row.Buffers, num(row.Bytes)})
	}
	for _, c := range r.Arena.Counts {
		d.Counts = append(d.Counts, count{c.Name, c.At, optional(c.Max), optional(c.Typical), c.Buffers, num(c.Bytes), -1})
	}
	return d
}
