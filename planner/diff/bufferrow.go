package diff

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/sequences"
)

// bufferTable lists the buffers of one kind.
func (d *Diff) bufferTable(kind Kind, top int) block {
	var list []*Buffer
	for i := range d.Buffers {
		if d.Buffers[i].Kind == kind {
			list = append(list, &d.Buffers[i])
		}
	}
	titles := map[Kind]string{
		MovedClass: "Moved to another class", MovedScope: "Moved to another scope", Grew: "Grew", Shrank: "Shrank",
		Appeared: "Appeared", Disappeared: "Disappeared", Renamed: "Renamed", Changed: "Changed, not in size",
	}
	b := block{head: []string{"change", "buffer", "class", "line"}}
	from, to := sumOf(list)
	b.title = fmt.Sprintf("%s: %s", titles[kind], prose.Plural(len(list), "buffer"))
	if c := change(from, to); c.Sign() != 0 {
		b.title += ", " + sizeChange(c)
	}
	for _, x := range list[:min(top, len(list))] {
		b.rows = append(b.rows, x.row())
	}
	if rest := list[min(top, len(list)):]; len(rest) > 0 {
		b.more = fmt.Sprintf("and %d more", len(rest))
		from, to := sumOf(rest)
		if c := change(from, to); c.Sign() != 0 {
			b.more += ", " + sizeChange(c)
		}
	}
	return b
}

func sumOf(list []*Buffer) (from, to Amount) {
	from, to = NewAmount[uint64](0), NewAmount[uint64](0)
	for _, b := range list {
		old, young := b.sizes()
		from, to = from.plus(old), to.plus(young)
	}
	return from, to
}

// sizes are the sizes that the class table counts.
func (b *Buffer) sizes() (from, to Amount) {
	from, to = NewAmount[uint64](0), NewAmount[uint64](0)
	if b.Old != nil {
		from = NewAmount(b.Old.Bytes)
	}
	if b.New != nil {
		to = NewAmount(b.New.Bytes)
	}
	return from, to
}

// sizeChange prints a change without what it is a change of.
func sizeChange(c Change) string {
	if c.Size().text() == c.Size().short() {
		return c.short()
	}
	return fmt.Sprintf("%s B (%s)", c, c.short())
}

func (b *Buffer) row() row {
	from, to := b.sizes()
	at := b.latest().At
	r := row{cells: []string{figure(from, to).text(), mark(b.Name), b.placeText(), ""}}
	if at != "" {
		r.cells[3] = mark(at)
	}
	if b.Old == nil || b.New == nil {
		s := b.latest()
		r.add("size", s.formula())
		r.add("lives", s.life())
		if s.InPlaceOf != "" {
			r.add("in place of", mark(s.InPlaceOf))
		}
		return r
	}
	b.details(&r)
	return r
}

func (r *row) add(label, text string) { r.details = append(r.details, detail{label, text}) }

func (b *Buffer) placeText() string {
	s := b.latest()
	if b.Old == nil || b.New == nil {
		return s.place()
	}
	return arrow(b.Old.place(), b.New.place())
}

func (s *State) place() string { return s.Class.String() + " " + s.Scope.String() }

func (s *State) formula() string {
	return fmt.Sprintf("%d B * (%s)", uint64(s.ElemSize), mark(s.Count))
}

func (s *State) life() string {
	return fmt.Sprintf("[%d, %d) %s ... %s", s.Lifetime.First, s.Lifetime.End, mark(s.First), mark(s.Last))
}

// details lists what changed in a buffer of both plans.
func (b *Buffer) details(r *row) {
	from, to := b.Old, b.New
	if b.differs(FieldName) {
		r.add("was", mark(from.Name))
	}
	if b.differs(FieldBytes) {
		r.add("bytes", arrow(NewAmount(from.Bytes).text(), NewAmount(to.Bytes).text()))
	}
	if b.differs(FieldBasis) {
		r.add("size is", arrow(from.Basis.text(), to.Basis.text()))
	}
	if f := figure(from.Max, to.Max); b.differs(FieldWorst) && (to.Basis != Fixed || from.Basis != Fixed) {
		text := arrow(f.Old.text(), f.New.text())
		if f.Change.Known() {
			text += ", " + f.text()
		}
		r.add("worst case", text)
	}
	if b.differs(FieldCount, FieldElement) {
		r.add("formula", arrow(from.formula(), to.formula()))
	}
	if b.differs(FieldType) {
		r.add("type", arrow(mark(from.Type), mark(to.Type)))
	}
	if b.differs(FieldCounts) {
		r.add("driven by", arrow(list(from.DrivenBy), list(to.DrivenBy)))
	}
	if b.differs(FieldAlign) {
		r.add("alignment", arrow(NewAmount(from.Align).text(), NewAmount(to.Align).text()))
	}
	if b.differs(FieldLifetime) {
		r.add("lives", arrow(from.life(), to.life()))
		r.add("held by", to.holders()+"; was "+from.holders())
	}
	if b.differs(FieldStep, FieldKind) {
		r.add("declared", arrow(from.Kind.String()+" "+mark(from.Step), to.Kind.String()+" "+mark(to.Step)))
	}
	if b.differs(FieldInPlace) {
		r.add("in place of", arrow(named(from.InPlaceOf), named(to.InPlaceOf)))
	}
	if b.differs(FieldLent) {
		r.add("lends", from.loans()+" -> "+to.loans())
	}
	if b.differs(FieldOffset) {
		r.add("fixed offset", arrow(maybe(from.FixedOffset), maybe(to.FixedOffset)))
	}
	if b.differs(FieldHint) {
		r.add("hint", arrow(maybe(from.Hint), maybe(to.Hint)))
	}
}

func list(names []string) string {
	if len(names) == 0 {
		return "no count"
	}
	return marked(names)
}

func maybe(at *sequences.Bytes) string {
	if at == nil {
		return "none"
	}
	return NewAmount(*at).text()
}

func (b Basis) text() string {
	switch b {
	case Worst:
		return "worst case"
	case Unknown:
		return "unknown, counted as 0 B"
	}
	return string(b)
}

// holders are the uses at the end of a life, as explain says them.
func (s *State) holders() string {
	var out []string
	for _, h := range s.HeldBy {
		text := mark(h.Step) + ": " + mark(strings.ReplaceAll(string(h.Why), "_", " "))
		if h.Of != "" {
			text += " " + mark(h.Of)
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return "its step alone"
	}
	return joined(out)
}

func (s *State) loans() string {
	var out []string
	for _, l := range s.Lent {
		what := "all"
		if l.Low < l.High {
			what = fmt.Sprintf("all but [%d, %d)", l.Low, l.High)
		}
		out = append(out, fmt.Sprintf("%s from %s to %s", what, mark(l.First), mark(l.End)))
	}
	if len(out) == 0 {
		return "nothing"
	}
	return joined(out)
}
