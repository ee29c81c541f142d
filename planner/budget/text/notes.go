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

// parts are what the bytes of a budget are made of, which add up to them.
func parts(r *budget.Result) []diag.Note {
	const label = "what takes most"
	var out []diag.Note
	rest := r.Used - r.Reserved - r.Holes
	for i := range r.Culprits {
		c := &r.Culprits[i]
		rest -= c.Bytes
		out = append(out, noteAt(r, label, c.Place, culprit(c)))
	}
	part := func(bytes sequences.Bytes, what string) {
		percent := 100 * float64(bytes) / float64(r.Used)
		out = append(out, diag.Note{Label: label, Message: share(percent, bytes, what)})
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

func culprit(c *budget.Culprit) string {
	what := "the input " + c.Name
	if c.Step != "" {
		what = fmt.Sprintf("%s of step %s", c.Name, c.Step)
	}
	what += fmt.Sprintf(", %s %s", c.Class, c.Scope)
	if c.Basis != "" {
		what += ", " + string(c.Basis)
	}
	what += ", " + strings.Join(strings.Fields(c.Formula), " ") // it may have line breaks
	if c.Instances > 0 {
		what += fmt.Sprintf(", a formula of %s%s", prose.Plural(c.Instances, "buffer"), ofTemplate(c.Template))
	}
	return share(c.Percent, c.Bytes, what)
}

// back are the ways back, and what is known of others.
func back(r *budget.Result) []diag.Note {
	label := "back under the limit, each of these alone, and no larger value"
	var out []diag.Note
	if len(r.Ways) == 0 {
		label = "back under the limit"
		out = append(out, diag.Note{Label: label, Message: "no single change was found that is enough"})
	}
	for i := range r.Ways {
		w := &r.Ways[i]
		message := fmt.Sprintf("%s: needs %s", Way(w), report.Bytes(w.Used))
		if w.Limit != r.Limit {
			message += " of " + report.Bytes(w.Limit)
		}
		out = append(out, noteAt(r, label, w.Place, message))
	}
	say := func(format string, args ...any) {
		out = append(out, diag.Note{Label: label, Message: fmt.Sprintf(format, args...)})
	}
	if r.More > 0 {
		say("and %d more that may be enough, which were not tried", r.More)
	}
	if shown := len(r.Culprits); shown < r.Buffers {
		say("of the sizes of buffers, those of the %d largest were tried", shown)
	}
	if r.NoBatch {
		say("no batch: the smallest one is over the limit too")
	}
	if r.Cut {
		say("others were not looked for, they would take too much work")
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
	case budget.WayMax, budget.WayTypical:
		return fmt.Sprintf("%s of %s = %s (now %s)", w.Kind, w.Name, w.Formula, formula(w.Now))
	case budget.WayBuffer:
		text := fmt.Sprintf("a count of %q of at most %s (now %s)", w.Name, w.Formula, formula(w.Now))
		if w.Instances > 0 {
			text += fmt.Sprintf(", in all %s%s with this formula", prose.Plural(w.Instances, "buffer"), ofTemplate(w.Template))
		}
		return text
	}
	return fmt.Sprintf("%s = %d (now %d)", w.Name, w.To, w.From)
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

func edges(list []budget.Edge) string {
	var out []string
	for _, e := range list {
		text := fmt.Sprintf("\"after: %s\" in step %s", e.From, e.To)
		if e.Instances > 0 {
			text += fmt.Sprintf(", one of %s%s,", prose.Plural(e.Instances, "step"), ofTemplate(e.Template))
		}
		out = append(out, text)
	}
	return strings.Join(out, " and ")
}
