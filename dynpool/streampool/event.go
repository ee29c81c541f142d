package streampool

import (
	"fmt"
	"sync"

	"github.com/seqplan/seqplan/kernels"
)

// event is an event of the device that is followed. It implements kernels.Event.
type event struct {
	r   *Runtime
	raw kernels.Event

	mu      sync.Mutex // guards what follows, and makes a record or wait and its note one step
	records uint64     // how often it was recorded
	upTo    clock      // what the last record stands for
}

// NewEvent implements kernels.Device.
func (r *Runtime) NewEvent() (kernels.Event, error) {
	raw, err := r.dev.NewEvent()
	if err != nil {
		return nil, err
	}
	return &event{r: r, raw: raw}, nil
}

func (s *stream) event(e kernels.Event) (*event, error) {
	own, ok := e.(*event)
	if !ok || own.r != s.r {
		return nil, fmt.Errorf("event: %w: it is not one of this Runtime", kernels.ErrForeign)
	}
	return own, nil
}

// Record implements kernels.Stream.
func (s *stream) Record(e kernels.Event) error {
	own, err := s.event(e)
	if err != nil {
		return err
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	s.tick++
	own.records++ // even if it fails: what the event stands for then is not known
	own.upTo = own.upTo[:0]
	if err := s.raw.Record(own.raw); err != nil {
		return err
	}
	s.knows(&own.upTo)
	return nil
}

// Wait implements kernels.Stream.
func (s *stream) Wait(e kernels.Event) error {
	own, err := s.event(e)
	if err != nil {
		return err
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	s.tick++
	if err := s.raw.Wait(own.raw); err != nil {
		return err
	}
	s.known.join(own.upTo)
	return nil
}

// Query implements kernels.Event.
func (e *event) Query() (bool, error) { return e.reached(e.raw.Query) }

// Synchronize implements kernels.Event. Pools then are as after the one of a stream.
func (e *event) Synchronize() error {
	if _, err := e.reached(func() (bool, error) { return true, e.raw.Synchronize() }); err != nil {
		return err
	}
	e.r.mu.Lock()
	defer e.r.mu.Unlock()
	return e.r.synchronized()
}

// reached asks the device, and notes the answer if the event was not recorded again
// meanwhile.
func (e *event) reached(ask func() (bool, error)) (bool, error) {
	e.mu.Lock()
	records := e.records
	e.mu.Unlock()
	done, err := ask()
	if !done || err != nil {
		return done, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.records == records {
		e.r.mu.Lock()
		defer e.r.mu.Unlock()
		e.r.done.join(e.upTo)
	}
	return true, nil
}

// Close implements kernels.Event.
func (e *event) Close() error { return e.raw.Close() }
