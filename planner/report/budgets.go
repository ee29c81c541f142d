package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/sequences"
)

// Budgets is how the budgets of the file stand.
type Budgets []budget.Result

// The ranks of budgets in a table: what to act on is first.
const exceeded, unknown, kept = 0, 1, 2

func rank(b *budget.Result) int {
	switch {
	case b.Fault != "":
		return unknown
	case b.Over > 0:
		return exceeded
	}
	return kept
}

// sorted is a table of the budgets, and its title.
func (b Budgets) sorted() (rows []*budget.Result, title string) {
	var count [kept + 1]int
	for i := range b {
		rows = append(rows, &b[i])
		count[rank(&b[i])]++
	}
	slices.SortStableFunc(rows, func(x, y *budget.Result) int { return cmp.Compare(rank(x), rank(y)) })
	title = prose.Plural(len(b), "budget")
	for r, word := range [...]string{"exceeded", "unknown", "kept"} {
		if count[r] > 0 {
			title += fmt.Sprintf(", %d %s", count[r], word)
		}
	}
	return rows, title
}

func (b Budgets) text(t *printer) {
	rows, title := b.sorted()
	t.section("%s", title)
	t.line("  budget\tlimit\tused\tleft")
	for _, r := range rows {
		t.line("  %s\t%s\t%s%s\t%s", r.Name, budgetFigure(r, r.Limit), budgetFigure(r, r.Used), budgetBasis(r), budgetVerdict(r))
	}
}

func (b Budgets) markdown(line func(string, ...any)) {
	rows, title := b.sorted()
	line("| %s | limit | used | left |\n|---|--:|--:|--:|", title)
	for _, r := range rows {
		verdict := prose.Entities(prose.Plain(string(budgetVerdict(r))), " .,:()\"")
		if rank(r) != kept {
			verdict = "**" + verdict + "**"
		}
		line("| %s | %s | %s%s | %s |", code(r.Name), budgetFigure(r, r.Limit), budgetFigure(r, r.Used), budgetBasis(r), verdict)
	}
	line("")
}

// budgetFigure is a number of bytes of a budget, if it is known.
func budgetFigure(b *budget.Result, bytes sequences.Bytes) string {
	if b.Fault != "" && bytes == 0 {
		return "-"
	}
	return Bytes(bytes)
}

// budgetBasis says what the dynamic bytes of a budget are.
func budgetBasis(b *budget.Result) string {
	if b.Basis == "" {
		return ""
	}
	return ", " + string(b.Basis)
}

// budgetVerdict says how a budget stands; check says what can be done about it.
func budgetVerdict(b *budget.Result) phrase {
	switch {
	case b.Fault != "":
		return "unknown: " + whole(b.Fault)
	case b.Over > 0:
		return phrase("exceeded by " + Bytes(b.Over))
	}
	return phrase(Bytes(b.Limit - b.Used))
}
