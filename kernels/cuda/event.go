package cuda

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// event implements kernels.Event.
type event struct {
	d       *Device
	handle  uintptr
	closed  bool                    // guarded by Device.mu
	capture atomic.Pointer[capture] // that the last record was part of
}

// disableTiming is CU_EVENT_DISABLE_TIMING, which makes waiting cheaper.
const disableTiming = 2

// NewEvent implements kernels.Device.
func (d *Device) NewEvent() (kernels.Event, error) {
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.done()
	e := &event{d: d}
	if err := d.call(&d.lib.eventCreate, uintptr(unsafe.Pointer(&e.handle)), disableTiming, 0, 0); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = append(d.events, e)
	return e, nil
}

// event returns an event that the stream can use; Device.mu is held.
func (s *Stream) event(e kernels.Event) (*event, error) {
	own, ok := e.(*event)
	if !ok || own.d != s.d || own.closed {
		return nil, fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	return own, nil
}

// Record implements kernels.Stream.
func (s *Stream) Record(e kernels.Event) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	own, err := s.event(e)
	if err != nil {
		return err
	}
	own.capture.Store(s.capturing())
	return s.enqueue(&s.d.lib.eventRecord, own.handle, s.handle, 0, 0)
}

// Wait implements kernels.Stream. A wait for an event that was recorded in a capture
// makes the stream part of the capture.
func (s *Stream) Wait(e kernels.Event) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	own, err := s.event(e)
	if err != nil {
		return err
	}
	c := own.capture.Load()
	joins := c.active() && s.capturing() == nil
	if joins {
		s.capture = c
	}
	err = s.enqueue(&s.d.lib.streamWaitEvent, s.handle, own.handle, 0, 0)
	if err != nil && joins {
		s.capture = nil
	}
	return err
}

// Close implements kernels.Event. Waits that are queued stay good.
func (e *event) Close() error {
	d := e.d
	d.life.RLock()
	defer d.life.RUnlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.closed || d.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.closed = true
	d.events = slices.DeleteFunc(d.events, func(o *event) bool { return o == e })
	return d.call(&d.lib.eventDestroy, e.handle, 0, 0, 0)
}
