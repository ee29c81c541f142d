package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// SVGOptions choose what an SVG map shows.
type SVGOptions struct {
	Color    Coloring        // "" means ByAlgorithm
	Capacity sequences.Bytes // of the device pool; 0 means what the file declares
}

// The measures of the picture, in pixels.
const (
	svgWidth, svgLeft, svgRight = 1200, 96, 24
	svgMap, svgCurve            = 400, 120 // heights
	svgTitle, svgGap            = 34, 24
	svgPlot                     = svgWidth - svgLeft - svgRight
	svgLabels, svgName          = 56, 24 // of steps at most, and their characters
)

// px is a hundredth of a pixel. Only integers go into the picture, so it is the same on
// every machine.
type px uint64

func (v px) String() string {
	if v%100 == 0 {
		return fmt.Sprint(uint64(v / 100))
	}
	return strings.TrimRight(fmt.Sprintf("%d.%02d", v/100, v%100), "0")
}

// SVG draws the memory map of each static pool that is not empty: steps across, addresses
// up, one group for each buffer, with the bytes in use, the lower bound and the capacity
// below. Where the pool is above its lower bound or its capacity the map shows these too.
// The picture is self-contained and has no script.
func SVG(w io.Writer, p *planner.Plan, opts SVGOptions) error {
	var panels []*drawing
	for i := range p.Pools {
		if p.Pools[i].Size > 0 {
			panels = append(panels, draw(p, p.Pools[i].Scope))
		}
	}
	s := &svg{plan: p, colors: newColors(p, cmp.Or(opts.Color, ByAlgorithm), panels)}
	y := svgTitle
	for _, d := range panels {
		y = s.panel(d, capacity(d.pool, opts.Capacity), y)
	}
	y = s.legend(y)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="title" font-family="sans-serif" font-size="11" fill="#111">`+"\n", svgWidth, y, svgWidth, y)
	fmt.Fprintf(&out, "<title id=\"title\">Memory map of %s, plan %s</title>\n", escape(short(p.Name)), p.Hash)
	out.WriteString(svgStyle)
	fmt.Fprintf(&out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", svgWidth, y)
	fmt.Fprintf(&out, "<text x=\"%d\" y=\"22\" font-size=\"16\" font-weight=\"bold\">%s: static memory of one worker, plan %s</text>\n", svgLeft, escape(short(p.Name)), p.Hash)
	out.WriteString(s.String())
	out.WriteString("</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// svgStyle has the colours, which the classes c0, c1 ... of the groups choose.
var svgStyle = func() string {
	var b strings.Builder
	b.WriteString("<style>\n.b rect{stroke:#111;stroke-width:.4}.t{text-anchor:middle;fill:#111;pointer-events:none}.e{text-anchor:end}.g{stroke:#bbb;stroke-width:.5}.f{fill:none;stroke:#111}\n")
	for i, c := range append(palette[:], othersTone) {
		fmt.Fprintf(&b, ".c%d{fill:%s}", i, c)
	}
	b.WriteString("\n</style>\n")
	return b.String()
}()

// svg collects the elements.
type svg struct {
	strings.Builder
	plan   *planner.Plan
	colors *colors
}

func (s *svg) add(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// escape makes a text harmless in XML.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(prose.Plain(s))) // a Builder does not fail
	return b.String()
}

// stepX is where a step starts.
func stepX(step sequences.StepID, steps int) px {
	return px(svgLeft*100 + scale(uint64(step), uint64(steps), svgPlot*100))
}
