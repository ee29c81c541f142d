package budget

import (
	"errors"
	"math"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// errSpent ends a search that would take more plans than it may make, or more work.
var errSpent = errors.New("the work is spent")

// tried is what came out of one value.
type tried struct {
	used, limit uint64
	known       bool // these are what a plan has
	fits        bool
}

// search finds the largest value of a change with which one budget holds.
type search struct {
	*checker
	budget *sequences.Budget
	change change
}

// rough tries a value with the estimate of pools. A value without a plan does not fit.
// Only errSpent is returned.
func (s *search) rough(v uint64) (tried, error) {
	t, _, err := s.evaluate(v)
	if err != errSpent {
		err = nil
	}
	return t, err
}

func (s *search) evaluate(v uint64) (tried, *point, error) {
	if s.workLeft <= 0 {
		return tried{}, nil, errSpent
	}
	seq, err := s.change.at(v)
	if err != nil {
		return tried{}, nil, err
	}
	p := newPoint(seq)
	s.workLeft -= int(min(p.sizes.Work()+uint64(len(s.seq.Counts)), math.MaxInt))
	var static uint64
	if packed(s.budget) {
		if static, err = s.estimate(p, s.budget.Scope); err != nil {
			return tried{}, nil, err
		}
	}
	t, err := s.compare(s.budget, p, static)
	return t, p, err
}

// compare compares a budget with a static region of some size.
func (c *checker) compare(b *sequences.Budget, p *point, static uint64) (tried, error) {
	limit, err := p.limit(b)
	if err != nil {
		return tried{}, err
	}
	used, _, err := c.need(p, b, static)
	return tried{used, limit, err == nil, err == nil && used <= limit}, err
}

// exact tries a value with a plan where the budget needs one. Only errSpent is returned.
func (s *search) exact(v uint64) (tried, error) {
	t, p, err := s.evaluate(v)
	if err == errSpent || packed(s.budget) && err == nil && s.left == 0 {
		return tried{}, errSpent
	}
	if err != nil || !packed(s.budget) {
		return t, nil
	}
	t, _, _ = s.planned(s.budget, p)
	return t, nil
}

// planned compares a budget with a plan of its own, which has to be paid for.
func (c *checker) planned(b *sequences.Budget, p *point) (tried, *planner.Plan, error) {
	c.left--
	opts := c.opts.Plan
	opts.Warn, opts.SizesOnly = nil, true
	plan, err := planner.Make(p.seq, opts)
	if err != nil {
		return tried{}, nil, err
	}
	t, err := c.compare(b, p, uint64(plan.Pools[b.Scope].Size))
	return t, plan, err
}

// probes is how many values are tried where the smallest does not fit.
const probes = 16

// guess is the largest value that may fit, and false if none does.
func (s *search) guess() (v uint64, ok bool, err error) {
	low, high := s.change.low, s.change.high
	if low >= high {
		return 0, false, nil
	}
	at, err := s.rough(low)
	if err == nil && !at.fits && s.change.Kind == WayBatch {
		// A limit per event may hold for larger batches only.
		for probe := uint64(1); probe < probes && !at.fits && err == nil; probe++ {
			low = high - 1 - (high-1-s.change.low)/probes*probe
			at, err = s.rough(low)
		}
	}
	if err != nil || !at.fits {
		return 0, false, err
	}
	for high-low > 1 {
		mid := low + (high-low)/2
		at, err := s.rough(mid)
		if err != nil {
			return 0, false, err
		}
		if at.fits {
			low = mid
		} else {
			high = mid
		}
	}
	return low, true, nil
}

// largest starts at a guess and ends with a value that fits while the next one does not, and
// false if none fits. It goes away from the guess in growing steps until it has both, and
// then halves.
func (s *search) largest(guess uint64) (way Way, ok bool, err error) {
	low, high := s.change.low, s.change.high // the largest that fits, if ok; the smallest that does not
	below := false                           // high is a value that was tried
	var best tried                           // at low
	for v, step := guess, uint64(1); ; {
		at, err := s.exact(v)
		switch {
		case err != nil:
			return way, false, err
		case at.fits:
			low, best, ok = v, at, true
		case v == low:
			return way, false, nil
		default:
			high, below = v, true
		}
		switch {
		case ok && high-low == 1:
			if !below && s.change.perEvent { // where nothing is cut any more may be farther on
				if at, err := s.exact(high); err != nil || at.fits {
					return way, false, err
				}
			}
			return s.way(low, best), true, nil
		case ok && below:
			v = low + (high-low)/2
		case ok:
			v = low + min(step, high-low-1)
		default:
			v = high - min(step, high-low)
		}
		step *= 2
	}
}

// way is the change to a value.
func (s *search) way(v uint64, at tried) Way {
	way := s.change.Way
	way.To = v * s.change.unit
	if way.Now != "" {
		way.Formula = expr.Format(s.value(s.change.perEvent, v, sequences.Pos{}))
		if s.change.most {
			way.Formula = "min(" + WrittenNow + ", " + way.Formula + ")"
		}
	}
	way.Used, way.Limit = sequences.Bytes(at.used), sequences.Bytes(at.limit)
	return way
}
