package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/sequences"
)

// code is a name or a formula in Markdown.
func code(s string) string { return prose.Code(short(s)) }

// Of a long list a summary names the first.
const markdownTop, markdownWaits, markdownCounts, markdownAlive = 10, 8, 8, 3

// Markdown writes a summary for a pull request: the class table, the pools, the dynamic
// part, the largest buffers and the host waits, in some 60 lines at most.
func (r *Report) Markdown(w io.Writer) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	total := r.Classes.Total
	line("### Memory of %s\n", code(r.Name))
	line("%s, %s, plan `%s`%s. Bytes of one worker of %d.\n", prose.Plural(r.Steps, "step"),
		prose.Plural(total.Buffers, "buffer"), r.Hash, r.markdownParams(), max(1, r.Workers))
	if err := r.markdownVerdicts(&b, line); err != nil {
		return err
	}
	r.Classes.markdown(line)
	r.needMarkdown(line)
	line("\n| pool | size | height | lower bound | gap | holes at the peak | peak |")
	line("|---|--:|--:|--:|--:|--:|---|")
	for i := range r.Pools {
		p := &r.Pools[i]
		line("| static %s | %s%s | %s | %s | %s | %s | %s |", p.Scope, Bytes(p.Size), verdict(p),
			Bytes(p.Height), Bytes(p.LowerBound), gap(&p.Pool), Bytes(p.Waste.Holes), p.markdownPeak())
	}
	r.markdownArena(line)
	line("\n| largest buffers: %d of %d | class | bytes | lifetime | size |", min(len(r.Top), markdownTop), total.Buffers)
	line("|---|---|--:|---|---|")
	for i := range r.Top[:min(len(r.Top), markdownTop)] {
		t := &r.Top[i]
		line("| %s | %s %s | %s | \\[%d, %d) | %s |", code(t.Name), t.Class, t.Scope, t.size(), t.Lifetime.First, t.Lifetime.End, code(t.Formula))
	}
	r.markdownWaits(line)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) markdownParams() string {
	var words []string
	for _, p := range r.Params {
		if p.Min != p.Max {
			words = append(words, fmt.Sprintf("%s = %d ... %d", code(p.Name), p.Min, p.Max))
		}
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + strings.Join(words, ", ")
}

// markdownPeak says what most of a pool is for.
func (p *Pool) markdownPeak() string {
	if len(p.AtPeak) == 0 {
		return "none"
	}
	text := fmt.Sprintf("%s: %s", p.peakText(code), Bytes(p.Peak.Bytes))
	if p.Peak.Step == nil {
		text += fmt.Sprintf("; in file order step %d %s: %s", p.PeakStep, code(p.PeakName), Bytes(p.Peak.Live))
	}
	return text
}

// verdict says whether a pool fits what its file declares.
func verdict(p *Pool) string {
	switch {
	case p.Capacity == 0:
		return ""
	case p.Size > p.Capacity:
		return fmt.Sprintf(", **over its capacity of %s**", Bytes(p.Capacity))
	}
	return fmt.Sprintf(" of %s", Bytes(p.Capacity))
}

func (r *Report) markdownArena(line func(string, ...any)) {
	if r.Arena.Slots == 0 {
		return
	}
	line("\n| dynamic, %s | sum | peak | at the peak |\n|---|--:|--:|---|", prose.Plural(r.Arena.Slots, "slot"))
	if d := r.Arena.Worst; d != nil {
		line("| worst | %s | %s | %s |", Bytes(d.Sum), Bytes(d.Peak), r.Arena.WorstPeak.markdown())
	}
	if d := r.Arena.Typical; d != nil {
		line("| typical | %s | %s | %s |", Bytes(d.Sum), Bytes(d.Peak), r.Arena.TypicalPeak.markdown())
	}
	var rest sequences.Bytes
	for i, c := range r.Arena.Counts {
		if i < markdownCounts {
			line("| driven by %s | %s | | |", code(c.Name), Bytes(c.Bytes))
		} else {
			rest = add(rest, c.Bytes)
		}
	}
	if more := len(r.Arena.Counts) - markdownCounts; more > 0 {
		line("| driven by %s | %s | | |", prose.Plural(more, "more count"), Bytes(rest))
	}
	if note := r.Arena.sharedText(); note != "" {
		line("\n%s.", note)
	}
}

// markdown names the step of a peak and the largest buffers that live then.
func (a *ArenaPeak) markdown() string {
	if a == nil {
		return ""
	}
	words := []string{}
	for _, b := range a.Buffers[:min(markdownAlive, len(a.Buffers))] {
		words = append(words, code(b.Name)+" "+Bytes(b.Bytes))
	}
	if more := len(a.Buffers) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("step %d %s: %s", a.Step, code(a.Name), strings.Join(words, ", "))
}

func (r *Report) markdownWaits(line func(string, ...any)) {
	line("\nHost waits: %d in the sequence, and the end of the batch.", len(r.Waits))
	if len(r.Waits) > 0 {
		line("")
	}
	for i, w := range r.Waits {
		if i == markdownWaits {
			line("- and %d more", len(r.Waits)-i)
			break
		}
		var names []string
		for _, name := range w.Buffers {
			names = append(names, code(name))
		}
		if more := len(names) - 3; more > 0 {
			names = append(names[:3], fmt.Sprintf("%d more", more))
		}
		line("- before step %d %s: %s: %s", w.Step, code(w.Name), prose.Entities(prose.Plain(short(w.Reason)), " .,:;()"), strings.Join(names, ", "))
	}
}
