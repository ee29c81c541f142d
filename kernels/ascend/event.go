package ascend

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// event implements kernels.Event.
type event struct {
	d *Device

	mu       sync.Mutex // guards what follows; taken after that of a stream
	handle   uintptr
	recorded bool
	closed   bool
}

// NewEvent implements kernels.Device.
func (d *Device) NewEvent() (kernels.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	const forStreams = 1 // ACL_EVENT_SYNC
	l := d.lib
	var handle uintptr
	if err := l.check(&l.createEvent, l.createEvent.Status(uintptr(unsafe.Pointer(&handle)), forStreams)); err != nil {
		return nil, err
	}
	e := &event{d: d, handle: handle}
	d.events = append(d.events, e)
	return e, nil
}

// lockBoth locks the stream and the event, which must belong to one device.
func (s *stream) lockBoth(e kernels.Event) (*event, error) {
	own, ok := e.(*event)
	if !ok || own.d != s.d {
		return nil, fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	own.mu.Lock()
	if own.closed {
		own.mu.Unlock()
		s.mu.Unlock()
		return nil, fmt.Errorf("event: %w", kernels.ErrForeign)
	}
	return own, nil
}

// Record implements kernels.Stream.
func (s *stream) Record(e kernels.Event) error {
	own, err := s.lockBoth(e)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	defer own.mu.Unlock()
	l := s.d.lib
	err = s.enqueue(&l.recordEvent, func() int32 { return l.recordEvent.Status4(own.handle, s.handle, 0, 0) })
	own.recorded = own.recorded || err == nil
	return err
}

// Wait implements kernels.Stream. An event that was never recorded is no reason
// to wait.
func (s *stream) Wait(e kernels.Event) error {
	own, err := s.lockBoth(e)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	defer own.mu.Unlock()
	if !own.recorded {
		return nil
	}
	l := s.d.lib
	return s.enqueue(&l.streamWaitEvent, func() int32 { return l.streamWaitEvent.Status4(s.handle, own.handle, 0, 0) })
}

// Close implements kernels.Event. Waits that are queued stay good. If the context
// cannot be made current, nothing has been done and Close can be called again.
func (e *event) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if err := e.d.enter(); err != nil {
		return err
	}
	defer e.d.leave()
	err := e.destroy()
	e.d.mu.Lock()
	defer e.d.mu.Unlock()
	if i := slices.Index(e.d.events, e); i >= 0 {
		e.d.events = slices.Delete(e.d.events, i, i+1)
	}
	return err
}

// end closes the event of a device that is being closed, unless somebody has. The
// context is current.
func (e *event) end() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	return e.destroy()
}

func (e *event) destroy() error {
	e.closed = true
	return e.d.lib.check(&e.d.lib.destroyEvent, e.d.lib.destroyEvent.Status(e.handle))
}
