package text

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// most is the label of what a budget is made of.
const most = "what takes most"

// parts are what the bytes of a budget are made of, which add up to them.
func parts(r *budget.Result) []diag.Note {
	var out []diag.Note
	rest, workers := r.Used-r.Reserved-r.Holes, ""
	if r.Workers > 0 {
		workers = fmt.Sprintf("%d workers * ", r.Workers)
	}
	for i := range r.Culprits {
		c := &r.Culprits[i]
		rest -= c.Bytes
		out = append(out, noteAt(r, most, c.Place, culprit(c, workers)))
	}
	part := func(bytes sequences.Bytes, what string) {
		percent := 100 * float64(bytes) / float64(r.Used)
		out = append(out, diag.Note{Label: most, Message: share(percent, bytes, what)})
	}
	if more := r.Buffers - len(r.Culprits); more > 0 {
		part(rest, fmt.Sprintf("and %d more", more))
	}
	if r.Reserved > 0 {
		part(r.Reserved, "reserved for the control block, slots, parameters and program")
	}
	if r.Holes > 0 {
		part(r.Holes, "holes, which none of these buffers has")
	}
	return out
}

func share(percent float64, bytes sequences.Bytes, what string) string {
	return fmt.Sprintf("%.1f %%, %s: %s", percent, report.Bytes(bytes), what)
}

func culprit(c *budget.Culprit, workers string) string {
	what := "the input " + c.Name
	if c.Step != "" {
		what = fmt.Sprintf("%s of step %s", c.Name, c.Step)
	}
	what += fmt.Sprintf(", %s %s", c.Class, c.Scope)
	if c.Basis != "" {
		what += ", " + string(c.Basis)
	}
	what += ", " + workers + strings.Join(strings.Fields(c.Formula), " ") // it may have line breaks
	if c.Instances > 0 {
		what += fmt.Sprintf(", a formula of %s%s", prose.Plural(c.Instances, "buffer"), ofTemplate(c.Template))
	}
	return share(c.Percent, c.Bytes, what)
}

// back are the ways back, and what is known of others.
func back(r *budget.Result) []diag.Note {
	const label = "back under the limit"
	var out []diag.Note
	for i := range r.Ways {
		w := &r.Ways[i]
		message := fmt.Sprintf("%s: needs %s", Way(w), report.Bytes(w.Used))
		if w.Limit != r.Limit {
			message += " of " + report.Bytes(w.Limit)
		}
		out = append(out, noteAt(r, label+": one of these is enough, with values as large as can be", w.Place, message))
	}
	say := func(label, format string, args ...any) {
		out = append(out, diag.Note{Label: label, Message: fmt.Sprintf(format, args...)})
	}
	if len(r.Ways) == 0 {
		say(label, "no single change was found that is enough")
	}
	if r.NoBatch {
		say("no smaller batch was found that is enough", "the smallest one is over the limit too")
	}
	const left = "not all was tried"
	if r.More > 0 {
		say(left, "%s that may be enough", prose.Plural(r.More, "more change"))
	}
	if shown := len(r.Culprits); shown < r.Buffers {
		say(left, "the sizes of buffers but for those of the %d largest", shown)
	}
	if r.Cut {
		say(left, "what would take too much work")
	}
	return out
}

// Way is a way in words, without its place and what it needs.
func Way(w *budget.Way) string {
	switch w.Kind {
	case budget.WayAfter:
		return edges(w.Edges)
	case budget.WayReuse:
		text := fmt.Sprintf("reuse: %s for %s (now %s)", w.Formula, w.Name, w.Now)
		if len(w.Edges) > 0 {
			text += ", which adds " + edges(w.Edges)
		}
		return text
	case budget.WayMax:
		return fmt.Sprintf("max of %s = %s (now %s)", w.Name, w.Formula, formula(w.Now))
	case budget.WayTypical:
		return fmt.Sprintf("if a typical batch has no more %s than %s (typical is now %s)", w.Name, w.Formula, formula(w.Now))
	case budget.WayBuffer:
		return buffer(w)
	}
	return fmt.Sprintf("%s = %d (now %d)", w.Name, w.To, w.From)
}

// buffer says what to write as the count of a buffer.
func buffer(w *budget.Way) string {
	now := "now"
	if strings.Contains(w.Formula, budget.WrittenNow) {
		now = budget.WrittenNow + " is what is there now:"
	}
	text := fmt.Sprintf("if no kernel writes more: %s as the count of %q (%s %s)", w.Formula, w.Name, now, formula(w.Now))
	if w.Instances > 0 {
		text += fmt.Sprintf(", in all %s%s with this formula", prose.Plural(w.Instances, "buffer"), ofTemplate(w.Template))
	}
	return text
}

func ofTemplate(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" of the template %q", name)
}

// formula is a formula in one line; it may have line breaks, and be long.
func formula(text string) string {
	return prose.Shorten(strings.Join(strings.Fields(text), " "), 60)
}

// edges says what to write into steps, once for each step.
func edges(list []budget.Edge) string {
	var out []string
	for i := 0; i < len(list); {
		e := &list[i]
		var from []string
		for ; i < len(list) && list[i].To == e.To; i++ {
			from = append(from, list[i].From)
		}
		step := "step " + e.To
		if e.Instances > 0 {
			step = fmt.Sprintf("all %s%s", prose.Plural(e.Instances, "step"), ofTemplate(e.Template))
		} else if e.Template != "" {
			step += ofTemplate(e.Template)
		}
		names := strings.Join(from, ", ")
		if e.Added {
			out = append(out, fmt.Sprintf("%s added to the \"after\" of %s", names, step))
			continue
		}
		if len(from) > 1 {
			names = "[" + names + "]"
		}
		out = append(out, fmt.Sprintf("\"after: %s\" in %s", names, step))
	}
	return strings.Join(out, " and ")
}
