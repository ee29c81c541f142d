package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Shrink is what would make a pool smaller as far as one of its buffers goes. All of it is
// about the live bound, the bytes in use at the worst step: nothing is packed again.
type Shrink struct {
	Live     sequences.Bytes  `json:"live"`      // the live bound of the pool
	PeakStep sequences.StepID `json:"peak_step"` // the first step that has it
	PeakName string           `json:"peak_name"`
	BoundBy  string           `json:"bound_by,omitempty"` // why the lower bound of the pool is above the live bound
	// AtPeak is what the buffer has in use at that step, rounded as the packer rounds it.
	AtPeak  sequences.Bytes `json:"at_peak"`
	Without sequences.Bytes `json:"without"` // by which the live bound falls without the buffer
	// InBound says that the buffer is in the set that the lower bound of the pool comes
	// from, where that is not what lives at one step.
	InBound bool `json:"in_bound,omitempty"`
	// Sooner are ends that its life could have had, from the last to the first: each is
	// without the last of the uses that the ones before leave.
	Sooner []Sooner `json:"sooner,omitempty"`
}

// Sooner is an earlier end of a lifetime.
type Sooner struct {
	Dropped []Use            `json:"dropped"` // the uses that would have to go, but for those of the ones before
	End     sequences.StepID `json:"end"`     // of the lifetime then
	Saved   sequences.Bytes  `json:"saved"`   // by which the live bound falls
}

// Use is a use of a buffer with the name of its step.
type Use struct {
	planner.Use
	Name string `json:"name"`
}

// soonerMost is how many earlier ends are tried.
const soonerMost = 2

// shrink looks at a static buffer of a plan.
func shrink(p *planner.Plan, id int) *Shrink {
	b := &p.Buffers[id]
	u := newUsage(p, b.Scope)
	step, live := peakOf(u.live())
	s := &Shrink{Live: live, PeakStep: sequences.StepID(step), PeakName: stepName(p, sequences.StepID(step)), BoundBy: p.Pools[b.Scope].BoundBy}
	s.InBound = s.BoundBy != "" && slices.ContainsFunc(p.Pools[b.Scope].AtPeak, func(a planner.Alive) bool { return a.Name == b.Name })
	for _, t := range u.parts[id] {
		if t.First <= s.PeakStep && s.PeakStep < t.End {
			s.AtPeak = t.bytes()
		}
	}
	saved := func(with []part) sequences.Bytes {
		u.parts[id] = with
		_, now := peakOf(u.live())
		return live - now
	}
	s.Without = saved(nil)
	life := OwnLife(b, u.steps)
	uses := slices.DeleteFunc(slices.Clone(b.Uses), func(use planner.Use) bool {
		return use.Why == planner.UseInPlace || use.Why == planner.UseWrite
	})
	var sooner Sooner
	for end := life.End; len(uses) > 0 && len(s.Sooner) < soonerMost; {
		// Sorted by step: those of the last step are at the end.
		at := uses[len(uses)-1].Step
		first := slices.IndexFunc(uses, func(use planner.Use) bool { return use.Step == at })
		for _, use := range slices.Backward(uses[first:]) {
			sooner.Dropped = slices.Insert(sooner.Dropped, 0, Use{use, stepName(p, use.Step)})
		}
		uses = uses[:first]
		sooner.End = life.First + 1
		if first > 0 {
			sooner.End = max(sooner.End, uses[first-1].Step+1)
		}
		if sooner.End >= end {
			continue // more uses have to go
		}
		sooner.Saved = saved(cut(b, planner.Interval{First: life.First, End: sooner.End}, roundUp(b.Max, u.base)))
		s.Sooner, end, sooner = append(s.Sooner, sooner), sooner.End, Sooner{}
	}
	return s
}

func (s *Shrink) text(t *printer, scope sequences.Scope) {
	if s == nil {
		return
	}
	where := phrase(fmt.Sprintf("step %d %s", s.PeakStep, short(s.PeakName)))
	if s.AtPeak == 0 {
		t.line("  at the peak\tno: the %s pool has most in use at %s", scope, where)
	} else {
		t.line("  at the peak\tyes: %s of the %s in use at %s", Bytes(s.AtPeak), Bytes(s.Live), where)
	}
	above := ""
	if s.BoundBy != "" {
		above = " (the lower bound is more, by " + s.BoundBy + ")"
		in := "no, it is not in the set behind it"
		if s.InBound {
			in = "yes, it is in the set behind it: without the buffer that set needs less"
		}
		t.line("  in the bound\t%s (%s)", in, s.BoundBy)
	}
	t.line("  to shrink\tthe live bound of the %s pool%s falls", scope, above)
	t.line("  \tby %s without the buffer", Bytes(s.Without))
	for _, e := range s.Sooner {
		var words []string
		for _, use := range e.Dropped {
			words = append(words, use.text())
		}
		t.line("  \tby %s if it lived to step %d, without %s", Bytes(e.Saved), e.End-1, phrase(strings.Join(words, ", ")))
	}
}

// text names a use as a reason that could go.
func (u Use) text() string {
	why := strings.ReplaceAll(string(u.Why), "_", " ")
	if u.Of != "" {
		why += " " + u.Of
	}
	return fmt.Sprintf("the use by step %d %s (%s)", u.Step, short(u.Name), short(why))
}
