package cli

import (
	"fmt"

	"github.com/seqplan/seqplan/planner/sweep"
)

// sweepLine is a line on a terminal that says how far a sweep is. Elsewhere it says once
// how many rows there were already.
type sweepLine struct {
	progress
	streams
	part string
}

func newSweepLine(part string, s streams) *sweepLine {
	p := &sweepLine{*newProgress(s.err), s, part}
	if s.forMachines() {
		p.w = nil
	}
	return p
}

// show writes the line anew, unless it has just been written.
func (p *sweepLine) show(at sweep.Progress) {
	if p.w == nil {
		if at.Kept > 0 && at.Done == at.Kept { // before a row is made
			p.note("seqplan sweep: goes on from %s: %d of %d rows are done", p.part, at.Kept, at.Rows)
		}
		return
	}
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
