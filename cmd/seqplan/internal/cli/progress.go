package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/seqplan/seqplan/planner/pack"
)

// progress is a line on a terminal that says how far the packing engine is.
type progress struct {
	w     io.Writer // nil: no terminal
	now   func() time.Time
	last  time.Time
	shown bool
}

const (
	progressPause = 100 * time.Millisecond
	progressWidth = 79 // a longer line would wrap, and could not be written over
)

func newProgress(w io.Writer) *progress {
	p := &progress{now: time.Now}
	if terminal(w) {
		p.w = w
	}
	return p
}

// terminal tells whether w is one.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// tell returns what the engine calls; nil if nobody would see it.
func (p *progress) tell() func(pack.Progress) {
	if p.w == nil {
		return nil
	}
	return p.show
}

// show writes the line anew, unless it has just been written.
func (p *progress) show(at pack.Progress) {
	now := p.now()
	if p.shown && now.Sub(p.last) < progressPause {
		return
	}
	p.last, p.shown = now, true
	line := fmt.Sprintf("bound %d", at.Bound)
	if at.Height > 0 {
		gap := pack.Result{Height: at.Height, Bound: pack.Bound{Bytes: at.Bound}}.Gap()
		line += fmt.Sprintf("  height %d  gap %s", at.Height, gapText(gap))
	}
	line += fmt.Sprintf("  nodes %d  %s", at.Nodes, at.Doing)
	if len(line) > progressWidth {
		line = line[:progressWidth]
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", line)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
