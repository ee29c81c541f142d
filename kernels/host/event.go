package host

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// event implements kernels.Event. Its fields are guarded by Device.work.
type event struct {
	d      *Device
	stream *stream // where it was recorded last; nil if never
	until  uint64  // operations of that stream that it stands for
	closed bool
}

// NewEvent implements kernels.Device.
func (d *Device) NewEvent() (kernels.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	d.events++
	return &event{d: d}, nil
}

func (s *stream) event(e kernels.Event) (*event, error) {
	own, ok := e.(*event)
	if !ok || own.d != s.d || own.closed {
		return nil, fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	return own, nil
}

// Record implements kernels.Stream.
func (s *stream) Record(e kernels.Event) error {
	s.d.work.Lock()
	defer s.d.work.Unlock()
	own, err := s.event(e)
	if err != nil {
		return err
	}
	if err := s.push(op{kind: opRecord}); err != nil {
		return err
	}
	own.stream, own.until = s, s.queued
	s.d.turn()
	return nil
}

// Wait implements kernels.Stream. An event that was never recorded is no reason
// to wait.
func (s *stream) Wait(e kernels.Event) error {
	s.d.work.Lock()
	defer s.d.work.Unlock()
	own, err := s.event(e)
	if err != nil || own.stream == nil {
		return err
	}
	if err := s.push(op{kind: opWait, stream: own.stream, until: own.until}); err != nil {
		return err
	}
	s.d.turn()
	return nil
}

// Query implements kernels.Event.
func (e *event) Query() (bool, error) {
	e.d.work.Lock()
	defer e.d.work.Unlock()
	if e.closed {
		return false, fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.d.turn()
	return e.stream == nil || e.stream.done >= e.until, nil
}

// Synchronize implements kernels.Event.
func (e *event) Synchronize() error {
	e.d.work.Lock()
	defer e.d.work.Unlock()
	if e.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if e.stream != nil {
		e.stream.reach(e.until)
	}
	return e.d.drop()
}

// Close implements kernels.Event. Waits that are queued stay good.
func (e *event) Close() error {
	e.d.work.Lock()
	defer e.d.work.Unlock()
	if e.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.closed = true
	e.d.mu.Lock()
	e.d.events--
	e.d.mu.Unlock()
	return nil
}
