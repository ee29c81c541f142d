package page

import (
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/budget"
	budgettext "github.com/seqplan/seqplan/planner/budget/text"
)

// standing is how one budget stands. With a Fault it has no figures.
type standing struct {
	Name     text      `json:"name"`
	Text     text      `json:"text"` // the limit as written
	Line     int       `json:"line"`
	Limit    *number   `json:"limit,omitempty"`
	Used     *number   `json:"used,omitempty"`
	Over     *number   `json:"over,omitempty"` // if it is exceeded
	Basis    string    `json:"basis,omitempty"`
	Fault    text      `json:"fault,omitempty"`
	Buffers  int       `json:"buffers"` // how many are in Used
	Culprits []culprit `json:"culprits,omitempty"`
	Notes    []group   `json:"notes,omitempty"` // ways back under the limit, and what is known of others
}

// group is what seqplan check notes under one label.
type group struct {
	Label text   `json:"label"`
	Notes []note `json:"notes"`
}

type note struct {
	Text text `json:"text"`
	Line int  `json:"line,omitempty"`
}

// culprit is one of the largest buffers of a budget.
type culprit struct {
	alive
	Percent float64 `json:"percent"` // of what is used
	Basis   string  `json:"basis,omitempty"`
	Line    int     `json:"line"`
}

func newStandings(results []budget.Result, index index) []standing {
	var out []standing
	for i := range results {
		r := &results[i]
		s := standing{Name: text(r.Name), Text: oneLine(r.Text), Line: r.Line, Basis: string(r.Basis), Fault: text(r.Fault), Buffers: r.Buffers}
		if r.HasLimit() {
			s.Limit = optional(&r.Limit)
		}
		if r.HasUsed() {
			s.Used = optional(&r.Used)
		}
		if r.Over > 0 {
			s.Over = optional(&r.Over)
		}
		for _, c := range r.Culprits {
			s.Culprits = append(s.Culprits, culprit{newAlive(planner.Alive{Name: c.Name, Bytes: c.Bytes}, index), c.Percent, string(c.Basis), c.Line})
		}
		s.Notes = notes(r)
		out = append(out, s)
	}
	return out
}

// notes are those of the diagnostic of a budget, but for what takes most, which is in its
// culprits.
func notes(r *budget.Result) (out []group) {
	d, _ := budgettext.Diagnostic(r)
	for _, n := range d.Notes {
		if n.Label == "what takes most" {
			continue
		}
		if last := len(out) - 1; last < 0 || out[last].Label != text(n.Label) {
			out = append(out, group{Label: text(n.Label)})
		}
		last := &out[len(out)-1]
		last.Notes = append(last.Notes, note{oneLine(n.Message), n.Pos.Line})
	}
	return out
}
