package page

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// collect puts the data of the page together, and the script with its formulas.
func collect(seq *sequences.Sequence, plan *planner.Plan, r *report.Report) (data, string, error) {
	if len(seq.Buffers) != len(plan.Buffers) || len(seq.Params) != len(plan.Params) || len(seq.Counts) != len(plan.Counts) {
		return data{}, "", fmt.Errorf("the plan %q is not one of the sequence %q", plan.Name, seq.Name)
	}
	index := indexOf(plan)
	d := overview(plan, r)
	for i := range r.Pools {
		d.Pools = append(d.Pools, newPool(seq, &r.Pools[i], index))
	}
	d.Budgets = newStandings(r.Budgets, index)
	d.Baseline = newBaseline(r.Baseline, index)
	f := formulas{index: map[string]int{}}
	for i := range d.Counts {
		d.Counts[i].Formula, d.Counts[i].Most = f.add(seq.Counts[i].Typical), f.add(seq.Counts[i].Max)
	}
	explainer := report.NewExplainer(plan)
	for i := range plan.Buffers {
		b := newBuffer(&seq.Buffers[i], &plan.Buffers[i], index, &f, len(plan.Steps))
		var err error
		if b.Explained, err = explain(explainer, plan.Buffers[i].Name, index); err != nil {
			return data{}, "", err
		}
		d.Buffers = append(d.Buffers, b)
	}
	return d, f.script(), f.err
}

// index finds buffers by their names.
type index map[string]int

func indexOf(plan *planner.Plan) index {
	out := index{}
	for i := range plan.Buffers {
		out[plan.Buffers[i].Name] = i
	}
	return out
}

// find returns -1 for a name of no buffer.
func (x index) find(name string) int {
	if at, ok := x[name]; ok {
		return at
	}
	return -1
}

// overview is what there is to say about the plan as a whole.
func overview(plan *planner.Plan, r *report.Report) data {
	d := data{
		Format: 1, Name: text(plan.Name), Source: text(plan.Source), Hash: r.Hash.String(), Workers: plan.Workers, Batch: text(plan.Batch),
		Streams: texts(plan.Streams), Params: []param{}, Steps: []step{}, Waits: []wait{}, Counts: []count{}, Buffers: []buffer{},
		Arena: arena{num(r.Arena.Align), r.Arena.Slots, r.Arena.Reuse}, Needs: newNeeds(plan), Fit: newFit(r.Fit), FitUnknown: text(r.FitUnknown),
		Classes: classes{
			Basis: string(r.Classes.Basis), Unbounded: r.Classes.Unbounded, Rows: []classRow{},
			Total: classRow{Buffers: r.Classes.Total.Buffers, Bytes: num(r.Classes.Total.Bytes), InPlace: num(r.Classes.Total.InPlace)},
		},
	}
	for _, p := range plan.Params {
		d.Params = append(d.Params, param{text(p.Name), num(p.Min), num(p.Max)})
	}
	for _, s := range plan.Steps {
		d.Steps = append(d.Steps, step{text(s.Name), s.Host, s.Stream})
	}
	for _, w := range plan.Waits {
		d.Waits = append(d.Waits, wait{w.Step, w.Reason})
	}
	for _, row := range r.Classes.Rows {
		d.Classes.Rows = append(d.Classes.Rows, classRow{row.Class.String(), row.Scope.String(), row.Buffers, num(row.Bytes), num(row.InPlace)})
	}
	for _, c := range r.Arena.Counts {
		d.Counts = append(d.Counts, count{text(c.Name), text(c.At), optional(c.Max), optional(c.Typical), c.Buffers, num(c.Bytes), -1, -1})
	}
	return d
}

func newPool(seq *sequences.Sequence, p *report.Pool, index index) pool {
	out := pool{
		Scope: p.Scope.String(), Round: num(seq.Scope(p.Scope).Align), Align: num(p.Align), Reserved: num(p.Reserved), Size: num(p.Size),
		Height: num(p.Height), Bound: num(p.LowerBound), BoundBy: p.BoundBy, BoundOf: text(p.BoundOf), Order: len(p.AtPeak) > 0 && p.Peak.Step == nil,
		Gap: p.GapPercent, Optimal: p.Optimal, Method: p.Method, Sum: num(p.Sum), Buffers: p.Buffers,
		Peak: p.PeakStep, AtPeak: []alive{}, PeakBytes: num(p.Peak.Bytes), Live: []number{},
	}
	for _, a := range p.AtPeak {
		out.AtPeak = append(out.AtPeak, newAlive(a, index))
	}
	if p.Capacity > 0 {
		out.Capacity = optional(&p.Capacity)
	}
	for _, b := range p.Live {
		out.Live = append(out.Live, num(b))
	}
	return out
}

func newAlive(a planner.Alive, index index) alive {
	return alive{text(a.Name), index.find(a.Name), num(a.Bytes)}
}
