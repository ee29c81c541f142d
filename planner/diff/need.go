package diff

import (
	"math/big"
	"slices"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// needChanged tells whether a plan needs other memory than the other one: the size of a
// pool, one of the three sums of the typical or the worst case, the arena mode, or the
// number of workers. What becomes known, or is no longer, differs too.
func (d *Diff) needChanged() bool {
	for i := range d.Pools {
		if d.Pools[i].Size.Changed() {
			return true
		}
	}
	return d.Arena.Typical.changed() || d.Arena.Worst.changed() || d.Arena.Reuse.Changed() || d.Workers.Changed()
}

// Limit is how much a pool may grow; its zero value is not at all.
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

// Overrun is a pool that grew by more than a limit.
type Overrun struct {
	Part    Part
	Figure  Figure
	Buffers []*Buffer // those that made it grow most, the largest first; at most overrunBuffers
	More    int       // and how many more of them
}

// overrunBuffers is how many buffers an Overrun names.
const overrunBuffers = 3

// Part is a part of the memory of one worker.
type Part string

// The parts.
const (
	DevicePool  Part = "device pool"
	HostPool    Part = "host pool"
	TypicalSum  Part = "typical arena"
	TypicalPeak Part = "typical arena, live at once"
	TypicalHost Part = "typical dynamic host memory"
	WorstSum    Part = "worst-case arena"
	WorstPeak   Part = "worst-case arena, live at once"
	WorstHost   Part = "worst-case dynamic host memory"
)

// class returns the buffers that a part holds.
func (p Part) class() (planner.Class, sequences.Scope) {
	switch p {
	case DevicePool:
		return planner.Static, sequences.Device
	case HostPool:
		return planner.Static, sequences.Host
	case TypicalHost, WorstHost:
		return planner.Dynamic, sequences.Host
	}
	return planner.Dynamic, sequences.Device
}

// worst tells whether a part counts the largest sizes of dynamic buffers.
func (p Part) worst() bool { return slices.Contains([]Part{WorstSum, WorstPeak, WorstHost}, p) }

type part struct {
	part   Part
	figure Figure
}

func (d *Diff) pools() []part {
	var out []part
	for i := range d.Pools {
		name := DevicePool
		if d.Pools[i].Scope == sequences.Host {
			name = HostPool
		}
		out = append(out, part{name, d.Pools[i].Size})
	}
	return out
}

func (d *Diff) typical() []part {
	a := &d.Arena.Typical
	return []part{{TypicalSum, a.Sum}, {TypicalPeak, a.Peak}, {TypicalHost, a.HostSum}}
}

func (d *Diff) worst() []part {
	a := &d.Arena.Worst
	return []part{{WorstSum, a.Sum}, {WorstPeak, a.Peak}, {WorstHost, a.HostSum}}
}

// arena is the need of the dynamic buffers by a basis. The worst case stands in where the
// old plan knows no typical need.
func (d *Diff) arena(basis planner.Basis) []part {
	switch {
	case basis == planner.BasisStatic:
		return nil
	case basis == planner.BasisWorst || !d.Arena.Typical.Sum.Old.Known():
		return d.worst()
	}
	return d.typical()
}

// Known tells whether the old plan knows what the arena is compared with by a basis. If it
// does not, the arena is above no limit.
func (d *Diff) Known(basis planner.Basis) bool {
	for _, p := range d.arena(basis) {
		if !p.figure.Old.Known() {
			return false
		}
	}
	return true
}

// Over returns the parts of the memory that grew by more than a limit: of the two pools
// and, as the basis says, none of the need of the dynamic buffers, the typical one, or the
// worst case, which stands in where the old plan knows no typical one.
func (d *Diff) Over(l Limit, basis planner.Basis) []Overrun {
	var out []Overrun
	for _, p := range append(d.pools(), d.arena(basis)...) {
		if l.exceeds(p.figure) {
			buffers := d.growth(p.part)
			n := min(overrunBuffers, len(buffers))
			out = append(out, Overrun{p.part, p.figure, buffers[:n], len(buffers) - n})
		}
	}
	return out
}

// At is where the buffer stands that made the part grow most; the zero Pos if there is
// none, or no sequence file of the new plan.
func (o Overrun) At() sequences.Pos {
	if len(o.Buffers) == 0 {
		return sequences.Pos{}
	}
	return o.Buffers[0].New.pos
}

// String says it in one line, without a line break.
func (o Overrun) String() string {
	s := string(o.Part) + " "
	if o.Figure.New.Known() {
		s += o.Figure.text()
	} else {
		s += "is no longer known"
	}
	for i, b := range o.Buffers {
		s += [...]string{"; grew most: ", ", "}[min(i, 1)] + b.Growth(o.Part)
	}
	if o.More > 0 {
		s += " and " + prose.Plural(o.More, "more buffer")
	}
	if len(o.Buffers) == 0 {
		s += "; no buffer of it grew or lives longer"
	}
	return s
}

// Growth says by how much a buffer made a part grow, and where it stands.
func (b *Buffer) Growth(p Part) string {
	s := strip(mark(b.Name))
	if at := b.latest().At; at != "" {
		s = strip(mark(at)) + " " + s
	}
	if g := b.grown(p); g.Sign() > 0 {
		return s + " " + g.short()
	}
	return s + " lives longer"
}

// growth lists the buffers that may have made a part grow, those with the most bytes
// first; those that grew by none live at other times.
func (d *Diff) growth(p Part) []*Buffer {
	var out []*Buffer
	class, scope := p.class()
	for i := range d.Buffers {
		b := &d.Buffers[i]
		if b.New == nil || b.New.Class != class || b.New.Scope != scope {
			continue
		}
		g := b.grown(p)
		if g.Sign() > 0 || g.Sign() == 0 && b.differs(FieldLifetime) {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b *Buffer) int {
		return compare(b.grown(p).Size(), a.grown(p).Size())
	})
	return out
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
