package audit

import (
	"fmt"

	"github.com/seqplan/seqplan/planner/pack"
)

// Check returns Faults with what is wrong with a result of the problem, or nil.
func Check(p pack.Problem, r pack.Result) error {
	c := &checker{p: p, r: r}
	c.problem()
	if len(c.faults) > 0 {
		return c.faults.sorted() // the other checks rely on a sound problem
	}
	c.status()
	c.bound()
	if len(r.Offsets) > 0 || placed(r.Status) {
		c.placement()
	}
	if len(c.faults) > 0 {
		return c.faults.sorted()
	}
	return nil
}

// placed tells whether a status promises a packing.
func placed(s pack.Status) bool { return s == pack.Feasible || s == pack.Optimal }

type checker struct {
	p      pack.Problem
	r      pack.Result
	owner  []int32 // by buffer: the number of its in-place group, or one of its own
	faults Faults
}

func (c *checker) fault(kind Kind, buffer, other int, format string, args ...any) {
	c.faults = append(c.faults, Fault{Kind: kind, Buffer: buffer, Other: other, Detail: fmt.Sprintf(format, args...)})
}

// placement checks the offsets and the height.
func (c *checker) placement() {
	n := len(c.p.Buffers)
	if len(c.r.Offsets) != n {
		c.fault(Incomplete, -1, -1, "%d offsets for %d buffers", len(c.r.Offsets), n)
		return
	}
	sound := c.offsets()
	c.inPlace()
	c.overlaps(sound)
	c.excluded()
}
