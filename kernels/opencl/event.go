package opencl

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// event implements kernels.Event.
type event struct {
	d *Device

	mu     sync.Mutex // guards what follows; taken after Device.mu
	handle uintptr    // cl_event of the last marker; 0 if there was none
	status int32      // for the driver to write
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

// with runs f with an event of the stream's device, which stays open meanwhile.
func (s *stream) with(e kernels.Event, f func(*event) error) error {
	own, ok := e.(*event)
	if !ok || own.d != s.d {
		return fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	own.mu.Lock()
	defer own.mu.Unlock()
	if own.closed {
		return fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	return f(own)
}

// Record implements kernels.Stream.
func (s *stream) Record(e kernels.Event) error { return s.with(e, s.record) }

func (s *stream) record(e *event) error {
	l := s.d.lib
	code := l.call4(clEnqueueMarkerWithWaitList, s.queue, 0, 0, uintptr(unsafe.Pointer(&s.event)))
	if code != success {
		return failed(clEnqueueMarkerWithWaitList, code, "")
	}
	err := l.release(clReleaseEvent, &e.handle)
	e.handle = s.event
	// Other queues may only wait for what the driver has been given.
	return errors.Join(err, l.on(clFlush, s.queue))
}

// Wait implements kernels.Stream. An event that was never recorded is no reason to
// wait.
func (s *stream) Wait(e kernels.Event) error { return s.with(e, s.wait) }

func (s *stream) wait(e *event) error {
	if e.handle == 0 {
		return nil
	}
	c := s.backlog.next(clEnqueueBarrierWithWaitList, "")
	s.event = e.handle
	return s.enqueued(c, s.d.lib.call4(c.function, s.queue, 1, uintptr(unsafe.Pointer(&s.event)), uintptr(unsafe.Pointer(&c.event))))
}

// Query implements kernels.Event. Work that has failed is done; its stream tells.
func (e *event) Query() (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false, fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if e.handle == 0 {
		return true, nil
	}
	err := e.d.lib.ask(e.handle, &e.status)
	return err == nil && e.status <= eventComplete, err
}

// Synchronize implements kernels.Event. It waits for the marker that was the last one
// when it was called, and in no way of anybody else.
func (e *event) Synchronize() error {
	marker, err := e.retain()
	if err != nil || marker == nil {
		return err
	}
	l := e.d.lib
	code := l.call4(clWaitForEvents, 1, uintptr(unsafe.Pointer(marker)), 0, 0)
	if code == execStatusError {
		code = success
	}
	err = errors.Join(failed(clWaitForEvents, code, ""), l.release(clReleaseEvent, marker))
	e.d.waits.Put(marker)
	return err
}

// retain keeps the last marker, if there was one.
func (e *event) retain() (*uintptr, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if e.handle == 0 {
		return nil, nil
	}
	if err := e.d.lib.on(clRetainEvent, e.handle); err != nil {
		return nil, err
	}
	marker, _ := e.d.waits.Get().(*uintptr)
	if marker == nil {
		marker = new(uintptr)
	}
	*marker = e.handle
	return marker, nil
}

// Close implements kernels.Event. Waits that are queued stay good.
func (e *event) Close() error {
	e.d.mu.Lock()
	defer e.d.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	e.closed = true
	e.d.events--
	return e.d.lib.release(clReleaseEvent, &e.handle)
}
