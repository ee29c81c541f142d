package page

import (
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// explained is what seqplan explain says of a buffer and the memory that it is in. Nothing is
// packed again for it.
type explained struct {
	Shrink *shrink `json:"shrink,omitempty"` // of a static buffer
	Shares []share `json:"shares,omitempty"` // of a dynamic one
	Apart  int     `json:"apart,omitempty"`  // from how many buffers it is kept apart
	From   []alive `json:"from,omitempty"`   // those with which it could share most
}

type shrink struct {
	AtPeak  number   `json:"at_peak"` // in use at the peak step
	InBound bool     `json:"in_bound,omitempty"`
	Most    number   `json:"most"` // by which the pool falls at most without the buffer
	Sooner  []sooner `json:"sooner,omitempty"`
}

// sooner is an earlier end of a life.
type sooner struct {
	Dropped []use            `json:"dropped"`
	End     sequences.StepID `json:"end"`
	Most    number           `json:"most"`
}

// share is what the storage of a dynamic buffer is of all of them.
type share struct {
	Basis   string     `json:"basis"`
	Storage int        `json:"storage"` // the buffer that has it first
	Bytes   number     `json:"bytes"`
	Sum     number     `json:"sum"`
	Percent float64    `json:"percent"`
	Peak    *peakShare `json:"peak,omitempty"`
}

type peakShare struct {
	Bytes   number           `json:"bytes"`
	Step    sequences.StepID `json:"step"`
	Alive   bool             `json:"alive"`
	Without number           `json:"without"` // by which the peak falls without the storage
	Next    sequences.StepID `json:"next"`    // which has most then
}

// apartNamed is how many buffers are named that are kept apart from one.
const apartNamed = 5

func explain(by *report.Explainer, name string, index index) (explained, error) {
	e, err := by.Explain(name)
	if err != nil {
		return explained{}, err
	}
	out := explained{Shrink: newShrink(e.Shrink), Apart: len(e.KeptApart)}
	for _, s := range e.OfAll {
		of := share{string(s.Basis), index.find(s.Storage), num(s.Bytes), num(s.Sum), s.Percent, nil}
		if p := s.Peak; p != nil {
			of.Peak = &peakShare{num(p.Bytes), p.Step, p.Alive, num(p.Without), p.NextStep}
		}
		out.Shares = append(out.Shares, of)
	}
	for _, a := range e.KeptApart[:min(apartNamed, len(e.KeptApart))] {
		out.From = append(out.From, newAlive(a, index))
	}
	return out, nil
}

func newShrink(s *report.Shrink) *shrink {
	if s == nil {
		return nil
	}
	gap := s.Height - s.LowerBound // which another packing may save
	out := &shrink{AtPeak: num(s.AtPeak), InBound: s.InBound, Most: num(gap + s.Without)}
	for _, e := range s.Sooner {
		end := sooner{[]use{}, e.End, num(gap + e.Saved)}
		for _, u := range e.Dropped {
			end.Dropped = append(end.Dropped, use{u.Step, string(u.Why), text(u.Of)})
		}
		out.Sooner = append(out.Sooner, end)
	}
	return out
}
