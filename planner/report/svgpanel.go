package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// panel draws one pool and returns where the next thing may start.
func (s *svg) panel(d *drawing, capacity sequences.Bytes, y int) int {
	pool := d.pool
	s.add(`<g id="%s"><text x="%d" y="%d" font-size="13">Static %s pool: size %s, height %s, lower bound %s%s, gap %s</text>`, pool.Scope,
		svgLeft, y+14, pool.Scope, Bytes(pool.Size), Bytes(pool.Height), Bytes(pool.LowerBound), escape(short(boundBy(pool))), gap(pool))
	y += svgGap
	s.addresses(y, svgMap, pool.Size)
	if pool.Reserved > 0 {
		box := s.place(d, block{0, sequences.StepID(d.steps), 0, pool.Reserved}, y)
		s.add(`<g fill="#ddd"><title>reserved for the control block, slots, parameters and program: %s</title>%s</g>`, Bytes(pool.Reserved), box)
	}
	for _, b := range d.buffers {
		s.buffer(d, b, y)
	}
	if pool.LowerBound < pool.Height {
		s.bound(mapY(add(pool.Reserved, pool.LowerBound), pool.Size, y), pool.LowerBound)
	}
	if 0 < capacity && capacity < pool.Size {
		s.capacity(mapY(capacity, pool.Size, y), "capacity", capacity)
	}
	s.frame(y, svgMap)
	y += svgMap + svgGap
	s.curve(d, capacity, y)
	y += svgCurve
	y += s.steps(d, y)
	s.add(`</g>`)
	return y
}

// place is the rectangle of a block.
func (s *svg) place(d *drawing, k block, y int) string {
	x, right := stepX(k.first, d.steps), stepX(k.end, d.steps)
	top, bottom := mapY(k.high, d.pool.Size, y), mapY(k.low, d.pool.Size, y)
	return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s"/>`, x, top, right-x, max(bottom-top, 30))
}

// mapY is where an address is.
func mapY(at, size sequences.Bytes, y int) px {
	return px(uint64(y+svgMap)*100 - scale(uint64(at), uint64(size), svgMap*100))
}

// buffer draws the blocks of one buffer, and its name where there is room.
func (s *svg) buffer(d *drawing, id, y int) {
	blocks := d.blocks[id]
	if len(blocks) == 0 {
		return
	}
	b := &s.plan.Buffers[id]
	s.add(`<g class="b c%d"><title>%s</title>`, s.colors.of(b), escape(s.title(b)))
	for _, k := range blocks {
		s.add("%s", s.place(d, k, y))
	}
	s.label(d, b, blocks[0], y)
	s.add("</g>")
}

// label writes the name of a buffer on a block: whole, or its step above the rest, or only
// the rest, as there is room.
func (s *svg) label(d *drawing, b *planner.Buffer, k block, y int) {
	width, height := stepX(k.end, d.steps)-stepX(k.first, d.steps), mapY(k.low, d.pool.Size, y)-mapY(k.high, d.pool.Size, y)
	room := int(width)/650 - 1
	if height < 1300 || room < 3 {
		return
	}
	name := prose.Plain(b.Name)
	rows := []string{name}
	if end := last(name); utf8.RuneCountInString(name) > room {
		rows = []string{end}
		if step := strings.TrimSuffix(name, "."+end); height >= 2600 && step != name {
			rows = []string{step, end}
		}
	}
	middle := mapY(k.high, d.pool.Size, y) + height/2 + 400
	for i, row := range rows {
		s.add(`<text class="t" x="%s" y="%s">%s</text>`, stepX(k.first, d.steps)+width/2,
			middle+px(1300*i)-px(650*(len(rows)-1)), escape(prose.Shorten(row, room)))
	}
}

func (s *svg) title(b *planner.Buffer) string {
	return fmt.Sprintf("%s: %s at offset %d, steps [%d, %d) %s ... %s, %s", short(b.Name), Bytes(b.Max), uint64(b.Offset),
		b.Lifetime.First, b.Lifetime.End, short(stepName(s.plan, b.Lifetime.First)), short(stepName(s.plan, b.Lifetime.End-1)), roleOf(b))
}

func (s *svg) frame(y, height int) {
	s.add(`<rect class="f" x="%d" y="%d" width="%d" height="%d"/>`, svgLeft, y, svgPlot, height)
}

// addresses draws the marks of a vertical axis from 0 to top.
func (s *svg) addresses(y, height int, top sequences.Bytes) {
	most := uint64(max(2, height/50))
	by := byteTicks(top, most)
	for n := uint64(0); n <= uint64(top/by); n++ {
		at := by * sequences.Bytes(n)
		line := px(uint64(y+height)*100 - scale(uint64(at), uint64(top), uint64(height)*100))
		s.add(`<path class="g" d="M%d %sh%d"/><text class="e" x="%d" y="%s">%s</text>`, svgLeft-5, line, svgPlot+5, svgLeft-8, line+400, brief(at))
	}
}

// steps writes the names of the steps below, of as many as have room, and returns how much
// they take.
func (s *svg) steps(d *drawing, y int) int {
	longest := 0
	by := ticks(d.steps, svgLabels)
	for n := 0; n < d.steps; n += by {
		x := (stepX(sequences.StepID(n), d.steps) + stepX(sequences.StepID(n+1), d.steps)) / 2
		name := prose.Shorten(prose.Plain(fmt.Sprintf("%d %s", n, stepName(s.plan, sequences.StepID(n)))), svgName)
		longest = max(longest, utf8.RuneCountInString(name))
		s.add(`<path class="g" d="M%s %dv4"/><text class="e" transform="translate(%s %d) rotate(-55)">%s</text>`, x, y, x+300, y+12, escape(name))
	}
	return 36 + 5*longest // of characters that are six pixels wide
}
