package diff

import (
	"fmt"
	"strings"
)

// verb says what a buffer did.
func (b *Buffer) verb() string {
	size := b.Change.Size().short()
	switch {
	case b.Kind == MovedClass:
		return fmt.Sprintf("moved from %s to %s", b.Old.Class, b.New.Class)
	case b.Kind == MovedScope:
		return fmt.Sprintf("moved from %s to %s memory", b.Old.Scope, b.New.Scope)
	case b.Kind == Appeared:
		return "appeared with " + size
	case b.Kind == Disappeared:
		return "disappeared with " + size
	case b.Kind == Renamed:
		return "was " + mark(b.Old.Name)
	case b.differs(FieldBasis):
		return "counts " + b.New.Basis.phrase() + ", not " + b.Old.Basis.phrase()
	case b.Change.Sign() == 0 && b.Worst.Sign() != 0:
		return string(b.Kind) + " by " + b.Worst.Size().short() + " in the worst case"
	case b.Kind == Grew, b.Kind == Shrank:
		return string(b.Kind) + " by " + size
	case b.differs(FieldLifetime) && b.Old.Last != b.New.Last:
		return "lives to " + mark(b.New.Last) + ", not to " + mark(b.Old.Last)
	case b.differs(FieldLifetime):
		return "lives from " + mark(b.New.First) + ", not from " + mark(b.Old.First)
	}
	return b.What[0].verb()
}

// phrase says what a dynamic buffer counts.
func (b Basis) phrase() string {
	switch b {
	case Typical:
		return "its typical size"
	case Unknown:
		return "nothing"
	}
	return "its worst case"
}

func (f Field) verb() string {
	switch f {
	case FieldCount, FieldElement:
		return "has another formula"
	case FieldLent:
		return "lends other bytes"
	case FieldInPlace:
		return "is in place of another buffer"
	case FieldCounts:
		return "is driven by other counts"
	case FieldWorst:
		return "has another worst case"
	}
	return "has another " + strings.ReplaceAll(string(f), "_", " ")
}

func (p *Param) text() string {
	return fmt.Sprintf("%s %s -> %s", mark(p.Name), p.Old.text(), p.New.text())
}

func (r *Range) text() string {
	switch {
	case r == nil:
		return "none"
	case r.Min == r.Max:
		return fmt.Sprint(r.Min)
	}
	return fmt.Sprintf("%d ... %d", r.Min, r.Max)
}
