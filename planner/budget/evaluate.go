package budget

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// Options choose what Evaluate looks for.
type Options struct {
	Top   int  // how many culprits to name; 0 means 5
	Ways  bool // look for ways back under the budgets that are exceeded
	Plans int  // how many plans to make for that, for all budgets together; 0 means 60
	Sizes int  // how many sizes to evaluate for that; 0 means 10 million, about 1 us each
	Plan  planner.Options
}

const (
	defaultTop   = 5
	defaultPlans = 60
	defaultSizes = 10_000_000
)

// Evaluate checks a plan against the budgets of its sequence, in the order of seq.Budgets.
// A budget that cannot be checked has a Fault. It is an error if the plan is not one of the
// sequence.
func Evaluate(seq *sequences.Sequence, plan *planner.Plan, opts Options) ([]Result, error) {
	if len(seq.Budgets) == 0 {
		return nil, nil
	}
	c, err := newChecker(seq, plan, opts)
	if err != nil {
		return nil, err
	}
	var out []Result
	for i := range seq.Budgets {
		out = append(out, c.result(&seq.Budgets[i]))
	}
	return out, nil
}

// checker evaluates the budgets of one sequence.
type checker struct {
	seq  *sequences.Sequence
	plan *planner.Plan
	opts Options
	here *point // the sequence as it is
	left int    // plans that may still be made

	sizesLeft int // sizes that may still be evaluated for ways back
}

// point is a sequence with what is known of it.
type point struct {
	seq   *sequences.Sequence
	sizes *sizes
	plan  *planner.Plan // nil until it is needed
}

func newChecker(seq *sequences.Sequence, plan *planner.Plan, opts Options) (*checker, error) {
	if len(seq.Buffers) != len(plan.Buffers) || len(plan.Pools) != 2 {
		return nil, fmt.Errorf("the plan has %d buffers, the sequence %d", len(plan.Buffers), len(seq.Buffers))
	}
	if opts.Top <= 0 {
		opts.Top = defaultTop
	}
	if opts.Plans <= 0 {
		opts.Plans = defaultPlans
	}
	if opts.Sizes <= 0 {
		opts.Sizes = defaultSizes
	}
	c := &checker{seq: seq, plan: plan, opts: opts, left: opts.Plans, sizesLeft: opts.Sizes}
	var err error
	c.here, err = newPoint(seq)
	if err == nil {
		c.here.plan = plan
	}
	return c, err
}

func newPoint(seq *sequences.Sequence) (*point, error) {
	s, err := newSizes(seq)
	return &point{seq: seq, sizes: s}, err
}

// limit is the limit of a budget at the largest parameters.
func (p *point) limit(b *sequences.Budget) (uint64, error) { return expr.Eval(b.Max, p.sizes.last) }

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
	s := p.sizes.of(id)
	switch {
	case s.err != nil && !s.unbounded:
		return 0, "", s.err
	case !s.dynamic:
		return *s.max, "", nil
	case s.typical != nil && basis != sequences.BudgetWorst:
		return *s.typical, Typical, nil
	case s.max != nil && basis != sequences.BudgetTypical:
		return *s.max, Worst, nil
	}
	return 0, "", &sizeError{id, basis}
}

// counted visits the buffers of which a budget sums up the sizes, dynamic ones for the
// arena. For a pool there are none.
func counted(seq *sequences.Sequence, sizes *sizes, b *sequences.Budget, visit func(*sequences.Buffer) error) error {
	steps := make(map[sequences.StepID]bool, len(b.Steps))
	for _, s := range b.Steps {
		steps[s] = true
	}
	for i := range seq.Buffers {
		buffer := &seq.Buffers[i]
		in := false
		switch b.Kind {
		case sequences.BudgetTotal, sequences.BudgetArena:
			in = buffer.Scope == sequences.Device && sizes.of(buffer.ID).dynamic && buffer.InPlaceOf == sequences.None
		case sequences.BudgetClass:
			in = buffer.Scope == b.Scope && sizes.of(buffer.ID).dynamic == b.Dynamic
		case sequences.BudgetAlgorithm:
			in = steps[buffer.Step]
		}
		if in {
			if err := visit(buffer); err != nil {
				return err
			}
		}
	}
	return nil
}

// sum adds up what counted visits, rounded where the device rounds it.
func (c *checker) sum(p *point, b *sequences.Budget) (total uint64, basis Basis, err error) {
	err = counted(p.seq, p.sizes, b, func(buffer *sequences.Buffer) error {
		n, by, err := p.bytes(buffer.ID, b.Basis)
		if err != nil {
			return err
		}
		if basis = basis.with(by); isArena(b) {
			n, err = checked.AlignUp(n, uint64(c.plan.Arena.Align))
		}
		if err == nil {
			total, err = checked.Add(total, n)
		}
		return saturate(&total, err)
	})
	return total, basis, err
}

func isArena(b *sequences.Budget) bool {
	return b.Kind == sequences.BudgetTotal || b.Kind == sequences.BudgetArena
}

// saturate makes a sum that leaves uint64 the largest one: no limit is above it.
func saturate(total *uint64, err error) error {
	if errors.Is(err, checked.ErrOverflow) {
		*total, err = math.MaxUint64, nil
	}
	return err
}

// with is the basis of sizes of both bases.
func (b Basis) with(other Basis) Basis {
	switch {
	case other == "" || other == b:
		return b
	case b == "":
		return other
	}
	return Mixed
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
