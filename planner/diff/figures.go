package diff

import (
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Class is one class in one scope: the sum of the sizes of its buffers, the typical ones
// of dynamic buffers where they are known, else the worst case, and 0 for what has
// neither, as in the class table of a report.
type Class struct {
	Class planner.Class   `json:"class"`
	Scope sequences.Scope `json:"scope"`
	Total
}

// Total sums up some buffers.
type Total struct {
	Buffers Figure `json:"buffers"` // how many
	Bytes   Figure `json:"bytes"`
}

func (t Total) changed() bool { return t.Buffers.Changed() || t.Bytes.Changed() }

// sums are the buffers and bytes of the four classes, and of all.
type sums [5]struct{ buffers, bytes Amount }

const inTotal = 4

func sumUp(p *planner.Plan) *sums {
	s := new(sums)
	for i := range s {
		s[i].buffers, s[i].bytes = NewAmount[uint64](0), NewAmount[uint64](0)
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		size, _ := sizeOf(b)
		for _, row := range []int{rowOf(b.Class, b.Scope), inTotal} {
			s[row].buffers = s[row].buffers.plus(NewAmount[uint64](1))
			s[row].bytes = s[row].bytes.plus(NewAmount(size))
		}
	}
	return s
}

func rowOf(class planner.Class, scope sequences.Scope) int { return 2*int(class) + int(scope) }

func (c *comparison) classes() ([]Class, Total) {
	from, to := sumUp(c.old), sumUp(c.new)
	total := func(row int) Total {
		return Total{figure(from[row].buffers, to[row].buffers), figure(from[row].bytes, to[row].bytes)}
	}
	var out []Class
	for _, class := range []planner.Class{planner.Static, planner.Dynamic} {
		for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
			out = append(out, Class{class, scope, total(rowOf(class, scope))})
		}
	}
	return out, total(inTotal)
}

// Pool is the static region of one scope.
type Pool struct {
	Scope      sequences.Scope `json:"scope"`
	Size       Figure          `json:"size"` // Reserved and Height
	Height     Figure          `json:"height"`
	LowerBound Figure          `json:"lower_bound"`
	Optimal    Pair[bool]      `json:"optimal"`
	Reserved   Figure          `json:"reserved"`
	Align      Figure          `json:"align"`
	Capacity   Figure          `json:"capacity"`       // null: not declared
	Reuse      Pair[string]    `json:"reuse,omitzero"` // the policy, with several streams
}

func newPool(from, to *planner.Pool) Pool {
	return Pool{
		Scope: to.Scope, Size: numbers(from.Size, to.Size), Height: numbers(from.Height, to.Height),
		LowerBound: numbers(from.LowerBound, to.LowerBound), Optimal: Pair[bool]{from.Optimal, to.Optimal},
		Reserved: numbers(from.Reserved, to.Reserved), Align: numbers(from.Align, to.Align),
		Capacity: figure(declared(from.Capacity), declared(to.Capacity)), Reuse: Pair[string]{from.Reuse, to.Reuse},
	}
}

func declared(capacity sequences.Bytes) Amount {
	if capacity == 0 {
		return Amount{}
	}
	return NewAmount(capacity)
}

func (p *Pool) changed() bool {
	return p.Size.Changed() || p.Height.Changed() || p.LowerBound.Changed() || p.Optimal.Changed() ||
		p.Reserved.Changed() || p.Align.Changed() || p.Capacity.Changed() || p.Reuse.Changed()
}

// Arena is the need of the dynamic buffers.
type Arena struct {
	Typical Demand     `json:"typical"` // every count typical
	Worst   Demand     `json:"worst"`   // every count at its max
	Reuse   Pair[bool] `json:"reuse"`   // the arena mode: reuse or bump
	Slots   Figure     `json:"slots"`
	Align   Figure     `json:"align"`
}

// Demand is what the dynamic buffers need; not known where a count tells nothing.
type Demand struct {
	Sum     Figure `json:"sum"`      // of all device buffers: what the mode bump needs
	Peak    Figure `json:"peak"`     // live at once: no arena needs less
	HostSum Figure `json:"host_sum"` // of all host buffers
}

func newDemand(from, to *planner.Demand) Demand {
	get := func(d *planner.Demand, of func(*planner.Demand) sequences.Bytes) Amount {
		if d == nil {
			return Amount{}
		}
		return NewAmount(of(d))
	}
	both := func(of func(*planner.Demand) sequences.Bytes) Figure { return figure(get(from, of), get(to, of)) }
	return Demand{
		Sum:     both(func(d *planner.Demand) sequences.Bytes { return d.Sum }),
		Peak:    both(func(d *planner.Demand) sequences.Bytes { return d.Peak }),
		HostSum: both(func(d *planner.Demand) sequences.Bytes { return d.HostSum }),
	}
}

func (d *Demand) changed() bool { return d.Sum.Changed() || d.Peak.Changed() || d.HostSum.Changed() }

func (c *comparison) arena() Arena {
	from, to := &c.old.Arena, &c.new.Arena
	return Arena{
		Typical: newDemand(from.Typical, to.Typical), Worst: newDemand(from.Worst, to.Worst),
		Reuse: Pair[bool]{from.Reuse, to.Reuse},
		Slots: numbers(uint64(from.Slots), uint64(to.Slots)), Align: numbers(from.Align, to.Align),
	}
}

func (a *Arena) changed() bool {
	return a.Typical.changed() || a.Worst.changed() || a.Reuse.Changed() || a.Slots.Changed() || a.Align.Changed()
}
