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

	mu      sync.Mutex // guards what follows; taken after that of a stream
	handle  uintptr    // 0 once destroyed
	stream  *stream    // where it was recorded last; nil if never
	until   uint64     // records of that stream that it stands for; 0 once they are known to have run
	status  int32      // that the driver tells
	waiting int        // calls of Synchronize that are in the driver
	idle    sync.Cond  // told when none is
	closed  bool
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
	e.idle.L = &e.mu
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
	if err == nil {
		s.records++
		own.stream, own.until = s, s.records
	}
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
	if own.stream == nil {
		return nil
	}
	l := s.d.lib
	return s.enqueue(&l.streamWaitEvent, func() int32 { return l.streamWaitEvent.Status4(s.handle, own.handle, 0, 0) })
}

// ran reports whether the work is known to have run without asking the driver, which
// does not know the streams that are closed. The event is locked.
func (e *event) ran() bool { return e.stream == nil || e.stream.waited.Load() >= e.until }

// Query implements kernels.Event. After work that has failed the driver may never say
// that it is done; it is known to be once somebody has waited.
//
// The documentation warns that the order of aclrtRecordEvent and aclrtQueryEventStatus
// is open if they are called on different threads. Here it is not: both are called with
// the event locked, so one has returned before the other begins, and a query answers for
// the last record that returned. An event without records is not asked about, since
// those of other kinds are then not ready.
func (e *event) Query() (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false, fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if e.ran() {
		return true, nil
	}
	if err := e.d.enter(); err != nil {
		return false, err
	}
	defer e.d.leave()
	const complete = 1
	l := e.d.lib
	e.status = 0
	err := l.check(&l.queryEvent, l.queryEvent.Status4(e.handle, uintptr(unsafe.Pointer(&e.status)), 0, 0))
	if e.ran() {
		return true, nil // the stream was closed meanwhile, and the driver no longer knows it
	}
	if err != nil || e.status != complete {
		return false, err
	}
	e.until = 0
	return true, nil
}

// Synchronize implements kernels.Event. Neither the event nor its stream is locked
// meanwhile; only closing the event waits too. What the driver returns is an error of
// the work, as in stream.synchronize.
func (e *event) Synchronize() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return fmt.Errorf("event: %w", kernels.ErrClosed)
	}
	if e.ran() {
		return nil
	}
	if err := e.d.enter(); err != nil {
		return err
	}
	defer e.d.leave()
	l, s, until := e.d.lib, e.stream, e.until
	e.waiting++
	e.mu.Unlock()
	s.keep(l.check(&l.synchronizeEvent, l.synchronizeEvent.Status4(e.handle, 0, 0, 0)))
	e.mu.Lock()
	e.waiting--
	if e.waiting == 0 {
		e.idle.Broadcast()
	}
	if e.stream == s && e.until == until {
		e.until = 0
	}
	return nil
}

// Close implements kernels.Event. Waits that are queued stay good; those in Synchronize
// are waited for. If the context cannot be made current, nothing has been done and Close
// can be called again.
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
	err := e.end()
	e.d.mu.Lock()
	defer e.d.mu.Unlock()
	if i := slices.Index(e.d.events, e); i >= 0 {
		e.d.events = slices.Delete(e.d.events, i, i+1)
	}
	return err
}

// lockEnd ends the event of a device that is being closed. The context is current.
func (e *event) lockEnd() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.end()
}

// end closes and destroys the event, unless somebody has; it is locked and the context
// current.
func (e *event) end() error {
	e.closed = true
	for e.waiting > 0 {
		e.idle.Wait()
	}
	if e.handle == 0 {
		return nil
	}
	handle := e.handle
	e.handle = 0
	return e.d.lib.check(&e.d.lib.destroyEvent, e.d.lib.destroyEvent.Status(handle))
}
