package report

import (
	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner/budget"
	"github.com/seqplan/seqplan/sequences"
)

func (r *Report) budgets(t *printer) {
	t.section("Budgets\tlimit\tused\tleft")
	for i := range r.Budgets {
		b := &r.Budgets[i]
		t.line("  %s\t%s\t%s%s\t%s", b.Name, budgetFigure(b, b.Limit), budgetFigure(b, b.Used), budgetBasis(b), budgetVerdict(b))
	}
}

func (r *Report) markdownBudgets(line func(string, ...any)) {
	line("\n| budget | limit | used | left |\n|---|--:|--:|--:|")
	for i := range r.Budgets {
		b := &r.Budgets[i]
		verdict := budgetVerdict(b)
		if !b.Holds() {
			verdict = "**" + verdict + "**"
		}
		line("| %s | %s | %s%s | %s |", prose.Code(b.Name), budgetFigure(b, b.Limit), budgetFigure(b, b.Used), budgetBasis(b), verdict)
	}
}

// budgetFigure is a number of bytes of a budget that could be checked.
func budgetFigure(b *budget.Result, bytes sequences.Bytes) string {
	if b.Fault != "" {
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
func budgetVerdict(b *budget.Result) string {
	switch {
	case b.Fault != "":
		return "unknown: " + b.Fault
	case b.Over > 0:
		return "exceeded by " + Bytes(b.Over)
	}
	return Bytes(b.Limit - b.Used)
}
