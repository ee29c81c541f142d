package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/sequences"
)

// document puts the text of a comparison together: of tables only the rows that changed.
func (d *Diff) document(opts Options) *document {
	if opts.Top <= 0 {
		opts.Top = defaultTop
	}
	doc := &document{verdict: d.verdict}
	if d.verdict == "" { // it was read from JSON
		doc.verdict = markWhole(d.Verdict)
	}
	if d.Empty {
		return doc
	}
	doc.layout = d.layoutText()
	doc.add(d.classTable(), d.poolTable())
	for _, kind := range Kinds() {
		doc.add(d.bufferTable(kind, opts.Top))
	}
	doc.add(
		cut(d.paramTable(), opts.Top), cut(d.countTable(), opts.Top), cut(d.stepTable(), opts.Top),
		cut(d.hostWaitTable(), opts.Top), cut(d.streamWaitTable(), opts.Top),
	)
	switch d.Moved {
	case 0:
	case 1:
		doc.last = "1 buffer is at another offset, and nothing else of it changed"
	default:
		doc.last = fmt.Sprintf("%d buffers are at another offset, and nothing else of them changed", d.Moved)
	}
	return doc
}

// add adds the tables that have rows.
func (doc *document) add(blocks ...block) {
	for _, b := range blocks {
		if len(b.rows) > 0 {
			doc.blocks = append(doc.blocks, b)
		}
	}
}

func cut(b block, top int) block {
	if n := len(b.rows) - top; n > 0 {
		b.rows, b.more = b.rows[:top], fmt.Sprintf("and %d more", n)
	}
	return b
}

func (d *Diff) layoutText() string {
	name := mark(d.New.Name)
	if d.Old.Name != d.New.Name {
		name = mark(d.Old.Name) + " -> " + name
	}
	if !d.LayoutChanged {
		return fmt.Sprintf("%s: plan %s in both: generated files are up to date", name, d.New.Hash)
	}
	return fmt.Sprintf("%s: plan %s -> %s: files generated from the old one are stale", name, d.Old.Hash, d.New.Hash)
}

func (d *Diff) classTable() block {
	b := block{
		title: "Memory (sum of sizes; dynamic: typical where known, else worst case)",
		head:  []string{"class", "scope", "buffers", "old", "new", "change"},
	}
	add := func(class, scope string, t Total) {
		if !t.changed() {
			return
		}
		buffers := t.Buffers.New.String()
		if t.Buffers.Changed() {
			buffers = t.Buffers.Old.String() + " -> " + buffers
		}
		b.rows = append(b.rows, row{cells: []string{class, scope, buffers, t.Bytes.Old.text(), t.Bytes.New.text(), t.Bytes.text()}})
	}
	for _, c := range d.Classes {
		add(c.Class.String(), c.Scope.String(), c.Total)
	}
	if len(b.rows) > 0 {
		add("total", "", d.Total)
	}
	return b
}

// poolTable leaves out what equals the row before it.
func (d *Diff) poolTable() block {
	b := block{title: "One worker", head: []string{"", "old", "new", "change"}}
	bytes := func(name string, f Figure) {
		if f.Changed() {
			b.rows = append(b.rows, row{cells: []string{name, f.Old.text(), f.New.text(), f.text()}})
		}
	}
	number := func(name string, f Figure) {
		if f.Changed() {
			b.rows = append(b.rows, row{cells: []string{name, f.Old.String(), f.New.String(), f.plain()}})
		}
	}
	words := func(name, from, to string) {
		if from != to {
			b.rows = append(b.rows, row{cells: []string{name, from, to}})
		}
	}
	parts := d.grownParts()
	for _, scope := range []sequences.Scope{sequences.Device, sequences.Host} {
		if n := d.combined(parts, scope); n != nil {
			bytes(n.String(), n.Bytes)
		}
	}
	for i := range d.Pools {
		p := &d.Pools[i]
		name := p.Scope.String() + " pool"
		bytes(name, p.Size)
		bytes(name+", height", p.Height)
		if p.LowerBound != p.Height {
			bytes(name+", lower bound", p.LowerBound)
		}
		words(name+", optimal", yes(p.Optimal.Old), yes(p.Optimal.New))
		bytes(name+", reserved", p.Reserved)
		bytes(name+", alignment", p.Align)
		bytes(name+", capacity", p.Capacity)
		words(name+", reuse", mark(p.Reuse.Old), mark(p.Reuse.New))
	}
	for _, demand := range [][]part{d.typical(), d.worst()} {
		for _, p := range demand {
			if p.part != demand[0].part && p.figure == demand[0].figure {
				continue // all are live at once, or nothing is known
			}
			bytes(string(p.part), p.figure)
		}
	}
	words("arena mode", mode(d.Arena.Reuse.Old), mode(d.Arena.Reuse.New))
	number("slots", d.Arena.Slots)
	bytes("arena, alignment", d.Arena.Align)
	number("workers", d.Workers)
	number("streams", d.Streams)
	words("batch parameter", mark(d.Old.Batch), mark(d.New.Batch))
	return b
}

