package diff

import (
	"cmp"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Buffer is a buffer that differs between the plans.
type Buffer struct {
	Name   string  `json:"name"` // the new one, if it has two
	Kind   Kind    `json:"kind"`
	What   []Field `json:"what,omitempty"` // what differs, if it is in both plans
	Change Change  `json:"change"`         // of the size that the class table counts; what is not there, or not known, counts 0
	Worst  Change  `json:"worst"`          // of the largest size; null where it is not known

	Old *State `json:"old,omitempty"` // nil: it appeared
	New *State `json:"new,omitempty"` // nil: it disappeared
}

// Kind is what happened to a buffer: the first of the kinds that is true of it.
type Kind string

// The kinds, in the order in which they are listed.
const (
	MovedClass  Kind = "moved_class" // from static to dynamic, or back
	MovedScope  Kind = "moved_scope" // from device to host memory, or back
	Grew        Kind = "grew"        // its size, or, where that is equal, its largest size
	Shrank      Kind = "shrank"
	Appeared    Kind = "appeared"
	Disappeared Kind = "disappeared"
	Renamed     Kind = "renamed" // same step, formula, type, class and scope, and no other buffer that could be meant
	Changed     Kind = "changed" // in something other than its size
)

// Kinds returns the kinds in the order in which they are listed.
func Kinds() []Kind {
	return []Kind{MovedClass, MovedScope, Grew, Shrank, Appeared, Disappeared, Renamed, Changed}
}

// Field is something that may differ in a buffer.
type Field string

// The fields.
const (
	FieldName     Field = "name"
	FieldClass    Field = "class"
	FieldScope    Field = "scope"
	FieldBytes    Field = "bytes"
	FieldBasis    Field = "basis"
	FieldWorst    Field = "worst"
	FieldType     Field = "type"
	FieldElement  Field = "elem_size"
	FieldCount    Field = "count"
	FieldAlign    Field = "align"
	FieldLifetime Field = "lifetime"
	FieldStep     Field = "step"
	FieldKind     Field = "kind"
	FieldInPlace  Field = "in_place_of"
	FieldLent     Field = "lent"
	FieldOffset   Field = "fixed_offset"
	FieldHint     Field = "hint"
	FieldCounts   Field = "driven_by"
)

// bufferChanges lists the buffers that differ, and counts those that are elsewhere only.
func (c *comparison) bufferChanges() (out []Buffer, moved int) {
	out = []Buffer{}
	for i, j := range c.buffers.toNew {
		from := &c.old.Buffers[i]
		if j == none {
			out = append(out, c.change(from, nil, nil))
			continue
		}
		to := &c.new.Buffers[j]
		switch what := c.what(from, to); {
		case len(what) > 0:
			out = append(out, c.change(from, to, what))
		case from.Class == planner.Static && from.Offset != to.Offset:
			moved++
		}
	}
	for j, i := range c.buffers.toOld {
		if i == none {
			out = append(out, c.change(nil, &c.new.Buffers[j], nil))
		}
	}
	sortBuffers(out)
	return out, moved
}

// change describes one buffer that differs; from or to may be nil.
func (c *comparison) change(from, to *planner.Buffer, what []Field) Buffer {
	b := Buffer{What: what}
	old, worst := NewAmount[uint64](0), NewAmount[uint64](0)
	young, worstNew := old, worst
	if from != nil {
		b.Name, b.Old = from.Name, newState(c.old, from)
		old, worst = NewAmount(b.Old.Bytes), b.Old.Max
	}
	if to != nil {
		b.Name, b.New = to.Name, newState(c.new, to)
		young, worstNew = NewAmount(b.New.Bytes), b.New.Max
	}
	b.Change, b.Worst = change(old, young), change(worst, worstNew)
	b.Kind = b.kind()
	return b
}

func (b *Buffer) kind() Kind {
	switch sign := cmp.Or(b.Change.Sign(), b.Worst.Sign()); {
	case b.Old == nil:
		return Appeared
	case b.New == nil:
		return Disappeared
	case b.differs(FieldClass):
		return MovedClass
	case b.differs(FieldScope):
		return MovedScope
	case sign > 0:
		return Grew
	case sign < 0:
		return Shrank
	case b.differs(FieldName):
		return Renamed
	}
	return Changed
}

func (b *Buffer) differs(fields ...Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return slices.Contains(b.What, f) })
}

// latest is the buffer in the new plan, or in the old one if it is gone.
func (b *Buffer) latest() *State {
	if b.New == nil {
		return b.Old
	}
	return b.New
}

// sortBuffers sorts by kind, then the largest change first, then by name.
func sortBuffers(list []Buffer) {
	kinds := Kinds()
	slices.SortStableFunc(list, func(a, b Buffer) int {
		return cmp.Or(
			cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
			compare(b.Change.Size(), a.Change.Size()),
			compare(b.Worst.Size(), a.Worst.Size()),
			cmp.Compare(a.Name, b.Name),
		)
	})
}

func compare(a, b Amount) int { return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo)) }

// sizeOf returns the size of a buffer that the class table counts, and what it is.
func sizeOf(b *planner.Buffer) (sequences.Bytes, Basis) {
	switch {
	case b.Class == planner.Static:
		return b.Max, Fixed
	case b.Typical != nil:
		return *b.Typical, Typical
	case b.Proof != planner.ProofNone:
		return b.Max, Worst
	}
	return 0, Unknown
}

// largest returns the largest size of a buffer, if it has a bound.
func largest(b *planner.Buffer) Amount {
	if b.Proof == planner.ProofNone {
		return Amount{}
	}
	return NewAmount(b.Max)
}
