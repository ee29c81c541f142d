package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// dotMost is how many buffers a graph has if nobody asks for another number: a picture of
// more is hard to read.
const dotMost = 100

// Dot writes the lifetime graph for Graphviz: the steps as boxes, in one cluster for each
// stream and one for the host, the largest buffers with their sizes and lifetimes, who writes
// and who reads them, and the stream waits. most is how many buffers there are at most, 0
// means 100; where there are more the title says so.
func Dot(w io.Writer, p *planner.Plan, most int) error {
	d := &dot{plan: p, ids: map[string]int{}}
	title := fmt.Sprintf("%s, plan %s", short(p.Name), p.Hash)
	list := largestBuffers(p, cmp.Or(most, dotMost))
	if len(list) < len(p.Buffers) {
		title += fmt.Sprintf(", the %d largest of %d buffers", len(list), len(p.Buffers))
		if most == 0 {
			title += fmt.Sprintf(" (-top %d has all)", len(p.Buffers))
		}
	}
	d.add("digraph %s {", quoted(short(p.Name)))
	d.add("  graph [rankdir=LR, fontname=\"sans-serif\", label=%s];", quoted(title))
	d.add("  node [fontname=\"sans-serif\", fontsize=10]; edge [fontname=\"sans-serif\", fontsize=9];")
	d.clusters()
	for _, i := range slices.Sorted(slices.Values(list)) {
		d.buffer(i)
	}
	for s := range p.Steps {
		d.accesses(s)
	}
	d.waits()
	d.add("}")
	_, err := io.WriteString(w, d.String())
	return err
}

type dot struct {
	strings.Builder
	plan *planner.Plan
	ids  map[string]int // of the buffers that are drawn, by name
}

func (d *dot) add(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// quoted is a text as Graphviz reads it. A backslash would start an escape of a label.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(prose.Plain(s)) + `"`
}

// clusters writes the steps, in the order of each stream.
func (d *dot) clusters() {
	names := d.plan.Streams
	if len(names) == 0 {
		names = []string{""}
	}
	for n, name := range append(names[:len(names):len(names)], "host") {
		host := n == len(names)
		var steps []int
		for s := range d.plan.Steps {
			if step := &d.plan.Steps[s]; step.Host == host && (host || step.Stream == n) {
				steps = append(steps, s)
			}
		}
		if len(steps) == 0 {
			continue
		}
		label := "host steps"
		if !host {
			label = strings.TrimSpace("stream " + short(name))
		}
		d.add("  subgraph cluster_%d {\n    label=%s; style=rounded; color=gray50;", n, quoted(label))
		for _, s := range steps {
			d.add("    s%d [shape=box, label=%s];", s, quoted(fmt.Sprintf("%d %s", s, short(stepName(d.plan, sequences.StepID(s))))))
		}
		for i := range steps[1:] {
			d.add("    s%d -> s%d [style=dotted, arrowhead=none, weight=4];", steps[i], steps[i+1])
		}
		d.add("  }")
	}
}

func (d *dot) buffer(i int) {
	b := &d.plan.Buffers[i]
	d.ids[b.Name] = i
	size, basis := sizeOf(b)
	bytes := Bytes(size)
	switch {
	case b.Class == planner.Dynamic && basis == "":
		bytes = "size unknown"
	case b.Class == planner.Dynamic:
		bytes += " " + string(basis)
	}
	shape := "ellipse"
	if b.Scope == sequences.Host {
		shape = "octagon"
	}
	style := "solid"
	if b.Class == planner.Dynamic {
		style = "dashed"
	}
	label := strings.Join([]string{quotedLine(short(b.Name)), quotedLine(bytes), fmt.Sprintf("[%d, %d)", b.Lifetime.First, b.Lifetime.End)}, `\n`)
	d.add("  b%d [shape=%s, style=%s, label=\"%s\"];", i, shape, style, label)
	if of, ok := d.ids[b.InPlaceOf]; ok && b.InPlaceOf != "" {
		d.add("  b%d -> b%d [style=bold, arrowhead=none, label=\"in place\"];", of, i)
	}
}

// quotedLine is a part of a label.
func quotedLine(s string) string {
	s = quoted(s)
	return s[1 : len(s)-1]
}

// accesses writes who reads and writes what.
func (d *dot) accesses(s int) {
	step := &d.plan.Steps[s]
	for _, name := range step.Reads {
		if b, ok := d.ids[name]; ok {
			d.add("  b%d -> s%d;", b, s)
		}
	}
	for _, name := range step.Writes {
		if b, ok := d.ids[name]; ok {
			d.add("  s%d -> b%d;", s, b)
		}
	}
}

// waits writes the stream waits and the host waits; those that the planner added are red.
func (d *dot) waits() {
	added := map[planner.AddedEdge]bool{}
	for _, e := range d.plan.Added {
		added[planner.AddedEdge{From: e.From, To: e.To}] = true
	}
	for s := range d.plan.Steps {
		for _, from := range d.plan.Steps[s].After {
			color, label := "blue", "wait"
			if added[planner.AddedEdge{From: from, To: sequences.StepID(s)}] {
				color, label = "red", "added wait"
			}
			d.add("  s%d -> s%d [color=%s, penwidth=2, constraint=false, label=\"%s\"];", from, s, color, label)
		}
	}
	for i, w := range d.plan.Waits {
		d.add("  w%d [shape=note, label=\"host wait: %s\"];\n  w%d -> s%d [style=dashed];", i, quotedLine(short(w.Reason)), i, w.Step)
	}
}
