package dynpool

import (
	"errors"
	"fmt"
)

// SplitStats counts what Split did.
type SplitStats struct {
	Runs    int     `json:"runs"`              // calls of the function, failed ones included
	Events  uint64  `json:"events"`            // events that ran
	Splits  int     `json:"splits"`            // times that a range was halved
	Retries int     `json:"retries,omitempty"` // times that a range ran again as it was, after an injected failure
	Unfit   []Unfit `json:"unfit"`             // events that fit no arena even alone
}

// Unfit is an event that was passed through.
type Unfit struct {
	Event uint64 `json:"event"` // its number
	Err   error  `json:"-"`
}

// Add adds the counts of another run.
func (s *SplitStats) Add(t SplitStats) {
	s.Runs += t.Runs
	s.Events += t.Events
	s.Splits += t.Splits
	s.Retries += t.Retries
	s.Unfit = append(s.Unfit, t.Unfit...)
}

// SplitOption changes how Split works.
type SplitOption func(*splitter)

// SplitOn sets which errors a smaller range may avoid. The default is those that
// are ErrExhausted.
func SplitOn(smaller func(error) bool) SplitOption { return func(s *splitter) { s.smaller = smaller } }

// SplitMin sets the smallest range that run may be called for, where a batch size
// has a lower end. A range that cannot be halved without going below is noted, all
// its events, like a single event. The default is 1.
func SplitMin(count uint64) SplitOption { return func(s *splitter) { s.min = max(count, 1) } }

type splitter struct {
	stats   SplitStats
	min     uint64
	run     func(first, count uint64, try int) error
	smaller func(error) bool
}

// maxTries is how often a range runs that fails by injection each time. The rates
// of a FaultPlan need two; only its Choose may never stop.
const maxTries = 100

// Split calls run for the events [0, n). Where run fails with an error that is
// ErrExhausted it halves the range and runs both halves, in order. A single event
// that still fails is noted in the statistics and passed through; but if a
// FaultPlan made it fail, it runs again, as the failure is not its own. So each
// event runs with success exactly once, or is noted. Any other error ends it; the
// statistics then count what ran before.
func Split(n uint64, run func(first, count uint64) error, opts ...SplitOption) (SplitStats, error) {
	s := newSplitter(func(first, count uint64, _ int) error { return run(first, count) }, opts)
	if n == 0 {
		return s.stats, nil
	}
	err := s.split(0, n)
	return s.stats, err
}

func newSplitter(run func(first, count uint64, try int) error, opts []SplitOption) *splitter {
	s := &splitter{run: run, min: 1, smaller: func(err error) bool { return errors.Is(err, ErrExhausted) }}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// split is at most 65 calls deep: each one halves the range.
func (s *splitter) split(first, count uint64) error {
	err := s.tried(first, count)
	switch {
	case err == nil:
		s.stats.Events += count
		return nil
	case !s.smaller(err):
		return err
	case count/2 < s.min:
		for i := range count {
			s.stats.Unfit = append(s.stats.Unfit, Unfit{first + i, err})
		}
		return nil
	}
	s.stats.Splits++
	half := count - count/2
	if err := s.split(first, half); err != nil {
		return err
	}
	return s.split(first+half, count-half)
}

// tried runs a range, again if it cannot be halved and its failure is not its own.
func (s *splitter) tried(first, count uint64) error {
	for try := 0; ; try++ {
		s.stats.Runs++
		err := s.run(first, count, try)
		if err == nil || count/2 >= s.min || !s.smaller(err) || !injected(err) {
			return err
		}
		if try+1 == maxTries {
			// %v: it is no ErrExhausted, else the events would pass for unfit.
			return fmt.Errorf("%w: %d events from %d on failed %d times: %v", ErrFaults, count, first, maxTries, err)
		}
		s.stats.Retries++
	}
}
