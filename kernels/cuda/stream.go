package cuda

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// Stream implements kernels.Stream. NewStream returns one, for those who want to
// capture graphs.
type Stream struct {
	d       *Device
	handle  uintptr
	closed  bool
	busy    bool     // work was enqueued and is not known to have ended
	keep    [][]byte // Go memory that enqueued copies name
	capture *capture // the last one that the stream was part of

	args   kernels.Args
	params [kernels.MaxArgs]unsafe.Pointer // to args
	addr   uint64                          // that the driver has allocated last
}

// nonBlocking is CU_STREAM_NON_BLOCKING: the default stream of other code in this
// process does not wait for the stream, nor the other way round.
const nonBlocking = 1

// NewStream implements kernels.Device. The stream is a *Stream.
func (d *Device) NewStream() (kernels.Stream, error) {
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.done()
	s := &Stream{d: d}
	if err := d.call(&d.lib.streamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking, 0, 0); err != nil {
		return nil, err
	}
	for i := range s.params {
		s.params[i] = unsafe.Pointer(&s.args[i])
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams = append(d.streams, s)
	return s, nil
}

// begin begins a method that enqueues work; end ends it.
func (s *Stream) begin() error {
	s.d.life.RLock()
	if s.closed || s.d.closed {
		s.d.life.RUnlock()
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	s.d.mu.RLock()
	return nil
}

func (s *Stream) end() {
	s.d.mu.RUnlock()
	s.d.life.RUnlock()
}

// enqueue calls a function that puts work on the stream.
func (s *Stream) enqueue(f *function, a, b, c, e uintptr) error {
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	s.working()
	return s.d.lib.check(f, f.Status4(a, b, c, e))
}

// working notes that the stream has work, or a capture of it has.
func (s *Stream) working() {
	if s.capturing() == nil {
		s.busy = true
	}
}

// CopyToDevice implements kernels.Stream. From memory of AllocHost it is asynchronous.
// From other memory the driver may wait for the stream.
func (s *Stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if len(src) == 0 {
		return nil
	}
	if err := s.d.allocs.check(dst, uint64(len(src))); err != nil {
		return fmt.Errorf("copy to device: %w", err)
	}
	s.hold(src)
	return s.enqueue(&s.d.lib.copyToDevice, uintptr(dst), dl.Address(src), uintptr(len(src)), s.handle)
}

// CopyToHost implements kernels.Stream. To memory of AllocHost it is asynchronous. To
// other memory the driver may wait for the stream.
func (s *Stream) CopyToHost(dst []byte, src kernels.Addr) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if len(dst) == 0 {
		return nil
	}
	if err := s.d.allocs.check(src, uint64(len(dst))); err != nil {
		return fmt.Errorf("copy to host: %w", err)
	}
	s.hold(dst)
	return s.enqueue(&s.d.lib.copyToHost, dl.Address(dst), uintptr(src), uintptr(len(dst)), s.handle)
}

// hold keeps Go memory alive until the stream has been synchronized. The collector
// does not move what is on the heap. Memory of AllocHost needs no help, so that a
// stream that is never synchronized, because others wait for its events, stays small.
func (s *Stream) hold(b []byte) {
	if s.d.pinned.check(kernels.Addr(dl.Address(b)), uint64(len(b))) == nil {
		return
	}
	if c := s.capturing(); c != nil {
		c.hold(b)
	} else {
		s.keep = append(s.keep, b)
	}
}

// CopyDevice implements kernels.Stream. The two places must not overlap.
func (s *Stream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if size == 0 {
		return nil
	}
	if err := errors.Join(s.d.allocs.check(dst, size), s.d.allocs.check(src, size)); err != nil {
		return fmt.Errorf("copy on the device: %w", err)
	}
	return s.enqueue(&s.d.lib.copyDevice, uintptr(dst), uintptr(src), uintptr(size), s.handle)
}

// Memset implements kernels.Stream.
func (s *Stream) Memset(dst kernels.Addr, value byte, size uint64) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if size == 0 {
		return nil
	}
	if err := s.d.allocs.check(dst, size); err != nil {
		return fmt.Errorf("memset: %w", err)
	}
	return s.enqueue(&s.d.lib.memset, uintptr(dst), uintptr(value), uintptr(size), s.handle)
}

// Launch implements kernels.Stream. The addresses among the arguments are not
// checked: a kernel that leaves its memory spoils the context, and every later call
// fails.
func (s *Stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	own, ok := k.(*kernel)
	if !ok || own.d != s.d {
		return fmt.Errorf("launch: kernel: %w", kernels.ErrForeign)
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.end()
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	s.working()
	// The driver copies the arguments before it returns, so one array will do. C
	// reads them through an array of pointers, so both are pinned for the call.
	var pin runtime.Pinner
	pin.Pin(&s.args)
	defer pin.Unpin()
	s.args = args
	params := uintptr(0)
	if own.args > 0 {
		params = uintptr(unsafe.Pointer(&s.params))
	}
	l := s.d.lib
	err := l.check(&l.launchKernel, l.launchKernel.Status12(own.handle,
		uintptr(grid.Blocks), 1, 1, uintptr(grid.Threads), 1, 1,
		0, s.handle, params, 0, 0))
	if err != nil {
		return fmt.Errorf("kernel %s: %w", own.name, err)
	}
	return nil
}

// Synchronize implements kernels.Stream. An error of the work itself stays in the
// context: no later call on the device succeeds.
func (s *Stream) Synchronize() error {
	d := s.d
	d.life.RLock()
	defer d.life.RUnlock()
	if s.closed || d.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	if s.capturing() != nil {
		return errors.New("stream: it is being captured, so there is nothing to wait for")
	}
	if err := d.call(&d.lib.streamSynchronize, s.handle, 0, 0, 0); err != nil {
		return err // what the stream used stays: its work may still run
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s.forget()
	return d.drain()
}

// forget notes that the stream has no work left.
func (s *Stream) forget() {
	s.busy = false
	clear(s.keep)
	s.keep = s.keep[:0]
}

// Close implements kernels.Stream. Work that is still queued runs first; a capture
// that has not ended is dropped.
func (s *Stream) Close() error {
	d := s.d
	d.life.RLock()
	defer d.life.RUnlock()
	if s.closed || d.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	var errs []error
	if c := s.capturing(); c != nil && c.origin == s {
		errs = append(errs, s.dropCapture(c))
	}
	if s.capturing() == nil {
		errs = append(errs, d.call(&d.lib.streamSynchronize, s.handle, 0, 0, 0))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	s.closed = true
	d.streams = slices.DeleteFunc(d.streams, func(o *Stream) bool { return o == s })
	errs = append(errs, d.call(&d.lib.streamDestroy, s.handle, 0, 0, 0))
	s.forget()
	return errors.Join(append(errs, d.drain())...)
}
