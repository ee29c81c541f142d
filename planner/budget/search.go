package budget

import (
	"errors"

	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// errSpent ends a search that would take more plans than it may make, or look at more
// sizes.
var errSpent = errors.New("the work is spent")

// change is a family of sequences that differ in one value.
type change struct {
	Way
	low  uint64 // the smallest value that makes sense
	high uint64 // as it is
	unit uint64 // From and To are in units of values
	at   func(v uint64) (*sequences.Sequence, error)
}

// tried is what came out of one value.
type tried struct {
	used, limit uint64
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
	sizes := 1 + len(s.seq.Buffers) + len(s.seq.Counts)
	if s.sizesLeft < sizes {
		return tried{}, nil, errSpent
	}
	s.sizesLeft -= sizes
	seq, err := s.change.at(v)
	if err != nil {
		return tried{}, nil, err
	}
	p, err := newPoint(seq)
	if err != nil {
		return tried{}, nil, err
	}
	var static uint64
	if packed(s.budget) {
		if static, err = s.estimate(p, s.budget.Scope); err != nil {
			return tried{}, nil, err
		}
	}
	t, err := s.compare(p, static)
	return t, p, err
}

func (s *search) compare(p *point, static uint64) (tried, error) {
	limit, err := p.limit(s.budget)
	if err != nil {
		return tried{}, err
	}
	used, _, err := s.need(p, s.budget, static)
	return tried{used, limit, err == nil && used <= limit}, err
}

// exact tries a value with a plan where the budget needs one. Only errSpent is returned.
func (s *search) exact(v uint64) (tried, error) {
	if v == s.change.high {
		return tried{}, nil // known to be over
	}
	t, p, err := s.evaluate(v)
	if err == errSpent || packed(s.budget) && err == nil && s.left == 0 {
		return tried{}, errSpent
	}
	if err != nil || !packed(s.budget) {
		return t, nil
	}
	s.left--
	opts := s.opts.Plan
	opts.Warn, opts.SizesOnly = nil, true
	plan, err := planner.Make(p.seq, opts)
	if err != nil {
		return tried{}, nil
	}
	t, _ = s.compare(p, uint64(plan.Pools[s.budget.Scope].Size))
	return t, nil
}

// guess is the largest value that may fit, and false if none does.
func (s *search) guess() (v uint64, ok bool, err error) {
	low, high := s.change.low, s.change.high
	if low >= high {
		return 0, false, nil
	}
	if at, err := s.rough(low); err != nil || !at.fits {
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

// largest starts at a guess and ends with a value that fits while the next one does not.
func (s *search) largest(guess uint64) (way Way, ok bool, err error) {
	v := guess
	at, err := s.exact(v)
	if err != nil {
		return way, false, err
	}
	low, high := v, s.change.high // fits at low, not at high
	best := at
	if at.fits {
		for step := uint64(1); high-low > 1; step *= 2 {
			v = low + min(step, high-low-1)
			if at, err = s.exact(v); err != nil {
				return way, false, err
			}
			if !at.fits {
				high = v
				break
			}
			low, best = v, at
		}
	} else {
		for step := uint64(1); ; step *= 2 {
			if v == s.change.low {
				return way, false, nil
			}
			high = v
			v -= min(step, v-s.change.low)
			if at, err = s.exact(v); err != nil {
				return way, false, err
			}
			if at.fits {
				low, best = v, at
				break
			}
		}
	}
	for high-low > 1 {
		v = low + (high-low)/2
		if at, err = s.exact(v); err != nil {
			return way, false, err
		}
		if at.fits {
			low, best = v, at
		} else {
			high = v
		}
	}
	way = s.change.Way
	way.From, way.To = s.change.high*s.change.unit, low*s.change.unit
	way.Used, way.Limit = sequences.Bytes(best.used), sequences.Bytes(best.limit)
	return way, true, nil
}
