package budget

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// limit is the limit of a budget at the largest parameters.
func (p *point) limit(b *sequences.Budget) (uint64, error) { return p.sizes.Eval(b.Max) }

// sizeError is a buffer without a size by the basis of a budget.
type sizeError struct {
	buffer sequences.BufferID
	basis  sequences.BudgetBasis
}

func (e *sizeError) Error() string {
	return fmt.Sprintf("buffer %d has no size (%s)", e.buffer, e.basis)
}

// bytes returns the bytes of a buffer that a budget counts, and for a dynamic one what they are.
func (p *point) bytes(id sequences.BufferID, basis sequences.BudgetBasis) (uint64, Basis, error) {
	s, err := p.sizes.Buffer(id)
	switch {
	case err != nil:
		return 0, "", err
	case s.Class == planner.Static:
		return s.Max, "", nil
	case s.Typical != nil && basis != sequences.BudgetWorst:
		return *s.Typical, Typical, nil
	case s.Proof != planner.ProofNone && basis != sequences.BudgetTypical:
		return s.Max, Worst, nil
	}
	return 0, "", &sizeError{id, basis}
}

// counted visits the buffers of which a budget sums up the sizes, dynamic ones for the
// arena, with what they count, rounded where the device rounds it. For a pool there are
// none.
func (c *checker) counted(p *point, b *sequences.Budget, visit func(id sequences.BufferID, bytes uint64, basis Basis)) error {
	steps := make(map[sequences.StepID]bool, len(b.Steps))
	for _, s := range b.Steps {
		steps[s] = true
	}
	for i := range p.seq.Buffers {
		buffer := &p.seq.Buffers[i]
		in, align := false, uint64(1)
		switch b.Kind {
		case sequences.BudgetTotal, sequences.BudgetArena:
			in = buffer.Scope == sequences.Device && p.dynamic(buffer.ID) && buffer.InPlaceOf == sequences.None
			align = uint64(c.plan.Arena.Align)
		case sequences.BudgetClass:
			in = buffer.Scope == b.Scope && p.dynamic(buffer.ID) == b.Dynamic
		case sequences.BudgetAlgorithm:
			in = steps[buffer.Step]
		}
		if !in {
			continue
		}
		n, basis, err := p.bytes(buffer.ID, b.Basis)
		if err == nil {
			n, err = checked.AlignUp(n, align)
			err = saturate(&n, err)
		}
		if err != nil {
			return err
		}
		visit(buffer.ID, n, basis)
	}
	return nil
}

// sum adds up what counted visits.
func (c *checker) sum(p *point, b *sequences.Budget) (total uint64, basis Basis, err error) {
	err = c.counted(p, b, func(_ sequences.BufferID, n uint64, by Basis) {
		basis, total = basis.with(by), add(total, n)
	})
	return total, basis, err
}

// add is a sum that stays at the largest number where it leaves uint64: no limit is above it.
func add(a, b uint64) uint64 {
	sum, err := checked.Add(a, b)
	_ = saturate(&sum, err)
	return sum
}

// saturate makes a number that leaves uint64 the largest one.
func saturate(total *uint64, err error) error {
	if errors.Is(err, checked.ErrOverflow) {
		*total, err = math.MaxUint64, nil
	}
	return err
}

// packed reports whether a budget is for a pool, so that it needs a plan.
func packed(b *sequences.Budget) bool {
	return b.Kind == sequences.BudgetPool || b.Kind == sequences.BudgetCapacity || b.Kind == sequences.BudgetTotal
}

// need is what a budget is for needs, with a static region of the given size.
func (c *checker) need(p *point, b *sequences.Budget, static uint64) (uint64, Basis, error) {
	if packed(b) && b.Kind != sequences.BudgetTotal {
		return static, "", nil
	}
	sum, basis, err := c.sum(p, b)
	if err != nil || b.Kind != sequences.BudgetTotal {
		return sum, basis, err
	}
	each, err := checked.AlignUp(static, uint64(c.plan.Arena.Align)) // as planner.Plan.DeviceNeed
	if err == nil {
		each, err = checked.Add(each, sum)
	}
	if err == nil {
		each, err = checked.Mul(each, uint64(p.seq.Workers))
	}
	err = saturate(&each, err)
	return each, basis, err
}
