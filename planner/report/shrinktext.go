package report

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

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
	if s.BoundBy != "" {
		t.line("  in the bound\t%s (%s)", s.bound(), s.BoundBy)
	}
	t.line("  to shrink\tthe %s pool, of %s, falls", scope, Bytes(s.Height))
	t.line("  \tby %s without the buffer", s.fall(s.Without, s.Packed))
	for _, e := range s.Sooner {
		var words []string
		for _, use := range e.Dropped {
			words = append(words, use.text())
		}
		t.line("  \tby %s if it lived to step %d, without %s", s.fall(e.Saved, e.Packed), e.End-1, phrase(strings.Join(words, ", ")))
	}
}

// bound says what the buffer is for a lower bound that is above what lives at one step.
func (s *Shrink) bound() phrase {
	switch s.BoundBy {
	case planner.BoundByOrder:
		if s.InBound {
			return "yes: it is one of the buffers that the pool is for, which may be in use together, in no order"
		}
		return "no: the pool is for other buffers, which may be in use together, in no order"
	case pack.Placed.String():
		if s.InBound {
			return "yes: the pool reaches to its end"
		}
		return "no: the pool reaches to the end of another buffer"
	}
	return "unknown: the pool is higher than what lives at one step"
}

// fall says by how much the pool falls, as far as it is known: as far as a packing goes that
// was found, and no further than the lower bound.
func (s *Shrink) fall(bound sequences.Bytes, packed *sequences.Bytes) phrase {
	most, least := s.Height-s.LowerBound+bound, sequences.Bytes(0)
	if packed != nil {
		least = min(most, less(s.Height, *packed))
	}
	switch {
	case least == most:
		return phrase(Bytes(most))
	case least == 0:
		return phrase("at most " + Bytes(most))
	}
	return phrase(Bytes(least) + " to " + Bytes(most))
}

// text names a use as a reason that could go.
func (u Use) text() string {
	why := strings.ReplaceAll(string(u.Why), "_", " ")
	if u.Of != "" {
		why += " " + u.Of
	}
	return fmt.Sprintf("the use by step %d %s (%s)", u.Step, short(u.Name), short(why))
}
