package budget

import (
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// noSize says which figure of a count is missing.
func (c *checker) noSize(e *sizeError) string {
	b := &c.plan.Buffers[e.buffer]
	want := map[sequences.BudgetBasis]string{
		sequences.BudgetAny: "neither typical nor max", sequences.BudgetTypical: "no typical value", sequences.BudgetWorst: "no max",
	}[e.basis]
	for _, name := range b.DrivenBy {
		i := slices.IndexFunc(c.seq.Counts, func(n sequences.Count) bool { return n.Name == name })
		most, typical := c.here.sizes.Count(sequences.CountID(i))
		if typical == nil && e.basis != sequences.BudgetWorst || most == nil && e.basis != sequences.BudgetTypical {
			if e.basis == sequences.BudgetAny && (typical != nil || most != nil) {
				continue
			}
			return fmt.Sprintf("the size of %q is not known: its count %q has %s", b.Name, name, want)
		}
	}
	return fmt.Sprintf("the size of %q is not known: its counts have no figures for it (%s)", b.Name, want)
}

// idle says why a budget can never be exceeded; empty if it can. A limit of 0 for memory that
// does not exist is a rule for later.
func (c *checker) idle(b *sequences.Budget, limit uint64, buffers int) string {
	if limit == ^uint64(0) {
		return "no memory is larger"
	}
	if b.Kind == sequences.BudgetPool {
		for i := range c.seq.Budgets {
			o := &c.seq.Budgets[i]
			if o.Kind == sequences.BudgetCapacity && o.Scope == b.Scope && uint64(c.seq.Scope(b.Scope).Capacity) <= limit {
				return fmt.Sprintf("the declared capacity, %d bytes, is not larger", c.seq.Scope(b.Scope).Capacity)
			}
		}
	}
	if buffers > 0 || limit == 0 || b.Kind == sequences.BudgetTotal || b.Kind == sequences.BudgetCapacity {
		return ""
	}
	switch {
	case b.Kind == sequences.BudgetPool && c.plan.Pools[b.Scope].Size > 0:
		return ""
	case b.Kind == sequences.BudgetPool:
		return fmt.Sprintf("the sequence has no static %s buffers", b.Scope)
	case b.Kind == sequences.BudgetArena:
		return "the sequence has no dynamic device buffers"
	case b.Kind == sequences.BudgetClass:
		class := planner.Static
		if b.Dynamic {
			class = planner.Dynamic
		}
		return fmt.Sprintf("the sequence has no %s %s buffers", class, b.Scope)
	}
	return "the steps declare no buffers"
}
