package report

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/sequences"
)

// curve draws the bytes in use in each step, with a line for the lower bound and one for
// what the capacity leaves for them.
func (s *svg) curve(d *drawing, y int) {
	pool := d.pool
	_, top := peakOf(d.live)
	top = max(top, pool.Height, pool.LowerBound, 1)
	room := less(pool.Capacity, pool.Reserved)
	drawn := room > 0 && room/4 <= top // a far line would leave no room for the curve
	if drawn {
		top = max(top, room)
	}
	top = add(top, top/4)
	at := func(b sequences.Bytes) px {
		return px(uint64(y+svgCurve)*100 - scale(uint64(b), uint64(top), svgCurve*100))
	}
	s.addresses(y, svgCurve, top)
	if d.steps > 0 {
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
	}
	s.line(at(pool.LowerBound), "5 3", "lower bound", Bytes(pool.LowerBound))
	if drawn {
		s.line(at(room), "1 2", "capacity less what is reserved", Bytes(room))
	}
	s.add(`<g fill="#fff" fill-opacity="0">`)
	for n, b := range d.live {
		x := stepX(sequences.StepID(n), d.steps)
		s.add(`<rect x="%s" y="%d" width="%s" height="%d"><title>step %d %s: %s in use</title></rect>`, x, y,
			stepX(sequences.StepID(n+1), d.steps)-x, svgCurve, n, escape(stepName(s.plan, sequences.StepID(n))), Bytes(b))
	}
	s.add(`</g>`)
	note := "bytes in use"
	if pool.Capacity > 0 && !drawn {
		note += fmt.Sprintf(" (the capacity, %s, is far above)", Bytes(pool.Capacity))
	}
	s.add(`<text x="%d" y="%d">%s</text>`, svgLeft, y-6, note)
	s.frame(y, svgCurve)
}

func (s *svg) line(y px, dashes, what, bytes string) {
	s.add(`<path class="f" stroke-dasharray="%s" d="M%d %sh%d"><title>%s: %s</title></path><text class="e" x="%d" y="%s">%s</text>`,
		dashes, svgLeft, y, svgPlot, what, bytes, svgWidth-svgRight-4, y-200, what)
}
