package cuda

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// event implements kernels.Event.
type event struct {
	d       *Device
	handle  uintptr
	closed  bool                    // written under Device.mu and mu, read under either
	capture atomic.Pointer[capture] // that the last record was part of

	// mu guards users. It is not held in calls of the driver, so nobody waits for those
	// who wait for the event.
	mu    sync.Mutex
	users int // calls of Query and Synchronize that are in the driver
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

// use begins a method that needs the event in the driver and no stream; done ends it.
func (e *event) use() error {
	e.d.life.RLock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.d.closed {
		e.d.life.RUnlock()
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.users++
	return nil
}

// done destroys an event that was closed meanwhile, if nobody else uses it.
func (e *event) done() error {
	defer e.d.life.RUnlock()
	e.mu.Lock()
	e.users--
	last := e.closed && e.users == 0
	e.mu.Unlock()
	if !last {
		return nil
	}
	return e.destroy()
}

func (e *event) destroy() error { return e.d.call(&e.d.lib.eventDestroy, e.handle, 0, 0, 0) }

// Query implements kernels.Event. The driver refuses it for an event whose last record
// was part of a capture.
func (e *event) Query() (done bool, err error) {
	if err := e.use(); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, e.done()) }()
	if err := e.d.enter(); err != nil {
		return false, err
	}
	defer e.d.leave()
	l := e.d.lib
	switch code := l.eventQuery.Status4(e.handle, 0, 0, 0); code {
	case success:
		return true, nil
	case notReady:
		return false, nil
	default:
		return false, l.check(&l.eventQuery, code)
	}
}

// Synchronize implements kernels.Event. The driver refuses it for an event whose last
// record was part of a capture.
func (e *event) Synchronize() (err error) {
	if err := e.use(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.done()) }()
	d := e.d
	if err := d.call(&d.lib.eventSynchronize, e.handle, 0, 0, 0); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.drain()
}

// Close implements kernels.Event. Waits that are queued stay good, and so do calls of
// Synchronize: the last of them gives the event back.
func (e *event) Close() error {
	d := e.d
	d.life.RLock()
	defer d.life.RUnlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	e.mu.Lock()
	if e.closed || d.closed {
		e.mu.Unlock()
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.closed = true
	used := e.users > 0
	e.mu.Unlock()
	d.events = slices.DeleteFunc(d.events, func(o *event) bool { return o == e })
	if used {
		return nil
	}
	return e.destroy()
}
