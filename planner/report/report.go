package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/sequences"
)

// Format is the version of the JSON form of a Report.
const Format = 1

// Report is everything there is to say about a plan.
type Report struct {
	Format  int                `json:"seqplan_report"`
	Name    string             `json:"name"`
	Source  string             `json:"source"`
	Hash    planner.Hash       `json:"hash"`
	Params  []planner.Param    `json:"params"`
	Workers int                `json:"workers"`
	Steps   int                `json:"steps"`
	Classes Classes            `json:"classes"`
	Needs   []Need             `json:"needs"` // of the device, in all
	Pools   []Pool             `json:"pools"`
	Top     []Buffer           `json:"top"` // the largest buffers
	Arena   Arena              `json:"arena"`
	Waits   []Wait             `json:"waits"`
	Streams *Streams           `json:"streams,omitempty"` // if there are several
	Fit     *planner.FitResult `json:"fit,omitempty"`     // if a capacity is known

	FitUnknown string `json:"fit_unknown,omitempty"` // why it is not known how large a batch fits

	Budgets  Budgets    `json:"budgets,omitempty"`
	Baseline *diff.Diff `json:"baseline,omitempty"` // what changed since an older plan
}

// Wait is a host wait: a step before which the host waits for the device.
type Wait struct {
	planner.Wait
	Name string `json:"name"` // of the step
}

// Options choose what goes into a report.
type Options struct {
	Top int                // how many of the largest buffers; 0 means 10
	Fit *planner.FitResult // what planner.Fit said, if it was asked

	FitUnknown string // why it had no answer

	Capacity sequences.Bytes // of the device pool; 0 means what the file declares

	Budgets  []budget.Result // what budget.Evaluate said
	Baseline *diff.Diff      // of an older plan and this one; may be nil
}

const defaultTop = 10

// New computes the report of a plan.
func New(p *planner.Plan, opts Options) *Report {
	if opts.Top <= 0 {
		opts.Top = defaultTop
	}
	r := &Report{
		Format: Format, Name: p.Name, Source: p.Source, Hash: p.Hash, Params: p.Params,
		Workers: p.Workers, Steps: len(p.Steps), Fit: opts.Fit, FitUnknown: opts.FitUnknown, Budgets: opts.Budgets, Baseline: opts.Baseline,
		Classes: classes(p), Top: top(p, opts.Top), Arena: arena(p), Needs: needs(p),
	}
	for _, pool := range p.Pools {
		r.Pools = append(r.Pools, newPool(p, pool, opts.Capacity))
	}
	for _, w := range p.Waits {
		r.Waits = append(r.Waits, Wait{w, stepName(p, w.Step)})
	}
	r.Streams = streams(p)
	return r
}

// JSON writes the report as indented JSON.
func (r *Report) JSON(w io.Writer) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, prose.JSON(b.String()))
	return err
}

// stepName names a step; the number of steps stands for the end of the batch.
func stepName(p *planner.Plan, s sequences.StepID) string {
	switch {
	case s < 0:
		return "input"
	case int(s) >= len(p.Steps):
		return "end"
	}
	return p.Steps[s].Name
}
