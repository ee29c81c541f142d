package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels/checked"
	"github.com/seqplan/seqplan/sequences"
)

// checker checks the numbers and names of a plan that was read, once for all that use it:
// ids are those of things that exist, lifetimes lie in the steps, buffers lie in their pools,
// and sums add up. That no two buffers are in each other's way is not checked: Make does that, which
// knows the sequence.
type checker struct {
	*Plan
	params, counts, buffers map[string]int // by name: the index
}

// bad says what is wrong with a field.
func bad(field, format string, args ...any) error {
	return &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)}
}

// each stops at the first error.
func each[T any](list []T, check func(i int, x *T) error) error {
	for i := range list {
		if err := check(i, &list[i]); err != nil {
			return err
		}
	}
	return nil
}

// check returns the first fault of a plan.
func check(p *Plan) error {
	c := &checker{Plan: p, params: map[string]int{}, counts: map[string]int{}, buffers: map[string]int{}}
	switch {
	case p.Workers < 1:
		return bad("workers", "%d workers", p.Workers)
	case len(p.Steps) == 0:
		return bad("steps", "a plan has at least one")
	}
	for _, pass := range []func() error{
		func() error { return each(p.Params, c.param) },
		c.batch,
		func() error { return each(p.Counts, c.count) },
		func() error { return each(p.Buffers, c.name) },
		c.slots,
		func() error { return each(p.Pools, c.pool) },
		func() error { return each(p.Buffers, c.buffer) },
		func() error { return each(p.Steps, c.step) },
		c.arena,
		func() error { return each(p.Waits, c.wait) },
		func() error { return each(p.Added, c.edge("added")) },
		func() error { return each(p.Counts, c.countAt) },
	} {
		if err := pass(); err != nil {
			return err
		}
	}
	return nil
}

// known adds a name, which must not be there yet.
func known(names map[string]int, name, field string, i int) error {
	if _, twice := names[name]; twice {
		return bad(field, "there is one with this name before it")
	}
	names[name] = i
	return nil
}

func (c *checker) param(i int, p *Param) error {
	if p.Min > p.Max {
		return bad(fmt.Sprintf("params[%d].min", i), "%d is above the max, %d", p.Min, p.Max)
	}
	return known(c.params, p.Name, fmt.Sprintf("params[%d].name", i), i)
}

func (c *checker) batch() error {
	if _, ok := c.params[c.Batch]; c.Batch != "" && !ok {
		return bad("batch", "there is no such parameter")
	}
	return nil
}

func (c *checker) count(i int, n *Count) error {
	return known(c.counts, n.Name, fmt.Sprintf("counts[%d].name", i), i)
}

func (c *checker) countAt(i int, n *Count) error {
	return c.all(fmt.Sprintf("counts[%d].at", i), []string{n.At})
}

// all wants names of buffers.
func (c *checker) all(field string, names []string) error {
	for i, name := range names {
		if _, ok := c.buffers[name]; !ok {
			return bad(fmt.Sprintf("%s[%d]", field, i), "there is no such buffer")
		}
	}
	return nil
}

// has tells whether a step exists.
func (c *checker) has(s sequences.StepID) bool { return 0 <= s && int(s) < len(c.Steps) }

func (c *checker) noStep(field string, s sequences.StepID) error {
	return bad(field, "%d is none of the %d steps", s, len(c.Steps))
}

func (c *checker) step(i int, s *Step) error {
	at := fmt.Sprintf("steps[%d]", i)
	if s.Stream < 0 || s.Stream >= max(1, len(c.Streams)) {
		return bad(at+".stream", "%d is none of the %d streams", s.Stream, max(1, len(c.Streams)))
	}
	for j, from := range s.After {
		field := fmt.Sprintf("%s.after[%d]", at, j)
		switch {
		case !c.has(from) || int(from) == i:
			return c.noStep(field, from)
		case j > 0 && from <= s.After[j-1]:
			return bad(field, "%d is not behind the step before it in the list", from)
		}
	}
	if err := c.all(at+".reads", s.Reads); err != nil {
		return err
	}
	return c.all(at+".writes", s.Writes)
}

