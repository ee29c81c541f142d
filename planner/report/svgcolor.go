package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// Coloring is what the colours of a map tell.
type Coloring string

// The colourings.
const (
	ByKind      Coloring = "kind"      // what a buffer is for: input, output, kept, scratch or between steps
	ByAlgorithm Coloring = "algorithm" // which step declares it
)

// palette has the tones of the HTML page: they stay apart for most kinds of colour blindness,
// and dark text is readable on all of them.
var palette = [...]string{
	"#79b0e8", "#df7e7f", "#9c84c7", "#c8db90", "#b98749", "#59d6fa",
	"#f5a06f", "#bae7f5", "#00aa95", "#fbd5c1", "#8cb6a6", "#d7b9d4",
}

// others is the colour of the algorithms that have no tone of their own.
const others, othersTone = len(palette), "#ccc"

// svgColumns is how many entries of a legend are in one line, svgEntry how many characters of
// a name have room there.
const svgColumns, svgEntry = 4, 34

// colors are those of one picture.
type colors struct {
	by    Coloring
	tones map[sequences.StepID]int // of the algorithms that cover most
	names []string                 // what each colour says
	more  int                      // how many algorithms have none of their own
}

func newColors(p *planner.Plan, by Coloring, panels []*drawing) *colors {
	c := &colors{by: by, tones: map[sequences.StepID]int{}}
	if by != ByAlgorithm {
		for r := between; r <= scratch; r++ {
			c.names = append(c.names, r.String())
		}
		return c
	}
	areas := map[sequences.StepID]uint64{} // in the picture, where the maps of all pools are as large
	for _, d := range panels {
		all := times(d.pool.Size, uint64(d.steps))
		for id := range d.blocks {
			areas[p.Buffers[id].Step] += scale(uint64(d.area(id)), uint64(all), 1<<48)
		}
	}
	for _, step := range slices.SortedFunc(maps.Keys(areas), func(a, b sequences.StepID) int {
		return cmp.Or(cmp.Compare(areas[b], areas[a]), cmp.Compare(a, b))
	}) {
		switch {
		case len(c.names) == len(palette):
			c.more++
		case step < 0:
			c.tones[step], c.names = len(c.names), append(c.names, "inputs")
		default:
			c.tones[step], c.names = len(c.names), append(c.names, fmt.Sprintf("%d %s", step, stepName(p, step)))
		}
	}
	return c
}

// of is the index of the colour of a buffer.
func (c *colors) of(b *planner.Buffer) int {
	if c.by != ByAlgorithm {
		return int(roleOf(b))
	}
	if tone, ok := c.tones[b.Step]; ok {
		return tone
	}
	return others
}

// legend says what the colours are, and returns where it ends.
func (s *svg) legend(y int) int {
	title := "Colours: what a buffer is for"
	if s.colors.by == ByAlgorithm {
		title = "Colours: the steps that write the buffers, those that cover most of the picture first"
	}
	y += svgGap
	s.add(`<text x="%d" y="%d" font-weight="bold">%s</text>`, svgLeft, y, title)
	y += svgGap
	n := 0
	entry := func(class int, name string) {
		x, at := svgLeft+n%svgColumns*(svgPlot/svgColumns), y+n/svgColumns*20
		s.add(`<g class="b"><rect class="c%d" x="%d" y="%d" width="14" height="14"/></g><text x="%d" y="%d">%s</text>`, class, x, at-11, x+20, at, escape(name))
		n++
	}
	for i, name := range s.colors.names {
		entry(i, prose.Shorten(prose.Plain(name), svgEntry))
	}
	if s.colors.more > 0 {
		entry(others, prose.Plural(s.colors.more, "other"))
	}
	return y + (n+svgColumns-1)/svgColumns*20
}
