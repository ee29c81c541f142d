package cli

import (
	"fmt"
	"io"

	"github.com/seqplan/seqplan/planner/sweep"
)

// sweepLine is a line on a terminal that says how far a sweep is.
type sweepLine struct {
	progress
}

func newSweepLine(w io.Writer) *sweepLine { return &sweepLine{*newProgress(w)} }

// tell returns what the sweep calls; nil if nobody would see it.
func (p *sweepLine) tell() func(sweep.Progress) {
	if p.w == nil {
		return nil
	}
	return p.show
}

// show writes the line anew, unless it has just been written.
func (p *sweepLine) show(at sweep.Progress) {
	now := p.now()
	if p.shown && now.Sub(p.last) < progressPause {
		return
	}
	p.last, p.shown = now, true
	line := fmt.Sprintf("%d of %d rows, %d of them planned now", at.Done, at.Rows, at.Made)
	if at.Errors > 0 {
		line += fmt.Sprintf(", %d errors", at.Errors)
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
}
