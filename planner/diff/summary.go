package diff

import (
	"fmt"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// grownParts are the parts of the memory that changed. Of the typical arena that is the
// sum or, where it stayed, what is live at once; the worst case counts where nothing
// typical changed.
func (d *Diff) grownParts() []part {
	var out []part
	add := func(list []part) {
		for _, p := range list {
			if p.figure.Changed() {
				out = append(out, p)
			}
		}
	}
	dynamic := func(list []part) {
		switch sum := list[0].figure; {
		case sum.Changed() && !sum.Change.Known():
			list = list[:1] // as unknown as the others
		case sum.Changed():
			list = append(list[:1:1], list[2:]...)
		}
		add(list)
	}
	add(d.pools())
	static := len(out)
	if dynamic(d.typical()); len(out) == static {
		dynamic(d.worst())
	}
	return out
}

// summary says of the parts in one scope how they changed; before both parts of a need it
// says how that did.
func (d *Diff) summary(parts []part, scope sequences.Scope) (out []string) {
	for _, p := range in(parts, scope) {
		out = append(out, p.verdict())
	}
	if n := d.combined(parts, scope); n != nil {
		change := "as before"
		if n.Bytes.Changed() {
			change = n.Bytes.brief()
		}
		out[0] = fmt.Sprintf("%s %s = %s", n, change, out[0])
	}
	return out
}

// combined is the need of which both parts changed, the static region and the dynamic
// buffers; nil if not both did, or it is not known.
func (d *Diff) combined(parts []part, scope sequences.Scope) *Need {
	both := in(parts, scope)
	if len(both) < 2 {
		return nil
	}
	basis, ok := both[1].part.basis()
	for _, n := range d.needsBy(basis) {
		if ok && n.Scope == scope && n.Bytes.Change.Known() {
			return &n
		}
	}
	return nil
}

// basis is the one by which a part is in the need; false if it is in none.
func (p Part) basis() (planner.Basis, bool) {
	switch p {
	case TypicalSum, TypicalHost:
		return planner.BasisTypical, true
	case TypicalPeak:
		return planner.BasisPeak, true
	case WorstSum, WorstHost:
		return planner.BasisWorst, true
	}
	return planner.BasisStatic, p == DevicePool || p == HostPool
}

func in(parts []part, scope sequences.Scope) (out []part) {
	for _, p := range parts {
		if _, of := p.part.class(); of == scope {
			out = append(out, p)
		}
	}
	return out
}

func (p part) verdict() string {
	switch {
	case !p.figure.New.Known():
		return string(p.part) + " no longer known"
	case !p.figure.Old.Known():
		return fmt.Sprintf("%s now known, %s", p.part, p.figure.New.short())
	}
	return string(p.part) + " " + p.figure.brief()
}
