package report

import (
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// Shrink is what would make a pool smaller as far as one of its buffers goes: by how much
// its lower bound falls at most, which costs nothing to find, and, where Repack was asked,
// how high a packing is. With several streams and the policy internal the added stream
// waits are as they are.
type Shrink struct {
	Height     sequences.Bytes  `json:"height"` // of the pool
	LowerBound sequences.Bytes  `json:"lower_bound"`
	Live       sequences.Bytes  `json:"live"`      // most bytes in use at one step
	PeakStep   sequences.StepID `json:"peak_step"` // the first step that has them
	PeakName   string           `json:"peak_name"`
	BoundBy    string           `json:"bound_by,omitempty"` // why the lower bound of the pool is above Live
	// AtPeak is what the buffer has in use at that step, rounded as the packer rounds it.
	AtPeak sequences.Bytes `json:"at_peak"`
	// InBound says that the lower bound of the pool is of this buffer, alone or together
	// with others, where it is not what lives at one step.
	InBound bool `json:"in_bound,omitempty"`
	// Without is by how much the lower bound falls at most without the buffer. Where it is
	// what lives at one step, and there is one stream, it falls by as much.
	Without sequences.Bytes  `json:"without"`
	Packed  *sequences.Bytes `json:"packed,omitempty"` // the height of a packing without it, from Repack
	// Sooner are ends that its life could have had, from the last to the first: each is
	// without the last of the uses that the ones before leave.
	Sooner []Sooner `json:"sooner,omitempty"`
	of     *changer
}

// Sooner is an earlier end of a lifetime.
type Sooner struct {
	Dropped []Use            `json:"dropped"` // the uses that would have to go, but for those of the ones before
	End     sequences.StepID `json:"end"`     // of the lifetime then
	Saved   sequences.Bytes  `json:"saved"`   // by which the lower bound falls at most, see Without
	Packed  *sequences.Bytes `json:"packed,omitempty"`
}

// Use is a use of a buffer with the name of its step.
type Use struct {
	planner.Use
	Name string `json:"name"`
}

// soonerMost is how many earlier ends are tried.
const soonerMost = 2

// shrink looks at a static buffer.
func (x *Explainer) shrink(id int) *Shrink {
	p := x.plan
	b := &p.Buffers[id]
	pool := &p.Pools[b.Scope]
	u := x.usage(b.Scope)
	step, live := peakOf(u.live())
	s := &Shrink{Height: pool.Height, LowerBound: pool.LowerBound, Live: live, PeakStep: sequences.StepID(step), PeakName: stepName(p, sequences.StepID(step)), BoundBy: pool.BoundBy}
	for _, t := range u.parts[id] {
		if t.First <= s.PeakStep && s.PeakStep < t.End {
			s.AtPeak = t.bytes()
		}
	}
	s.of = &changer{plan: p, pool: pool, id: id, usage: u, pack: x.packing(b.Scope)}
	c := s.of
	switch pool.BoundBy {
	case planner.BoundByOrder:
		s.InBound = c.inSet() > 0
	case pack.Placed.String():
		s.InBound = boundOf(p, pool) == b.Name
	}
	s.Without = c.fall(planner.Interval{})
	s.sooner(c)
	return s
}

// Repack packs the pool of a static buffer again, with little effort, without the buffer and
// with each of its earlier ends. A plan that was read has no packing problem.
func (e *Explanation) Repack() {
	s := e.Shrink
	if s == nil || s.of.pack == nil {
		return
	}
	s.Packed = s.of.packed(planner.Interval{}, s.LowerBound-s.Without)
	for i := range s.Sooner {
		o := &s.Sooner[i]
		o.Packed = s.of.packed(planner.Interval{First: OwnLife(&e.Buffer, s.of.steps).First, End: o.End}, s.LowerBound-o.Saved)
	}
}

// sooner finds earlier ends of the life of a buffer.
func (s *Shrink) sooner(c *changer) {
	b := &c.plan.Buffers[c.id]
	life := OwnLife(b, c.steps)
	uses := slices.DeleteFunc(slices.Clone(b.Uses), func(use planner.Use) bool {
		return use.Why == planner.UseInPlace || use.Why == planner.UseWrite
	})
	var sooner Sooner
	for end := life.End; len(uses) > 0 && len(s.Sooner) < soonerMost; {
		// Sorted by step: those of the last step are at the end.
		at := uses[len(uses)-1].Step
		first := slices.IndexFunc(uses, func(use planner.Use) bool { return use.Step == at })
		for _, use := range slices.Backward(uses[first:]) {
			sooner.Dropped = slices.Insert(sooner.Dropped, 0, Use{use, stepName(c.plan, use.Step)})
		}
		uses = uses[:first]
		sooner.End = life.First + 1
		if first > 0 {
			sooner.End = max(sooner.End, uses[first-1].Step+1)
		}
		if sooner.End >= end {
			continue // more uses have to go
		}
		sooner.Saved = c.fall(planner.Interval{First: life.First, End: sooner.End})
		s.Sooner, end, sooner = append(s.Sooner, sooner), sooner.End, Sooner{}
	}
}
