package dynpool

import "errors"

// SplitStats counts what Split did.
type SplitStats struct {
	Runs   int     `json:"runs"`   // calls of the function, failed ones included
	Events uint64  `json:"events"` // events that ran
	Splits int     `json:"splits"` // times that a range was halved
	Unfit  []Unfit `json:"unfit"`  // events that fit no arena even alone
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
	s.Unfit = append(s.Unfit, t.Unfit...)
}

// Split calls run for the events [0, n). Where run fails with an error that is
// ErrExhausted it halves the range and runs both halves, in order. A single event
// that still fails is noted in the statistics and passed through. So each event
// runs with success exactly once, or is noted. Any other error ends it.
func Split(n uint64, run func(first, count uint64) error) (SplitStats, error) {
	var s SplitStats
	if n == 0 {
		return s, nil
	}
	return s, s.split(0, n, run)
}

// split is at most 64 calls deep: each one halves the range.
func (s *SplitStats) split(first, count uint64, run func(first, count uint64) error) error {
	s.Runs++
	err := run(first, count)
	switch {
	case err == nil:
		s.Events += count
		return nil
	case !errors.Is(err, ErrExhausted):
		return err
	case count == 1:
		s.Unfit = append(s.Unfit, Unfit{first, err})
		return nil
	}
	s.Splits++
	half := count - count/2
	if err := s.split(first, half, run); err != nil {
		return err
	}
	return s.split(first+half, count-half, run)
}
