package report

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/sequences"
)

// curve draws the bytes in use in each step, with a line for the lower bound and one for
// what the capacity leaves for them.
func (s *svg) curve(d *drawing, capacity sequences.Bytes, y int) {
	pool := d.pool
	_, top := peakOf(d.live)
	top = max(top, pool.Height, pool.LowerBound, 1)
	room := less(capacity, pool.Reserved)
	drawn := room > 0 && room/4 <= top // a far line would leave no room for the curve
	if drawn {
		top = max(top, room)
	}
	top = add(top, top/4)
	at := func(b sequences.Bytes) px {
		return px(uint64(y+svgCurve)*100 - scale(uint64(b), uint64(top), svgCurve*100))
	}
	s.addresses(y, svgCurve, top)
	var path strings.Builder
	fmt.Fprintf(&path, "M%d %d", svgLeft, y+svgCurve)
	for n, b := range d.live {
		if n == 0 || b != d.live[n-1] {
			fmt.Fprintf(&path, "V%s", at(b))
		}
		if n+1 == len(d.live) || b != d.live[n+1] {
			fmt.Fprintf(&path, "H%s", stepX(sequences.StepID(n+1), d.steps))
		}
	}
	fmt.Fprintf(&path, "V%dZ", y+svgCurve)
	s.add(`<path d="%s" fill="#8ab" fill-opacity=".6" stroke="#246"/>`, path.String())
	s.bound(at(pool.LowerBound), pool.LowerBound)
	if drawn {
		s.capacity(at(room), "capacity less what is reserved", room)
	}
	s.add(`<g fill="#fff" fill-opacity="0">`)
	for n, b := range d.live {
		x := stepX(sequences.StepID(n), d.steps)
		s.add(`<rect x="%s" y="%d" width="%s" height="%d"><title>step %d %s: %s in use</title></rect>`, x, y,
			stepX(sequences.StepID(n+1), d.steps)-x, svgCurve, n, escape(short(stepName(s.plan, sequences.StepID(n)))), Bytes(b))
	}
	s.add(`</g>`)
	note := "bytes in use"
	switch {
	case capacity == 0 || drawn:
	case room == 0:
		note += fmt.Sprintf(" (the capacity, %s, leaves no room for them)", Bytes(capacity))
	default:
		note += fmt.Sprintf(" (the capacity, %s, is far above)", Bytes(capacity))
	}
	s.add(`<text x="%d" y="%d">%s</text>`, svgLeft, y-6, note)
	s.frame(y, svgCurve)
}

// bound draws a lower bound.
func (s *svg) bound(y px, bound sequences.Bytes) {
	s.line(y, "5 3", "lower bound", bound, fmt.Sprintf(`class="e" x="%d"`, svgWidth-svgRight-4))
}

// capacity draws a capacity. Its label is on the other side, for lines that are close.
func (s *svg) capacity(y px, what string, capacity sequences.Bytes) {
	s.line(y, "1 2", what, capacity, fmt.Sprintf(`x="%d"`, svgLeft+4))
}

// line draws a line across the plot, with a label at a place.
func (s *svg) line(y px, dashes, what string, bytes sequences.Bytes, place string) {
	s.add(`<path class="f" stroke-dasharray="%s" d="M%d %sh%d"><title>%s: %s</title></path><text %s y="%s">%s</text>`,
		dashes, svgLeft, y, svgPlot, what, Bytes(bytes), place, y-200, what+" "+brief(bytes))
}