func (c *checker) wait(i int, w *Wait) error {
	if !c.has(w.Step) {
		return c.noStep(fmt.Sprintf("waits[%d].step", i), w.Step)
	}
	return c.all(fmt.Sprintf("waits[%d].buffers", i), w.Buffers)
}

func (c *checker) edge(list string) func(int, *AddedEdge) error {
	return func(i int, e *AddedEdge) error {
		switch {
		case !c.has(e.From):
			return c.noStep(fmt.Sprintf("%s[%d].from", list, i), e.From)
		case !c.has(e.To):
			return c.noStep(fmt.Sprintf("%s[%d].to", list, i), e.To)
		}
		return nil
	}
}

func (c *checker) pool(i int, p *Pool) error {
	at := func(field string) string { return fmt.Sprintf("pools[%d].%s", i, field) }
	size, err := checked.Add(uint64(p.Reserved), uint64(p.Height))
	if err == nil {
		size, err = checked.AlignUp(size, uint64(p.Align))
	}
	switch {
	case p.Scope != sequences.Scope(i):
		return bad(at("scope"), "want the %s pool here", sequences.Scope(i))
	case !power(p.Align):
		return bad(at("align"), "%d is no power of two", p.Align)
	case err != nil || sequences.Bytes(size) != p.Size:
		return bad(at("size"), "%d is not what is reserved, %d, and the height, %d, rounded up to %d", p.Size, p.Reserved, p.Height, p.Align)
	case p.LowerBound > p.Height:
		return bad(at("lower_bound"), "%d is above the height, %d", p.LowerBound, p.Height)
	case !c.has(p.PeakStep):
		return c.noStep(at("peak_step"), p.PeakStep)
	case p.Padding > p.Height:
		return bad(at("padding"), "%d is more than the height, %d", p.Padding, p.Height)
	case p.Hints < 0 || p.Hints > len(c.Buffers):
		return bad(at("hints"), "%d hints of %d buffers", p.Hints, len(c.Buffers))
	case p.HintsKept < 0 || p.HintsKept > p.Hints:
		return bad(at("hints_kept"), "%d of %d hints", p.HintsKept, p.Hints)
	case p.Apart < 0:
		return bad(at("apart"), "%d pairs", p.Apart)
	}
	left := p.Height - p.Padding
	for j, a := range p.AtPeak {
		field := at(fmt.Sprintf("at_peak[%d]", j))
		id, ok := c.buffers[a.Name]
		switch {
		case !ok || c.Buffers[id].Class != Static || c.Buffers[id].Scope != p.Scope:
			return bad(field+".name", "there is no such buffer in the pool")
		case a.Bytes > left:
			return bad(field+".bytes", "with those before and the padding there is more than the height, %d", p.Height)
		}
		left -= a.Bytes
	}
	return each(p.Could, c.edge(at("could")))
}

func power(align sequences.Bytes) bool { return align != 0 && align&(align-1) == 0 }

// slots wants each slot to be that of one dynamic buffer.
func (c *checker) slots() error {
	var of []int // by slot
	for i := range c.Buffers {
		if c.Buffers[i].Class == Dynamic {
			of = append(of, c.Buffers[i].Slot)
		}
	}
	if c.Arena.Slots != len(of) {
		return bad("arena.slots", "%d slots for %d dynamic buffers", c.Arena.Slots, len(of))
	}
	if slices.Sort(of); len(slices.Compact(of)) != c.Arena.Slots {
		return bad("buffers", "two buffers have one slot")
	}
	return nil
}

func (c *checker) arena() error {
	if !power(c.Arena.Align) {
		return bad("arena.align", "%d is no power of two", c.Arena.Align)
	}
	return cmp.Or(c.demand("arena.worst", c.Arena.Worst), c.demand("arena.typical", c.Arena.Typical))
}

func (c *checker) demand(at string, d *Demand) error {
	switch {
	case d == nil:
	case !c.has(d.PeakStep):
		return c.noStep(at+".peak_step", d.PeakStep)
	case d.Peak > d.Sum:
		return bad(at+".peak", "%d is more than the sum, %d", d.Peak, d.Sum)
	}
	return nil
}
