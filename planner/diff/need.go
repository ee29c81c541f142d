package diff

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Need is what one worker needs in one scope by a basis: the static region, and what of the
// dynamic buffers the basis counts. In device memory it is planner.Plan.DeviceNeed. Host
// memory has no arena: its dynamic buffers count whole, by the basis peak too.
type Need struct {
	Scope sequences.Scope `json:"scope"`
	Basis planner.Basis   `json:"basis"`
	Bytes Figure          `json:"bytes"` // not known where a count tells nothing
}

func newNeeds(from, to *planner.Plan) []Need {
	var out []Need
	for _, basis := range planner.Bases() {
		for scope := range sequences.Scope(min(len(from.Pools), len(to.Pools))) {
			out = append(out, Need{scope, basis, figure(needOf(from, scope, basis), needOf(to, scope, basis))})
		}
	}
	return out
}

// needOf is the need in a plan, which may leave 64 bits.
func needOf(p *planner.Plan, scope sequences.Scope, basis planner.Basis) Amount {
	static, demand := p.Pools[scope].Size, p.Arena.Typical
	need := NewAmount(static)
	if basis == planner.BasisWorst {
		demand = p.Arena.Worst
	}
	switch {
	case basis == planner.BasisStatic:
		return need
	case demand == nil && scope == sequences.Host && !slices.ContainsFunc(p.Buffers, dynamicHost):
		return need
	case demand == nil:
		return Amount{}
	case scope == sequences.Host:
		return need.plus(NewAmount(demand.HostSum))
	}
	if align := p.Arena.Align; align > 0 && static%align > 0 {
		need = need.plus(NewAmount(align - static%align)) // the arena starts behind it
	}
	if basis == planner.BasisPeak {
		return need.plus(NewAmount(demand.Peak))
	}
	return need.plus(NewAmount(demand.Sum))
}

func dynamicHost(b planner.Buffer) bool {
	return b.Class == planner.Dynamic && b.Scope == sequences.Host
}

func (n Need) String() string {
	scope := n.Scope.String()
	switch n.Basis {
	case planner.BasisStatic:
		return scope + " pool"
	case planner.BasisWorst:
		return "worst-case " + scope + " need"
	case planner.BasisPeak:
		if n.Scope == sequences.Device {
			return "typical device need, live at once"
		}
	}
	return "typical " + scope + " need"
}

// needsBy are the needs by a basis.
func (d *Diff) needsBy(basis planner.Basis) (out []Need) {
	for _, n := range d.Needs {
		if n.Basis == basis {
			out = append(out, n)
		}
	}
	return out
}

// plainest is a need by the basis static if nothing else is in it in either plan.
func (d *Diff) plainest(n Need) Need {
	if static := d.needsBy(planner.BasisStatic)[n.Scope]; static.Bytes == n.Bytes {
		return static
	}
	return n
}

// tells tells whether the old plan knows its needs by a basis.
func (d *Diff) tells(basis planner.Basis) bool {
	for _, n := range d.needsBy(basis) {
		if !n.Bytes.Old.Known() {
			return false
		}
	}
	return true
}

// compared is the basis that growth is measured by. Where the old plan knows no need by the
// one that is asked for the worst case stands in, and for that the static regions.
func (d *Diff) compared(basis planner.Basis) planner.Basis {
	for _, b := range []planner.Basis{basis, planner.BasisWorst} {
		if d.tells(b) {
			return b
		}
	}
	return planner.BasisStatic
}

// Known tells whether the growth of the dynamic buffers is part of what Over compares, if
// they count by the basis. It is not where the old plan does not know what they need.
func (d *Diff) Known(basis planner.Basis) bool {
	return basis == planner.BasisStatic || d.compared(basis) != planner.BasisStatic
}

// needChanged tells whether a plan needs other memory than the other one: by one of the
// bases, live at once in the worst case, or with another arena mode or number of workers.
// What becomes known, or is no longer, differs too.
func (d *Diff) needChanged() bool {
	for _, n := range d.Needs {
		if n.Bytes.Changed() {
			return true
		}
	}
	return d.Arena.Typical.changed() || d.Arena.Worst.changed() || d.Arena.Reuse.Changed() || d.Workers.Changed()
}
