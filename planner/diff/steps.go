package diff

import (
	"fmt"
	"slices"
	"sort"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Steps is how the steps differ.
type Steps struct {
	Added     []string     `json:"added"`
	Removed   []string     `json:"removed"`
	Reordered int          `json:"reordered"` // how few steps would have to move to get the new order of those in both plans
	Changed   []StepChange `json:"changed"`
}

// StepChange is a step that has another name, or runs elsewhere.
type StepChange struct {
	Name   string       `json:"name"`          // the new one, if it has two
	Was    string       `json:"was,omitempty"` // the old one, if it has two
	Host   Pair[bool]   `json:"host"`          // it runs on the host
	Stream Pair[string] `json:"stream"`        // empty if the plan has only one
}

// moved tells whether the step runs elsewhere.
func (s *StepChange) moved() bool { return s.Host.Changed() || s.Stream.Changed() }

// renamed are the steps with another name.
func (s *Steps) renamed() (out []*StepChange) {
	for i := range s.Changed {
		if s.Changed[i].Was != "" {
			out = append(out, &s.Changed[i])
		}
	}
	return out
}

func (s *Steps) title() string {
	renamed, elsewhere := s.renamed(), 0
	for i := range s.Changed {
		if s.Changed[i].moved() {
			elsewhere++
		}
	}
	out := fmt.Sprintf("Steps: %d added, %d removed, ", len(s.Added), len(s.Removed))
	if len(renamed) > 0 {
		out += fmt.Sprintf("%d renamed, ", len(renamed))
	}
	return out + fmt.Sprintf("%d changed, %d in another order", elsewhere, s.Reordered)
}

func (s *Steps) changed() bool { return len(s.Added)+len(s.Removed)+len(s.Changed)+s.Reordered > 0 }

func (c *comparison) stepChanges() Steps {
	out := Steps{Added: []string{}, Removed: []string{}, Changed: []StepChange{}}
	var tails []int // of the longest ascending runs, by their length
	both := 0
	for i, j := range c.steps.toNew {
		from := &c.old.Steps[i]
		if j == none {
			out.Removed = append(out.Removed, from.Name)
			continue
		}
		both++
		if k := sort.SearchInts(tails, j); k < len(tails) {
			tails[k] = j
		} else {
			tails = append(tails, j)
		}
		to := &c.new.Steps[j]
		change := StepChange{Name: to.Name, Host: Pair[bool]{from.Host, to.Host}}
		if from.Name != to.Name {
			change.Was = from.Name
		}
		if len(c.old.Streams) > 0 && len(c.new.Streams) > 0 || from.Stream != to.Stream {
			change.Stream = Pair[string]{streamOf(c.old, from), streamOf(c.new, to)}
		}
		if change.Was != "" || change.moved() {
			out.Changed = append(out.Changed, change)
		}
	}
	out.Reordered = both - len(tails)
	for j, i := range c.steps.toOld {
		if i == none {
			out.Added = append(out.Added, c.new.Steps[j].Name)
		}
	}
	return out
}

func streamOf(p *planner.Plan, s *planner.Step) string {
	if s.Stream < 0 || s.Stream >= len(p.Streams) {
		return ""
	}
	return p.Streams[s.Stream]
}

// Param is a parameter with another range; Old or New is nil where it is not there.
type Param struct {
	Name string `json:"name"`
	Old  *Range `json:"old,omitempty"`
	New  *Range `json:"new,omitempty"`
}

// Range is what a parameter may be.
type Range struct {
	Min uint64 `json:"min"`
	Max uint64 `json:"max"`
}

func (c *comparison) params() []Param {
	name := func(p *planner.Param) string { return p.Name }
	out := []Param{}
	pairUp(c.old.Params, c.new.Params, name, func(from, to *planner.Param) {
		p := Param{}
		if from != nil {
			p.Name, p.Old = from.Name, &Range{from.Min, from.Max}
		}
		if to != nil {
			p.Name, p.New = to.Name, &Range{to.Min, to.Max}
		}
		if !same(p.Old, p.New) {
			out = append(out, p)
		}
	})
	return out
}

// Count is a count with other bounds; Old or New is nil where it is not there.
type Count struct {
	Name string  `json:"name"`
	Old  *Bounds `json:"old,omitempty"`
	New  *Bounds `json:"new,omitempty"`
}

// Bounds are what is known of a count at the largest parameter values.
type Bounds struct {
	At      string `json:"at"` // the buffer that holds it
	Max     Amount `json:"max"`
	Typical Amount `json:"typical"`
}

func (c *comparison) counts() []Count {
	name := func(p *planner.Count) string { return p.Name }
	known := func(v *uint64) Amount {
		if v == nil {
			return Amount{}
		}
		return NewAmount(*v)
	}
	out := []Count{}
	pairUp(c.old.Counts, c.new.Counts, name, func(from, to *planner.Count) {
		n := Count{}
		if from != nil {
			n.Name, n.Old = from.Name, &Bounds{from.At, known(from.Max), known(from.Typical)}
		}
		if to != nil {
			n.Name, n.New = to.Name, &Bounds{to.At, known(to.Max), known(to.Typical)}
		}
		if n.Old == nil || n.New == nil || n.Old.Max != n.New.Max || n.Old.Typical != n.New.Typical || !c.sameBuffer(n.Old.At, n.New.At) {
			out = append(out, n)
		}
	})
	return out
}

// pairUp calls f for each pair of equal names, and for what has no partner.
func pairUp[T any](from, to []T, name func(*T) string, f func(from, to *T)) {
	p := pairNames(names(from, name), names(to, name))
	for i, j := range p.toNew {
		if j == none {
			f(&from[i], nil)
		} else {
			f(&from[i], &to[j])
		}
	}
	for j, i := range p.toOld {
		if i == none {
			f(nil, &to[j])
		}
	}
}

// HostWaits is where the host waits for the device in one of the plans only, or for
// something else.
type HostWaits struct {
	Added   []HostWait       `json:"added"`
	Removed []HostWait       `json:"removed"`
	Changed []HostWaitChange `json:"changed"`
}

// HostWait is one host wait.
type HostWait struct {
	Step    string   `json:"step"` // before this one
	Reason  string   `json:"reason"`
	Buffers []string `json:"buffers"`
}

// HostWaitChange is a wait before one step, for something else.
type HostWaitChange struct {
	Old HostWait `json:"old"`
	New HostWait `json:"new"`
}

func (w *HostWaits) changed() bool { return len(w.Added)+len(w.Removed)+len(w.Changed) > 0 }

func (c *comparison) hostWaits() HostWaits {
	out := HostWaits{[]HostWait{}, []HostWait{}, []HostWaitChange{}}
	taken := make([]bool, len(c.new.Waits))
	for i := range c.old.Waits {
		from := &c.old.Waits[i]
		j := 0
		for j < len(taken) && (taken[j] || !c.sameStep(from.Step, c.new.Waits[j].Step)) {
			j++
		}
		if j == len(taken) {
			out.Removed = append(out.Removed, newWait(c.old, from))
			continue
		}
		taken[j] = true
		to := &c.new.Waits[j]
		if from.Reason != to.Reason || !slices.EqualFunc(from.Buffers, to.Buffers, c.sameBuffer) {
			out.Changed = append(out.Changed, HostWaitChange{newWait(c.old, from), newWait(c.new, to)})
		}
	}
	for j := range c.new.Waits {
		if !taken[j] {
			out.Added = append(out.Added, newWait(c.new, &c.new.Waits[j]))
		}
	}
	return out
}

func newWait(p *planner.Plan, w *planner.Wait) HostWait {
	return HostWait{stepName(p, w.Step), w.Reason, append([]string{}, w.Buffers...)}
}

// StreamWaits is where a stream waits for another one in one of the plans only.
type StreamWaits struct {
	Added   []StreamWait `json:"added"`
	Removed []StreamWait `json:"removed"`
}

// StreamWait is one stream wait: Step starts after another step of another stream.
type StreamWait struct {
	Step    string `json:"step"`
	After   string `json:"after"`
	Planner bool   `json:"planner,omitempty"` // the planner added it, because it saves memory
}

func (w *StreamWaits) changed() bool { return len(w.Added)+len(w.Removed) > 0 }

// edge is a stream wait, in the numbers of the new plan if both steps are in it.
type edge struct{ step, after int }

func (c *comparison) streamWaits() StreamWaits {
	from, to := map[edge]bool{}, map[edge]bool{}
	old := func(step int, after sequences.StepID) (edge, bool) {
		s, okStep := c.steps.newStep(step)
		a, okAfter := c.steps.newStep(int(after))
		return edge{s, a}, okStep && okAfter
	}
	for i := range c.old.Steps {
		for _, after := range c.old.Steps[i].After {
			if e, ok := old(i, after); ok {
				from[e] = true
			}
		}
	}
	out := StreamWaits{[]StreamWait{}, []StreamWait{}}
	for i := range c.new.Steps {
		for _, after := range c.new.Steps[i].After {
			e := edge{i, c.steps.clamp(int(after))}
			if to[e] = true; !from[e] {
				out.Added = append(out.Added, newStreamWait(c.new, i, after))
			}
		}
	}
	for i := range c.old.Steps {
		for _, after := range c.old.Steps[i].After {
			if e, ok := old(i, after); !ok || !to[e] {
				out.Removed = append(out.Removed, newStreamWait(c.old, i, after))
			}
		}
	}
	return out
}

func newStreamWait(p *planner.Plan, step int, after sequences.StepID) StreamWait {
	added := slices.ContainsFunc(p.Added, func(e planner.AddedEdge) bool { return int(e.To) == step && e.From == after })
	return StreamWait{stepName(p, sequences.StepID(step)), stepName(p, after), added}
}
