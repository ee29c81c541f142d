package page

import (
	"math"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// buffer is one buffer. Formula is the index of the formula of its elements.
type buffer struct {
	Name      text             `json:"name"`
	Class     string           `json:"class"`
	Scope     string           `json:"scope"`
	Kind      string           `json:"kind"` // input, write, scratch; output and kept, which say more
	Type      text             `json:"type"`
	Elem      number           `json:"elem"` // bytes of an element
	Count     text             `json:"count"`
	Step      sequences.StepID `json:"step"` // that declares it; -1 for an input
	Align     number           `json:"align"`
	First     sequences.StepID `json:"first"`
	End       sequences.StepID `json:"end"`
	Own       sequences.StepID `json:"own"` // the end of its life before another buffer has its storage
	Max       number           `json:"max"`
	Typical   *number          `json:"typical,omitempty"`
	Proof     string           `json:"proof"`
	Offset    number           `json:"offset"`
	Slot      int              `json:"slot"`
	InPlace   int              `json:"in_place"` // index of the buffer whose storage it takes over; -1 for none
	Driven    []text           `json:"driven,omitempty"`
	Uses      []use            `json:"uses"`
	Lent      []lent           `json:"lent,omitempty"`
	Formula   int              `json:"formula"`
	Explained explained        `json:"explained"`
}

type use struct {
	Step sequences.StepID `json:"step"`
	Why  string           `json:"why"`
	Of   text             `json:"of,omitempty"`
}

// lent is a part of a life in which only the bytes [Low, High) are in use. Behind a shrink
// Formula is that of the elements that are left, else -1. High may be above the size.
type lent struct {
	First   sequences.StepID `json:"first"`
	End     sequences.StepID `json:"end"`
	Low     number           `json:"low"`
	High    number           `json:"high"`
	Why     string           `json:"why"`
	Formula int              `json:"formula"`
}

func newBuffer(s *sequences.Buffer, b *planner.Buffer, index index, f *formulas, steps int) buffer {
	out := buffer{
		Name: text(b.Name), Class: b.Class.String(), Scope: b.Scope.String(), Kind: kind(s), Type: text(b.Type), Elem: num(b.ElemSize),
		Count: oneLine(b.Count), Step: b.Step, Align: num(b.Align), First: b.Lifetime.First, End: b.Lifetime.End, Own: report.OwnLife(b, steps).End,
		Max: num(b.Max), Typical: optional(b.Typical), Proof: string(b.Proof), Offset: num(b.Offset), Slot: b.Slot,
		InPlace: -1, Driven: texts(b.DrivenBy), Uses: []use{}, Formula: f.add(s.Count),
	}
	if b.InPlaceOf != "" {
		out.InPlace = index.find(b.InPlaceOf)
	}
	for _, u := range b.Uses {
		out.Uses = append(out.Uses, use{u.Step, string(u.Why), text(u.Of)})
	}
	out.Lent = newLent(s, b, f)
	return out
}

// newLent divides the life of a buffer where what is lent of it may change. A shrink that
// changes nothing at the largest values of the parameters may change something at others.
func newLent(s *sequences.Buffer, b *planner.Buffer, f *formulas) []lent {
	at := []sequences.StepID{b.Lifetime.First, b.Lifetime.End}
	for _, l := range b.Lent {
		at = append(at, l.First, l.End)
	}
	for _, shrink := range s.Shrinks {
		if step := shrink.After + 1; b.Class == planner.Static && b.Lifetime.First < step && step < b.Lifetime.End {
			at = append(at, step)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	var out []lent
	for i, first := range at[:len(at)-1] {
		part := lent{first, at[i+1], num[uint64](0), num[uint64](math.MaxUint64), string(planner.LentShrink), -1}
		lends := false
		for _, l := range b.Lent {
			if l.First <= first && first < l.End {
				part.Low, part.High, part.Why, lends = num(l.Low), num(l.High), string(l.Why), true
			}
		}
		// Shrinks are in order of steps: what is left is that of the last one so far.
		for _, shrink := range s.Shrinks {
			if b.Class == planner.Static && shrink.After < first {
				part.Formula, lends = f.add(shrink.Count), true
			}
		}
		if lends {
			out = append(out, part)
		}
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
