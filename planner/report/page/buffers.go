package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// buffer is one buffer. Formula is the index of the formula of its elements.
type buffer struct {
	Name    string           `json:"name"`
	Class   string           `json:"class"`
	Scope   string           `json:"scope"`
	Kind    string           `json:"kind"` // input, write, scratch; output and kept, which say more
	Type    string           `json:"type"`
	Elem    number           `json:"elem"` // bytes of an element
	Count   string           `json:"count"`
	Step    sequences.StepID `json:"step"` // that declares it; -1 for an input
	Align   number           `json:"align"`
	First   sequences.StepID `json:"first"`
	End     sequences.StepID `json:"end"`
	Own     sequences.StepID `json:"own"` // the end of its life before another buffer has its storage
	Max     number           `json:"max"`
	Typical *number          `json:"typical,omitempty"`
	Proof   string           `json:"proof"`
	Offset  number           `json:"offset"`
	Slot    int              `json:"slot"`
	InPlace int              `json:"in_place"` // index of the buffer whose storage it takes over; -1 for none
	Driven  []string         `json:"driven,omitempty"`
	Uses    []use            `json:"uses"`
	Lent    []lent           `json:"lent,omitempty"`
	Formula int              `json:"formula"`
}

type use struct {
	Step sequences.StepID `json:"step"`
	Why  string           `json:"why"`
	Of   string           `json:"of,omitempty"`
}

// lent is a part of a life in which only the bytes [Low, High) are in use. Where a shrink
// made it, Formula is that of the elements that are left, else -1.
type lent struct {
	First   sequences.StepID `json:"first"`
	End     sequences.StepID `json:"end"`
	Low     number           `json:"low"`
	High    number           `json:"high"`
	Why     string           `json:"why"`
	Formula int              `json:"formula"`
}

// collect puts the data of the page together, and the script with its formulas.
func collect(seq *sequences.Sequence, plan *planner.Plan, r *report.Report) (data, string, error) {
	if len(seq.Buffers) != len(plan.Buffers) || len(seq.Params) != len(plan.Params) || len(seq.Counts) != len(plan.Counts) {
		return data{}, "", fmt.Errorf("the plan %q is not one of the sequence %q", plan.Name, seq.Name)
	}
	d := overview(seq, plan, r)
	f := formulas{index: map[string]int{}}
	for i := range d.Counts {
		d.Counts[i].Formula = f.add(seq.Counts[i].Typical)
	}
	index := map[string]int{}
	for i := range plan.Buffers {
		index[plan.Buffers[i].Name] = i
		d.Buffers = append(d.Buffers, newBuffer(&seq.Buffers[i], &plan.Buffers[i], index, &f, len(plan.Steps)))
	}
	return d, f.script(), f.err
}

func newBuffer(s *sequences.Buffer, b *planner.Buffer, index map[string]int, f *formulas, steps int) buffer {
	out := buffer{
		Name: b.Name, Class: b.Class.String(), Scope: b.Scope.String(), Kind: kind(s), Type: b.Type, Elem: num(b.ElemSize),
		Count: b.Count, Step: b.Step, Align: num(b.Align), First: b.Lifetime.First, End: b.Lifetime.End, Own: report.OwnLife(b, steps).End,
		Max: num(b.Max), Typical: optional(b.Typical), Proof: string(b.Proof), Offset: num(b.Offset), Slot: b.Slot,
		InPlace: -1, Driven: b.DrivenBy, Uses: []use{}, Formula: f.add(s.Count),
	}
	if at, ok := index[b.InPlaceOf]; ok && b.InPlaceOf != "" {
		out.InPlace = at
	}
	for _, u := range b.Uses {
		out.Uses = append(out.Uses, use{u.Step, string(u.Why), u.Of})
	}
	for _, l := range b.Lent {
		part := lent{l.First, l.End, num(l.Low), num(l.High), string(l.Why), -1}
		// Shrinks are in order of steps: what is left is that of the last one so far.
		for _, shrink := range s.Shrinks {
			if shrink.After < l.First {
				part.Formula = f.add(shrink.Count)
			}
		}
		out.Lent = append(out.Lent, part)
	}
	return out
}

func kind(s *sequences.Buffer) string {
	switch {
	case s.Keep:
		return "kept"
	case s.Output:
		return "output"
	}
	return s.Kind.String()
}

// formulas are the different formulas of a page, as JavaScript.
type formulas struct {
	index map[string]int
	list  []string
	err   error
}

// add returns the index of the formula of an expression; -1 if there is none.
func (f *formulas) add(n *expr.Node) int {
	if n == nil {
		return -1
	}
	text, err := expr.PrintJS(n, "c", func(kind expr.Kind, ref int, _ string) string {
		name := map[expr.Kind]string{expr.Param: "p[%d]", expr.Count: "k(%d)", expr.CountOf: "n(%d)"}[kind]
		return fmt.Sprintf(name, ref)
	})
	if err != nil && f.err == nil {
		f.err = err
	}
	at, ok := f.index[text]
	if !ok {
		at = len(f.list)
		f.index[text] = at
		f.list = append(f.list, text)
	}
	return at
}

// script defines seqplanFormulas: by index a function of the arithmetic, the values of the
// parameters, the value of a count and the elements of a buffer.
func (f *formulas) script() string {
	lines := slices.Clone(f.list)
	for i, text := range lines {
		lines[i] = "(c, p, k, n) => " + text + ",\n"
	}
	return "const seqplanFormulas = [\n" + strings.Join(lines, "") + "];\n"
}
