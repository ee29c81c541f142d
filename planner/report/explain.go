package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// ErrNoBuffer marks a name that is no buffer of the plan.
var ErrNoBuffer = errors.New("no such buffer")

// Explanation is everything there is to say about one buffer.
type Explanation struct {
	planner.Buffer
	Formula string          `json:"formula"`
	At      []planner.Param `json:"at,omitempty"` // the launch-time parameters that attain Max
	Below   string          `json:"below,omitempty"`
	Above   string          `json:"above,omitempty"`  // the nearest buffers with which it may not share a byte
	Shares  []string        `json:"shares,omitempty"` // buffers that use some of its bytes at other times
	Stream  string          `json:"stream,omitempty"` // of the device step that writes it, if there are several
	After   string          `json:"after,omitempty"`  // what that step waits for
	// KeptApart are buffers that share no byte with it only because nothing puts one
	// before the other, and what they could share, the largest first.
	KeptApart   []planner.Alive `json:"kept_apart,omitempty"`
	HintNotKept string          `json:"hint_not_kept,omitempty"` // why
	Shrink      *Shrink         `json:"shrink,omitempty"`        // of a static buffer: what would make its pool smaller
	Counts      []planner.Count `json:"counts,omitempty"`        // in the size of a dynamic buffer
	OfAll       []Share         `json:"of_all,omitempty"`        // what a dynamic buffer is of all of them
	base        sequences.Bytes // from where the file counts offsets
	steps       func(sequences.StepID) string
}

// NewExplanation explains one buffer of a plan.
func NewExplanation(p *planner.Plan, name string) (*Explanation, error) {
	return NewExplainer(p).Explain(name)
}

// Explain explains one buffer.
func (x *Explainer) Explain(name string) (*Explanation, error) {
	i, ok := x.ids[name]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoBuffer, name)
	}
	p := x.plan
	b := &p.Buffers[i]
	e := &Explanation{Buffer: *b, Formula: formula(b)}
	e.steps = func(s sequences.StepID) string { return stepName(p, s) }
	if len(b.ProofAt) == len(p.Params) {
		for j, param := range p.Params {
			if param.Min == param.Max {
				continue // a property has no other value
			}
			e.At = append(e.At, planner.Param{Name: param.Name, Min: b.ProofAt[j], Max: b.ProofAt[j]})
		}
	}
	if b.Class == planner.Static {
		e.base = p.Pools[b.Scope].Reserved
		e.Shrink = x.shrink(i)
		e.shares(p)
		e.neighbours(p, x.packing(b.Scope), i)
	}
	if b.Class == planner.Dynamic {
		e.Counts, e.OfAll = drivers(p, b), shares(p, i)
	}
	if n := streamOf(p, int(b.Step)); n >= 0 {
		e.Stream, e.After = p.Streams[n], after(p, b.Step)
	}
	return e, nil
}

// JSON writes the explanation as indented JSON.
func (e *Explanation) JSON(w io.Writer) error { return writeJSON(w, e) }

// Explain prints the explanation of one buffer of a plan.
func Explain(w io.Writer, p *planner.Plan, name string) error {
	e, err := NewExplanation(p, name)
	if err != nil {
		return err
	}
	e.Repack()
	return e.Text(w)
}

// Text prints the explanation for people.
func (e *Explanation) Text(w io.Writer) error {
	t := newPrinter(w)
	t.line("%s: %s %s buffer of %s", e.Name, e.Class, e.Scope, e.Type)
	e.class(t)
	e.size(t)
	e.place(t)
	t.line("  lives\t[%d, %d)\t%s ... %s", e.Lifetime.First, e.Lifetime.End, e.steps(e.Lifetime.First), e.steps(e.Lifetime.End-1))
	for _, l := range e.Lent {
		if l.Why == planner.LentShrink {
			t.line("  shrinks\t[%d, %d)\tto its first %s", l.First, l.End, Bytes(l.High))
			continue
		}
		what := "all its bytes are lent"
		if l.Low < l.High {
			what = fmt.Sprintf("all but its bytes [%d, %d) are lent", l.Low, l.High)
		}
		t.line("  lends\t[%d, %d)\t%s", l.First, l.End, what)
	}
	for _, u := range e.Uses {
		of := ""
		if u.Of != "" {
			of = " " + u.Of
		}
		why := strings.ReplaceAll(string(u.Why), "_", " ")
		if u.Why == planner.UseWrite && e.Kind == sequences.Input {
			why = "filled from outside"
		}
		stretch := ""
		if min(u.Step+1, e.Lifetime.End) == e.Lifetime.End && u.Why != planner.UseWrite {
			stretch = "  (its lifetime ends here)"
		}
		t.line("  \tstep %d\t%s: %s%s%s", u.Step, e.steps(u.Step), why, of, stretch)
	}
	e.Shrink.text(t, e.Scope)
	e.ofAllText(t)
	return t.flush()
}

func (e *Explanation) class(t *printer) {
	if e.Class == planner.Dynamic {
		t.line("  class\tdynamic: its size depends on %s", names(e.DrivenBy))
		for _, c := range e.Counts {
			t.line("  \t%s: typical %s, max %s", c.Name, known(c.Typical), known(c.Max))
		}
		return
	}
	t.line("  class\tstatic: its size depends on no count")
}

func (e *Explanation) size(t *printer) {
	t.line("  size\t%s", whole(e.Formula))
	if e.Proof == planner.ProofNone {
		t.line("  largest\tunknown: a count has no declared max")
	} else {
		t.line("  largest\t%s, proof: %s", Bytes(e.Max), e.Proof)
	}
	for _, at := range e.At {
		t.line("  \tat %s = %d", at.Name, at.Max)
	}
	if e.Typical != nil {
		t.line("  typical\t%s", Bytes(*e.Typical))
	}
}
