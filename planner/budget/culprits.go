package budget

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// result evaluates one budget.
func (c *checker) result(b *sequences.Budget) Result {
	r := Result{Name: b.Name, Kind: b.Kind, Text: b.Text, Place: placeOf(b.Pos), Pos: b.Pos}
	limit, err := c.here.limit(b)
	if err != nil {
		r.Code, r.Pos = CodeLimit, b.Max.Pos
		r.Fault = fmt.Sprintf("it has no value at the largest parameters: %v", cause(err))
		return r
	}
	used, basis, err := c.need(c.here, b, uint64(c.plan.Pools[b.Scope].Size))
	if err != nil {
		r.Code, r.Fault = CodeNoSize, err.Error()
		if none := new(sizeError); errors.As(err, &none) {
			r.Fault = c.noSize(none)
		}
		return r
	}
	r.Limit, r.Used, r.Basis = sequences.Bytes(limit), sequences.Bytes(used), basis
	all := c.culprits(b, r.Used)
	r.Buffers, r.Culprits = len(all), all[:min(len(all), c.opts.Top)]
	if used > limit {
		r.Over, r.Code = sequences.Bytes(used-limit), CodeExceeded
		if b.Kind == sequences.BudgetCapacity {
			r.Code = CodeCapacity
		}
		if c.opts.Ways {
			c.ways(b, &r)
		}
	} else if r.Idle = c.idle(b, limit, r.Buffers); r.Idle != "" {
		r.Code = CodeIdle
	}
	return r
}

// cause is the arithmetic error in words.
func cause(err error) error {
	for _, c := range []error{checked.ErrOverflow, checked.ErrNegative, checked.ErrDivZero} {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// noSize says which figure of a count is missing.
func (c *checker) noSize(e *sizeError) string {
	b := &c.plan.Buffers[e.buffer]
	want := map[sequences.BudgetBasis]string{
		sequences.BudgetAny: "neither typical nor max", sequences.BudgetTypical: "no typical value", sequences.BudgetWorst: "no max",
	}[e.basis]
	for _, name := range b.DrivenBy {
		i := slices.IndexFunc(c.seq.Counts, func(n sequences.Count) bool { return n.Name == name })
		f := c.here.sizes.counts[i]
		if f.typical == nil && e.basis != sequences.BudgetWorst || f.max == nil && e.basis != sequences.BudgetTypical {
			if e.basis == sequences.BudgetAny && (f.typical != nil || f.max != nil) {
				continue
			}
			return fmt.Sprintf("the size of %q is not known: its count %q has %s", b.Name, name, want)
		}
	}
	return fmt.Sprintf("the size of %q is not known: its counts have no figures for it (%s)", b.Name, want)
}

// culprits are the buffers behind a budget, largest first.
func (c *checker) culprits(b *sequences.Budget, used sequences.Bytes) []Culprit {
	var out []Culprit
	workers := uint64(1)
	if b.Kind == sequences.BudgetTotal {
		workers = uint64(c.seq.Workers)
	}
	add := func(id sequences.BufferID, bytes uint64, basis Basis) {
		p := &c.plan.Buffers[id]
		n, err := checked.Mul(bytes, workers)
		if err != nil {
			n = uint64(used)
		}
		culprit := Culprit{
			Name: p.Name, Class: p.Class, Scope: p.Scope, Bytes: sequences.Bytes(n), Basis: basis,
			Formula: fmt.Sprintf("%d B * (%s)", uint64(p.ElemSize), p.Count), Place: placeOf(c.seq.Buffers[id].Pos),
		}
		if used > 0 {
			culprit.Percent = 100 * float64(n) / float64(used)
		}
		if p.Step >= 0 {
			culprit.Step = c.plan.Steps[p.Step].Name
		}
		out = append(out, culprit)
	}
	if packed(b) {
		byName := make(map[string]sequences.BufferID, len(c.plan.Buffers))
		for i := range c.plan.Buffers {
			byName[c.plan.Buffers[i].Name] = sequences.BufferID(i)
		}
		for _, a := range c.plan.Pools[b.Scope].AtPeak {
			add(byName[a.Name], uint64(a.Bytes), "")
		}
	}
	_ = counted(c.seq, c.here.sizes, b, func(buffer *sequences.Buffer) error {
		n, basis, err := c.here.bytes(buffer.ID, b.Basis)
		add(buffer.ID, n, basis)
		return err
	})
	slices.SortStableFunc(out, func(a, b Culprit) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return out
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
