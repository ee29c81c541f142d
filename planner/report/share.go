package report

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Share is what a dynamic buffer, with those that take over its storage, is of the dynamic
// memory of its scope by one basis.
type Share struct {
	Basis   Basis           `json:"basis"`
	Storage string          `json:"storage"`        // the buffer that has the storage first
	Bytes   sequences.Bytes `json:"bytes"`          // of the storage, rounded up as it is placed; the sum falls by them without it
	Sum     sequences.Bytes `json:"sum"`            // of all
	Percent float64         `json:"percent"`        // of the sum
	Peak    *PeakShare      `json:"peak,omitempty"` // of a device buffer
}

// PeakShare is what a buffer of the arena is of the peak: of the most bytes that live at once.
type PeakShare struct {
	Bytes    sequences.Bytes  `json:"bytes"` // the peak
	Step     sequences.StepID `json:"step"`  // at which it is
	Name     string           `json:"name"`
	Alive    bool             `json:"alive"`     // the buffer is alive then
	Without  sequences.Bytes  `json:"without"`   // by which the peak falls without the storage
	NextStep sequences.StepID `json:"next_step"` // which has most then
	NextName string           `json:"next_name"`
}

// shares are those of a dynamic buffer, by the bases of which the sizes of all are known.
func shares(p *planner.Plan, id int) (out []Share) {
	head := id
	for p.Buffers[head].InPlaceOf != "" {
		head = slices.IndexFunc(p.Buffers, func(b planner.Buffer) bool { return b.Name == p.Buffers[head].InPlaceOf })
	}
	b := &p.Buffers[head]
	for _, of := range []struct {
		basis  Basis
		demand *planner.Demand
	}{{Typical, p.Arena.Typical}, {Worst, p.Arena.Worst}} {
		bytes, ok := sizeBy(b, of.basis)
		if !ok || of.demand == nil {
			continue
		}
		s := Share{Basis: of.basis, Storage: b.Name, Bytes: roundUp(bytes, p.Arena.Align), Sum: of.demand.Sum}
		if b.Scope == sequences.Host {
			s.Bytes, s.Sum = roundUp(bytes, leastAlign(p, b.Scope)), of.demand.HostSum
		} else if len(p.Steps) > 0 {
			s.Peak = peakShare(p, of.demand, of.basis, head)
		}
		s.Percent = percent(s.Bytes, s.Sum)
		out = append(out, s)
	}
	return out
}

func peakShare(p *planner.Plan, d *planner.Demand, basis Basis, id int) *PeakShare {
	life := p.Buffers[id].Lifetime
	next, most := peakOf(arenaLive(p, basis, id))
	return &PeakShare{
		Bytes: d.Peak, Step: d.PeakStep, Name: stepName(p, d.PeakStep), Alive: life.First <= d.PeakStep && d.PeakStep < life.End,
		Without: less(d.Peak, most), NextStep: sequences.StepID(next), NextName: stepName(p, sequences.StepID(next)),
	}
}

// drivers are the counts in the size of a buffer.
func drivers(p *planner.Plan, b *planner.Buffer) (out []planner.Count) {
	for _, name := range b.DrivenBy {
		if i := slices.IndexFunc(p.Counts, func(c planner.Count) bool { return c.Name == name }); i >= 0 {
			out = append(out, p.Counts[i])
		}
	}
	return out
}

// ofAllText says what a dynamic buffer is of the dynamic memory.
func (e *Explanation) ofAllText(t *printer) {
	if e.Class != planner.Dynamic {
		return
	}
	what := "the arena"
	if e.Scope == sequences.Host {
		what = "the dynamic host buffers"
	}
	if len(e.OfAll) == 0 {
		t.line("  share\tunknown: a count has neither a typical value nor a max")
	}
	for _, s := range e.OfAll {
		t.line("  share, %s\t%s of %s, the sum of %s (%.1f %%)", s.Basis, Bytes(s.Bytes), Bytes(s.Sum), what, s.Percent)
		p := s.Peak
		if p == nil {
			continue
		}
		where := phrase(fmt.Sprintf("step %d %s", p.Step, short(p.Name)))
		if p.Alive {
			t.line("  at the peak\tyes: %s of the %s that live at %s", Bytes(s.Bytes), Bytes(p.Bytes), where)
		} else {
			t.line("  at the peak\tno: most, %s, lives at %s", Bytes(p.Bytes), where)
		}
	}
	e.fallsText(t)
}

// fallsText says what falls without a dynamic buffer.
func (e *Explanation) fallsText(t *printer) {
	if len(e.OfAll) == 0 {
		return
	}
	without := phrase("the buffer")
	if of := e.OfAll[0].Storage; of != e.Name {
		without = phrase(short(of) + ", in whose storage the buffer is,")
	}
	t.line("  to shrink\twithout %s", without)
	for _, s := range e.OfAll {
		peak := ""
		if p := s.Peak; p != nil {
			peak = ", the peak by " + Bytes(p.Without)
			if p.Alive && p.Without < s.Bytes {
				peak += fmt.Sprintf(": then step %d %s has most", p.NextStep, short(p.NextName))
			}
		}
		t.line("  \t%s: the sum falls by %s%s", s.Basis, Bytes(s.Bytes), phrase(peak))
	}
}