func yes(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}

func (d *Diff) paramTable() block {
	b := block{title: "Parameters", head: []string{"parameter", "old", "new"}}
	for _, p := range d.Params {
		b.rows = append(b.rows, row{cells: []string{mark(p.Name), p.Old.text(), p.New.text()}})
	}
	return b
}

func (d *Diff) countTable() block {
	b := block{title: "Counts", head: []string{"count", "typical", "max"}}
	for _, c := range d.Counts {
		var from, to Bounds
		if c.Old != nil {
			from = *c.Old
		}
		if c.New != nil {
			to = *c.New
		}
		r := row{cells: []string{mark(c.Name), arrow(from.Typical.String(), to.Typical.String()), arrow(from.Max.String(), to.Max.String())}}
		if from.At != to.At {
			r.details = []detail{{"in", arrow(named(from.At), named(to.At))}}
		}
		b.rows = append(b.rows, r)
	}
	return b
}

// arrow prints what changed, or did not.
func arrow(from, to string) string {
	if from == to {
		return to
	}
	return from + " -> " + to
}

// named is a marked name, or none.
func named(s string) string {
	if s == "" {
		return "none"
	}
	return mark(s)
}

func (d *Diff) stepTable() block {
	s := &d.Steps
	b := block{title: s.title(), head: []string{"", "step", ""}}
	for _, name := range s.Added {
		b.rows = append(b.rows, row{cells: []string{"+", mark(name)}})
	}
	for _, name := range s.Removed {
		b.rows = append(b.rows, row{cells: []string{"-", mark(name)}})
	}
	for _, c := range s.Changed {
		var what []string
		if c.Was != "" {
			what = append(what, "was "+mark(c.Was))
		}
		if c.Host.Changed() {
			what = append(what, "on the "+arrow(side(c.Host.Old), side(c.Host.New)))
		}
		if c.Stream.Changed() {
			what = append(what, "stream "+arrow(named(c.Stream.Old), named(c.Stream.New)))
		}
		b.rows = append(b.rows, row{cells: []string{"", mark(c.Name), strings.Join(what, ", ")}})
	}
	if s.Reordered > 0 && len(b.rows) == 0 {
		b.rows = append(b.rows, row{cells: []string{"", "", "the order alone"}})
	}
	return b
}

func side(host bool) string {
	if host {
		return "host"
	}
	return "device"
}

func (d *Diff) hostWaitTable() block {
	w := &d.HostWaits
	b := block{title: fmt.Sprintf("Host waits: %d added, %d removed, %d changed", len(w.Added), len(w.Removed), len(w.Changed)), head: []string{"", "before", "why"}}
	for _, a := range w.Added {
		b.rows = append(b.rows, row{cells: []string{"+", mark(a.Step), a.text()}})
	}
	for _, r := range w.Removed {
		b.rows = append(b.rows, row{cells: []string{"-", mark(r.Step), r.text()}})
	}
	for _, c := range w.Changed {
		b.rows = append(b.rows, row{cells: []string{"", mark(c.New.Step), c.New.text() + "; was: " + c.Old.text()}})
	}
	return b
}

func (w *HostWait) text() string { return mark(w.Reason) + ": " + marked(w.Buffers) }

func marked(names []string) string {
	out := slices.Clone(names)
	for i := range out {
		out[i] = mark(out[i])
	}
	return joined(out)
}

func (d *Diff) streamWaitTable() block {
	w := &d.StreamWaits
	b := block{title: fmt.Sprintf("Stream waits: %d added, %d removed", len(w.Added), len(w.Removed)), head: []string{"", "step", "waits for", ""}}
	add := func(sign string, list []StreamWait) {
		for _, e := range list {
			by := ""
			if e.Planner {
				by = "added by the planner"
			}
			b.rows = append(b.rows, row{cells: []string{sign, mark(e.Step), mark(e.After), by}})
		}
	}
	add("+", w.Added)
	add("-", w.Removed)
	return b
}
