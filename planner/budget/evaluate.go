package budget

import (
	"context"
	"errors"
	"fmt"

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
	Work  int  // how many parts of expressions to evaluate for that; 0 means 30 million, about 0.2 us each
	Plan  planner.Options
}

const (
	defaultTop   = 5
	defaultPlans = 60
	defaultWork  = 30_000_000
)

// Evaluate checks a plan against the budgets of its sequence, in the order of seq.Budgets.
// A budget that cannot be checked has a Fault. It is an error if the plan is not one of the
// sequence, or if opts.Plan.Context is cancelled.
func Evaluate(seq *sequences.Sequence, plan *planner.Plan, opts Options) ([]Result, error) {
	if len(seq.Budgets) == 0 {
		return nil, nil
	}
	c, err := newChecker(seq, plan, opts)
	if err != nil {
		return nil, err
	}
	var out []Result
	pools, plans := 0, c.left
	for i := range seq.Budgets {
		if packed(&seq.Budgets[i]) {
			pools++
		}
	}
	work := c.workLeft
	for i := range seq.Budgets {
		b := &seq.Budgets[i]
		// None takes the work and the plans of the ones behind it.
		c.workLeft, c.left = work/(len(seq.Budgets)-i), 0
		if packed(b) {
			c.left = plans / pools
			pools--
		}
		work, plans = work-c.workLeft, plans-c.left
		out = append(out, c.result(b))
		work, plans = work+c.workLeft, plans+c.left
	}
	if ctx := opts.Plan.Context; ctx != nil && ctx.Err() != nil { // what did not fit may fit
		return nil, context.Cause(ctx)
	}
	return out, nil
}

// checker evaluates the budgets of one sequence.
type checker struct {
	seq  *sequences.Sequence
	plan *planner.Plan
	opts Options
	here *point // the sequence as it is
	left int    // plans that may still be made for a budget

	workLeft int // parts of expressions that may still be evaluated for ways back

	byName map[string]sequences.BufferID
	// alike are the buffers by the place of their formula in the file: those of several
	// instances of a template have it from one place.
	alike map[sequences.Pos][]sequences.BufferID

	growing map[*expr.Node]bool // what perEvent knows
}

// point is a sequence with what is known of it.
type point struct {
	seq   *sequences.Sequence
	sizes *planner.Sizes
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
	if opts.Work <= 0 {
		opts.Work = defaultWork
	}
	c := &checker{
		seq: seq, plan: plan, opts: opts, left: opts.Plans, workLeft: opts.Work,
		byName: map[string]sequences.BufferID{}, alike: map[sequences.Pos][]sequences.BufferID{},
		growing: map[*expr.Node]bool{},
	}
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		c.byName[b.Name] = b.ID
		c.alike[b.CountPos] = append(c.alike[b.CountPos], b.ID)
	}
	c.here = newPoint(seq)
	return c, nil
}

func newPoint(seq *sequences.Sequence) *point { return &point{seq: seq, sizes: planner.SizesOf(seq)} }

// dynamic reports whether the size of a buffer is known on the device only.
func (p *point) dynamic(id sequences.BufferID) bool { return p.sizes.Class(id) == planner.Dynamic }

// result evaluates one budget.
func (c *checker) result(b *sequences.Budget) Result {
	r := Result{Name: b.Name, Kind: b.Kind, Text: b.Text, Place: placeOf(b.Pos), Pos: b.Pos}
	limit, err := c.here.limit(b)
	if err != nil {
		r.Code, r.Pos = CodeLimit, b.Max.Pos
		r.Fault = fmt.Sprintf("it has no value at the largest parameters: %v", checked.Cause(err))
		return r
	}
	r.Limit = sequences.Bytes(limit)
	used, basis, err := c.need(c.here, b, uint64(c.plan.Pools[b.Scope].Size))
	if err != nil {
		r.Code, r.Fault = CodeNoSize, err.Error()
		if none := new(sizeError); errors.As(err, &none) {
			r.Fault = c.noSize(none)
		}
		return r
	}
	r.Used, r.Basis = sequences.Bytes(used), basis
	c.explain(b, &r)
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
