package diff

import (
	"math/big"
	"slices"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Limit is how much a need may grow; its zero value is not at all.
type Limit struct {
	bytes   uint64
	percent *big.Rat // nil: bytes
}

// LimitBytes is a limit in bytes.
func LimitBytes(n uint64) Limit { return Limit{bytes: n} }

// LimitPercent is a limit in percent of the old size. What was 0 may not grow.
func LimitPercent(p *big.Rat) Limit { return Limit{percent: new(big.Rat).Set(p)} }

// exceeds tells whether the change of a figure is above the limit. What was known and is
// so no longer is above every limit.
func (l Limit) exceeds(f Figure) bool {
	if f.Old.Known() && !f.New.Known() {
		return true
	}
	if f.Change.Sign() <= 0 {
		return false
	}
	if l.percent == nil {
		return compare(f.Change.Size(), NewAmount(l.bytes)) > 0
	}
	grown := new(big.Rat).SetInt(f.Change.big())
	limit := new(big.Rat).Mul(new(big.Rat).SetInt(f.Old.big()), l.percent)
	return grown.Mul(grown, big.NewRat(100, 1)).Cmp(limit) > 0
}

// Overrun is a need that grew by more than a limit.
type Overrun struct {
	Need    Need
	Buffers []*Buffer // those that made it grow most, the largest first; at most overrunBuffers
	More    int       // and how many more of them

	parts []part // of the need
}

// overrunBuffers is how many buffers an Overrun names.
const overrunBuffers = 3

// Over returns the needs by a basis that grew by more than a limit, see Known.
func (d *Diff) Over(l Limit, basis planner.Basis) []Overrun {
	var out []Overrun
	for _, n := range d.needsBy(d.compared(basis)) {
		if l.exceeds(n.Bytes) {
			n = d.plainest(n)
			parts := d.parts(n)
			buffers := d.growth(parts)
			named := min(overrunBuffers, len(buffers))
			out = append(out, Overrun{n, buffers[:named], len(buffers) - named, parts})
		}
	}
	return out
}

// At is where the buffer stands that made the need grow most; the zero Pos if there is
// none, or no sequence file of the new plan.
func (o Overrun) At() sequences.Pos {
	if len(o.Buffers) == 0 {
		return sequences.Pos{}
	}
	return o.Buffers[0].New.pos
}

// String says it in one line, without a line break.
func (o Overrun) String() string {
	s := o.Need.String() + " "
	if o.Need.Bytes.New.Known() {
		s += o.Need.Bytes.text()
	} else {
		s += "is no longer known"
	}
	if p := o.parts; o.Need.Bytes.New.Known() && len(p) > 1 && p[0].figure.Changed() && p[1].figure.Changed() {
		s += " = " + p[0].verdict() + ", " + p[1].verdict()
	}
	for i, b := range o.Buffers {
		s += [...]string{"; grew most: ", ", "}[min(i, 1)] + b.growth(o.parts)
	}
	if o.More > 0 {
		s += " and " + prose.Plural(o.More, "more buffer")
	}
	if len(o.Buffers) == 0 {
		s += "; no buffer of it grew or lives longer"
	}
	return s
}

// growth lists the buffers that may have made those of the parts grow that did, the ones
// with the most bytes first; those that grew by none live at other times. Where the need is
// no longer known, they are those without a size.
func (d *Diff) growth(parts []part) []*Buffer {
	var out []*Buffer
	grown := map[*Buffer]Change{}
	for i := range d.Buffers {
		b := &d.Buffers[i]
		p := b.partOf(parts)
		if p == nil || p.figure.Change.Known() && p.figure.Change.Sign() <= 0 {
			continue
		}
		g := b.grown(p.part)
		counts := g.Sign() > 0 || g.Sign() == 0 && b.differs(FieldLifetime)
		if !p.figure.New.Known() {
			counts = b.lost(p)
		}
		if counts {
			out, grown[b] = append(out, b), g
		}
	}
	slices.SortStableFunc(out, func(a, b *Buffer) int { return compare(grown[b].Size(), grown[a].Size()) })
	return out
}

// partOf is the part that holds a buffer in the new plan; nil if none does.
func (b *Buffer) partOf(parts []part) *part {
	for i := range parts {
		if class, scope := parts[i].part.class(); b.New != nil && b.New.Class == class && b.New.Scope == scope {
			return &parts[i]
		}
	}
	return nil
}

// lost tells whether a part is no longer known since the size of a buffer is not.
func (b *Buffer) lost(p *part) bool {
	switch {
	case p.figure.New.Known():
		return false
	case p.part.worst():
		return !b.New.Max.Known()
	}
	return b.New.Basis == Worst || b.New.Basis == Unknown
}

// growth says by how much a buffer made its part of the memory grow, and where it stands.
func (b *Buffer) growth(parts []part) string {
	s := strip(mark(b.Name))
	if at := b.latest().At; at != "" {
		s = strip(mark(at)) + " " + s
	}
	p := b.partOf(parts)
	switch g := b.grown(p.part); {
	case b.lost(p) && p.part.worst():
		return s + " has no worst case"
	case b.lost(p):
		return s + " has no typical size"
	case b.Kind == MovedClass:
		return s + " " + strip(b.verb()) + " with " + g.Size().short()
	case g.Sign() > 0:
		return s + " " + g.short()
	}
	return s + " lives longer"
}

// grown is by how many bytes a buffer is more in a part than before.
func (b *Buffer) grown(p Part) Change {
	class, scope := p.class()
	size := func(s *State) Amount {
		switch {
		case s == nil || s.Class != class || s.Scope != scope:
			return NewAmount[uint64](0)
		case p.worst():
			return s.Max
		}
		return NewAmount(s.Bytes)
	}
	return change(size(b.Old), size(b.New))
}
