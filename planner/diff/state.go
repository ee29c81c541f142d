package diff

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Basis is what the size of a buffer stands for.
type Basis string

// The bases.
const (
	Fixed   Basis = "static"  // a static buffer: its largest size
	Typical Basis = "typical" // every count at its typical value
	Worst   Basis = "worst"   // every count at its max
	Unknown Basis = "unknown" // a count has neither; counted as 0
)

// State is a buffer as it is in one of the plans.
type State struct {
	Name     string           `json:"name"`
	At       string           `json:"at,omitempty"` // file:line, if the sequence file is known
	Class    planner.Class    `json:"class"`
	Scope    sequences.Scope  `json:"scope"`
	Kind     sequences.Kind   `json:"kind"`
	Bytes    sequences.Bytes  `json:"bytes"` // as the class table counts it
	Basis    Basis            `json:"basis"`
	Max      Amount           `json:"max"` // null: a count has no max
	Type     string           `json:"type"`
	ElemSize sequences.Bytes  `json:"elem_size"`
	Count    string           `json:"count"` // as written
	DrivenBy []string         `json:"driven_by,omitempty"`
	Align    sequences.Bytes  `json:"align"`
	Step     string           `json:"step"` // that declares it; "input" for an input
	Lifetime planner.Interval `json:"lifetime"`
	First    string           `json:"first"` // the step at which its life starts, or "start" of the batch
	Last     string           `json:"last"`  // and the last one that it reaches, or "end" of the batch
	HeldBy   []Holder         `json:"held_by,omitempty"`

	InPlaceOf   string           `json:"in_place_of,omitempty"`
	Lent        []Lent           `json:"lent,omitempty"`
	FixedOffset *sequences.Bytes `json:"fixed_offset,omitempty"`
	Hint        *sequences.Bytes `json:"hint,omitempty"`

	pos sequences.Pos // At, with the column
}

// Holder is a use that makes the life of a buffer end where it does.
type Holder struct {
	Step string          `json:"step"`
	Why  planner.UseKind `json:"why"`
	Of   string          `json:"of,omitempty"`
}

// Lent is a part of the life of a buffer in which only some of its bytes are in use.
type Lent struct {
	First string           `json:"first"`
	End   string           `json:"end"` // the step at which all are in use again
	Low   sequences.Bytes  `json:"low"`
	High  sequences.Bytes  `json:"high"`
	Why   planner.LentKind `json:"why"`
}

func newState(p *planner.Plan, b *planner.Buffer) *State {
	s := &State{
		Name: b.Name, Class: b.Class, Scope: b.Scope, Kind: b.Kind, Max: largest(b),
		Type: b.Type, ElemSize: b.ElemSize, Count: b.Count, DrivenBy: b.DrivenBy, Align: b.Align,
		Step: "input", Lifetime: b.Lifetime, InPlaceOf: b.InPlaceOf, FixedOffset: b.FixedOffset, Hint: b.Hint,
	}
	s.Bytes, s.Basis = sizeOf(b)
	if b.Step >= 0 {
		s.Step = stepName(p, b.Step)
	}
	first, last := span(p, b)
	s.First, s.Last = stepName(p, first), stepName(p, last)
	for _, u := range b.Uses {
		if u.Why != planner.UseWrite && (u.Step == last || beyond(p, u.Step) && beyond(p, last)) {
			s.HeldBy = append(s.HeldBy, Holder{stepName(p, u.Step), u.Why, u.Of})
		}
	}
	for _, l := range b.Lent {
		s.Lent = append(s.Lent, Lent{stepName(p, l.First), stepName(p, l.End), l.Low, l.High, l.Why})
	}
	return s
}

// stepName names a step; the number of steps stands for the end of the batch, and what is
// before the first step for its start.
func stepName(p *planner.Plan, s sequences.StepID) string {
	switch {
	case s < 0:
		return "start"
	case beyond(p, s):
		return "end"
	}
	return p.Steps[s].Name
}

func beyond(p *planner.Plan, s sequences.StepID) bool { return int(s) >= len(p.Steps) }

// span returns the first and the last step of a lifetime. What lives from the start of the
// batch, or to its end, does so whatever step is first, or last.
func span(p *planner.Plan, b *planner.Buffer) (first, last sequences.StepID) {
	first, last = b.Lifetime.First, b.Lifetime.End-1
	pinned := b.Kind == sequences.Input
	for _, u := range b.Uses {
		if beyond(p, u.Step) {
			last = sequences.StepID(len(p.Steps))
		}
		pinned = pinned || u.Why == planner.UseKeep || u.Why == planner.UseNoReuse
	}
	if pinned && first == 0 {
		first = none
	}
	return first, last
}

// what lists the fields in which a buffer differs.
func (c *comparison) what(from, to *planner.Buffer) []Field {
	var out []Field
	add := func(f Field, differs bool) {
		if differs {
			out = append(out, f)
		}
	}
	oldBytes, oldBasis := sizeOf(from)
	newBytes, newBasis := sizeOf(to)
	add(FieldName, from.Name != to.Name)
	add(FieldClass, from.Class != to.Class)
	add(FieldScope, from.Scope != to.Scope)
	add(FieldBytes, oldBytes != newBytes)
	add(FieldBasis, from.Class == to.Class && oldBasis != newBasis)
	add(FieldWorst, largest(from) != largest(to))
	add(FieldType, from.Type != to.Type)
	add(FieldElement, from.ElemSize != to.ElemSize)
	add(FieldCount, !c.sameFormula(from.Count, to.Count))
	add(FieldCounts, !slices.Equal(from.DrivenBy, to.DrivenBy))
	add(FieldAlign, from.Align != to.Align)
	add(FieldLifetime, !c.sameLife(from, to))
	add(FieldStep, !c.sameStep(from.Step, to.Step))
	add(FieldKind, from.Kind != to.Kind)
	add(FieldInPlace, !c.sameBuffer(from.InPlaceOf, to.InPlaceOf))
	add(FieldLent, !slices.EqualFunc(from.Lent, to.Lent, c.sameLoan))
	add(FieldOffset, !same(from.FixedOffset, to.FixedOffset))
	add(FieldHint, !same(from.Hint, to.Hint))
	return out
}

func (c *comparison) sameLife(from, to *planner.Buffer) bool {
	first, last := span(c.old, from)
	newFirst, newLast := span(c.new, to)
	return c.sameStep(first, newFirst) && c.sameStep(last, newLast)
}

func (c *comparison) sameLoan(a, b planner.Lent) bool {
	return a.Low == b.Low && a.High == b.High && a.Why == b.Why && c.sameStep(a.First, b.First) && c.sameStep(a.End, b.End)
}

// sameStep tells whether a step of the old plan is a step of the new one. There is one
// start of the batch, before all steps, and one end.
func (c *comparison) sameStep(from, to sequences.StepID) bool {
	step, ok := c.steps.newStep(int(from))
	return ok && step == c.steps.clamp(int(to))
}

func (c *comparison) sameBuffer(from, to string) bool {
	if from == to {
		return true
	}
	name, ok := c.renamed[from]
	return ok && name == to
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
