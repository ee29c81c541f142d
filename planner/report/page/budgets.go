package page

import (
	"fmt"

	"github.com/seqplan/seqplan/planner/budget"
	budgettext "github.com/seqplan/seqplan/planner/budget/text"
	"github.com/seqplan/seqplan/planner/report"
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
	Ways     []text    `json:"ways,omitempty"`
	NoBatch  bool      `json:"no_batch,omitempty"` // it is exceeded with the smallest batch too
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
		s := standing{Name: text(r.Name), Text: oneLine(r.Text), Line: r.Line, Basis: string(r.Basis), Fault: text(r.Fault), Buffers: r.Buffers, NoBatch: r.NoBatch}
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
			s.Culprits = append(s.Culprits, culprit{alive{text(c.Name), index.find(c.Name), num(c.Bytes)}, c.Percent, string(c.Basis), c.Line})
		}
		for i := range r.Ways {
			s.Ways = append(s.Ways, oneLine(fmt.Sprintf("%s: needs %s of %s", budgettext.Way(&r.Ways[i]), report.Bytes(r.Ways[i].Used), report.Bytes(r.Ways[i].Limit))))
		}
		out = append(out, s)
	}
	return out
}
