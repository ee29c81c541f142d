package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// text prints the proof for people: the claim, the reason and a table of the
// buffers, with the columns that say something.
func (p *proof) text(w io.Writer) {
	fmt.Fprintf(w, "Proof: %s\n  %s\n", p.Claim, p.Reason)
	if len(p.Buffers) == 0 {
		return
	}
	summed := p.Step != nil
	aligned := p.Cell > 1 || slices.ContainsFunc(p.Buffers, func(b proofRow) bool { return b.Align > 1 })
	fixed := slices.ContainsFunc(p.Buffers, func(b proofRow) bool { return b.Offset != nil })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(id, line, life, size, align, offset, takes string) {
		cells := []string{"  " + id, line, life, size}
		if aligned {
			cells = append(cells, align)
		}
		if fixed {
			cells = append(cells, offset)
		}
		if summed {
			cells = append(cells, takes)
		}
		fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
	}
	number := func(v uint64) string { return strconv.FormatUint(v, 10) }
	line("buffer", "line", "lifetime", "size", "alignment", "fixed at", "takes")
	for _, b := range p.Buffers {
		offset := "-"
		if b.Offset != nil {
			offset = number(*b.Offset)
		}
		line(b.ID, strconv.Itoa(b.Line), fmt.Sprintf("[%d, %d)", b.Lower, b.Upper), number(b.Size), number(b.Align), offset, number(b.Takes))
	}
	if p.Slack > 0 {
		line("the end of the last one", "", "", "", "", "", "-"+number(p.Slack))
	}
	if summed {
		line("sum", "", "", "", "", "", number(p.Sum))
	}
	t.Flush()
}
