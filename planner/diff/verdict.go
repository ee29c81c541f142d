package diff

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/sequences"
)

// judge says in one line what the difference comes to, with marks.
func (d *Diff) judge() string {
	if d.Empty {
		return "no difference"
	}
	parts := d.grownParts()
	if len(parts) == 0 {
		return d.judgeRest()
	}
	return strings.Join(append(d.summary(parts, sequences.Device), d.summary(parts, sequences.Host)...), ", ") + d.cause(parts)
}

// cause names what made the parts change. It is certain where one buffer alone changed
// that counts there, in the same direction, and nothing that the places of all depend on.
func (d *Diff) cause(parts []part) string {
	of := d.countedIn(parts)
	moved := len(of) > 0 && of[0].Kind == MovedClass
	common := d.common()
	if len(common) > 0 && !moved {
		s := ": " + common[0]
		if n := len(common); n > 1 {
			s += " and " + prose.Plural(n-1, "more parameter")
		}
		return s + ", " + prose.Plural(len(of), "buffer") + " changed"
	}
	first := mostOf(of, parts)
	if first == nil {
		return d.otherCause(parts, len(of))
	}
	what := mark(first.Name) + " " + first.verb()
	switch {
	case len(of) > 1:
		return fmt.Sprintf(": %s, and %s changed", what, prose.Plural(len(of)-1, "more buffer"))
	case d.general() || len(common) > 0 || !first.countsInEach(parts):
		return ": " + what
	}
	return ", because " + what
}

// At is where the buffer stands whose change counts most in the memory that the verdict
// names; the zero Pos if there is none, or no sequence file of the new plan.
func (d *Diff) At() sequences.Pos {
	parts := d.grownParts()
	b := mostOf(d.countedIn(parts), parts)
	if b == nil || b.New == nil {
		return sequences.Pos{}
	}
	return b.New.pos
}

// countedIn are the buffers that changed in what counts in some parts, in their order.
func (d *Diff) countedIn(parts []part) []*Buffer {
	var of []*Buffer
	for i := range d.Buffers {
		if b := &d.Buffers[i]; b.countsIn(parts) {
			of = append(of, b)
		}
	}
	return of
}

// mostOf is the buffer with the largest change of those that go with the parts; one that
// moved to another class comes before all. nil: there is none.
func mostOf(of []*Buffer, parts []part) *Buffer {
	var first *Buffer
	for _, b := range of {
		switch {
		case !b.goesWith(parts):
		case first == nil:
			first = b
		case first.Kind != MovedClass && compare(b.Change.Size(), first.Change.Size()) > 0:
			first = b
		}
	}
	return first
}

// common are the settings that all sizes, or all places, depend on, and that changed: the
// parameters of both plans with another range, and the policies.
func (d *Diff) common() []string {
	var out []string
	for i := range d.Params {
		if p := &d.Params[i]; p.Old != nil && p.New != nil {
			out = append(out, p.text())
		}
	}
	for i := range d.Pools {
		if p := &d.Pools[i]; p.Reuse.Changed() && len(out) == 0 {
			out = append(out, fmt.Sprintf("%s reuse %s -> %s", p.Scope, named(p.Reuse.Old), named(p.Reuse.New)))
		}
	}
	return out
}

// general tells whether the order of the steps changed, on which all places depend.
func (d *Diff) general() bool {
	return d.Streams.Changed() || d.StreamWaits.changed() || d.Steps.Reordered > 0
}

// goesWith tells whether all parts changed in the direction in which the buffer did; a
// buffer that moved between them goes with all.
func (b *Buffer) goesWith(parts []part) bool {
	if b.Kind == MovedClass || b.Kind == MovedScope {
		return true
	}
	for _, p := range parts {
		g := b.grown(p.part)
		if g.Known() && g.Sign()*p.figure.Change.Sign() < 0 {
			return false
		}
	}
	return true
}

// countsIn tells whether a buffer is in one of the parts, and changed in what counts there.
func (b *Buffer) countsIn(parts []part) bool {
	if b.Old != nil && b.New != nil && !b.differs(FieldClass, FieldScope, FieldBytes, FieldWorst, FieldAlign,
		FieldLifetime, FieldInPlace, FieldLent, FieldOffset, FieldHint) {
		return false
	}
	for _, p := range parts {
		class, scope := p.part.class()
		for _, s := range []*State{b.Old, b.New} {
			if s != nil && s.Class == class && s.Scope == scope {
				return true
			}
		}
	}
	return false
}

// otherCause is the cause where no buffer of the parts changed in their direction.
func (d *Diff) otherCause(parts []part, changed int) string {
	buffers := "no buffer of it changed"
	if changed > 0 {
		buffers = prose.Plural(changed, "buffer") + " changed"
	}
	for i := range d.Pools {
		p := &d.Pools[i]
		if changed == 0 && p.Scope == sequences.Device && len(parts) == 1 && parts[0].part == DevicePool && p.Reserved.Change == p.Size.Change {
			return ", because its reserved part changed"
		}
	}
	if d.general() {
		return ": the order of the steps changed, " + buffers
	}
	return ": the places changed, " + buffers
}

// countsInEach tells whether a buffer counts in every part.
func (b *Buffer) countsInEach(parts []part) bool {
	for i := range parts {
		if !b.countsIn(parts[i : i+1]) {
			return false
		}
	}
	return true
}

// followed tells whether a buffer has another name because its step has, and is else as before.
func (b *Buffer) followed() bool {
	if b.Kind != Renamed || len(b.What) > 1 {
		return false
	}
	from, ok := behind(b.Old.Step, b.Old.Name)
	to, okNew := behind(b.New.Step, b.New.Name)
	return ok && okNew && from == to
}

// judgeRest is the verdict where no pool and no arena needs more or less.
func (d *Diff) judgeRest() string {
	var out []string
	add := func(n int, noun, verb string) {
		if n > 0 {
			out = append(out, prose.Plural(n, noun)+" "+verb)
		}
	}
	var own []*Buffer // what happened to them did not come with the name of their step
	for i := range d.Buffers {
		if b := &d.Buffers[i]; !b.followed() {
			own = append(own, b)
		}
	}
	if renamed := d.Steps.renamed(); len(renamed) == 1 {
		out = append(out, "step "+mark(renamed[0].Was)+" renamed to "+mark(renamed[0].Name))
	} else {
		add(len(renamed), "step", "renamed")
	}
	if n := len(own); n > 0 {
		text := mark(own[0].Name) + " " + own[0].verb()
		if n > 1 {
			text += ", and " + prose.Plural(n-1, "more buffer") + " changed"
		}
		out = append(out, text)
	}
	if d.Workers.Changed() {
		out = append(out, fmt.Sprintf("workers %s -> %s", d.Workers.Old, d.Workers.New))
	}
	if d.Arena.Reuse.Changed() {
		out = append(out, fmt.Sprintf("arena mode %s -> %s", mode(d.Arena.Reuse.Old), mode(d.Arena.Reuse.New)))
	}
	add(len(d.Steps.Added), "step", "added")
	add(len(d.Steps.Removed), "step", "removed")
	add(len(d.HostWaits.Added), "host wait", "added")
	add(len(d.HostWaits.Removed), "host wait", "removed")
	add(d.Moved, "buffer", "only moved")
	if len(out) == 0 && d.LayoutChanged {
		out = append(out, "the layout changed")
	}
	if len(out) == 0 {
		out = append(out, "something else changed")
	}
	return "pools and arena as before: " + strings.Join(out, "; ")
}

func mode(reuse bool) string {
	if reuse {
		return "reuse"
	}
	return "bump"
}
