package opencl

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// stream implements kernels.Stream: an in-order command queue. Each command is
// handed to the device at once, as on other back ends.
type stream struct {
	d       *Device
	queue   uintptr // cl_command_queue
	backlog backlog
	value   byte    // of a memset, for the driver to read
	event   uintptr // to wait for, or of a marker, for the driver to read or write
	closed  bool
}

// NewStream implements kernels.Device.
func (d *Device) NewStream() (kernels.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	queue, err := d.newQueue()
	if err != nil {
		return nil, err
	}
	s := &stream{d: d, queue: queue, backlog: backlog{lib: d.lib}}
	d.streams = append(d.streams, s)
	return s, nil
}

// enter keeps memory and kernels of the device until leave.
func (s *stream) enter() error {
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	s.d.mu.RLock()
	if s.d.closed {
		s.d.mu.RUnlock()
		return fmt.Errorf("device: %w", kernels.ErrClosed)
	}
	return nil
}

func (s *stream) leave() { s.d.mu.RUnlock() }

// enqueued takes note of what came of a command and starts it.
func (s *stream) enqueued(c *command, code int32) error {
	if err := s.backlog.enqueued(c, code); err != nil {
		return err
	}
	return s.d.lib.on(clFlush, s.queue)
}

// CopyToDevice implements kernels.Stream.
func (s *stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	return s.transfer(clEnqueueWriteBuffer, dst, src)
}

// CopyToHost implements kernels.Stream.
func (s *stream) CopyToHost(dst []byte, src kernels.Addr) error {
	return s.transfer(clEnqueueReadBuffer, src, dst)
}

func (s *stream) transfer(f function, at kernels.Addr, host []byte) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	mem, offset, err := s.d.locate(at, uint64(len(host)))
	if err != nil || len(host) == 0 {
		return err
	}
	c := s.backlog.next(f, "")
	first := unsafe.SliceData(host)
	c.pin.Pin(first)
	const wait = 0
	return s.enqueued(c, s.d.lib.call9(f, s.queue, mem, wait, offset, uintptr(len(host)),
		uintptr(unsafe.Pointer(first)), 0, 0, uintptr(unsafe.Pointer(&c.event))))
}

// CopyDevice implements kernels.Stream. Ranges that overlap are an error.
func (s *stream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	to, toOffset, err := s.d.locate(dst, size)
	if err != nil {
		return err
	}
	from, fromOffset, err := s.d.locate(src, size)
	if err != nil || size == 0 {
		return err
	}
	c := s.backlog.next(clEnqueueCopyBuffer, "")
	return s.enqueued(c, s.d.lib.call9(c.function, s.queue, from, to, fromOffset, toOffset, uintptr(size),
		0, 0, uintptr(unsafe.Pointer(&c.event))))
}

// Memset implements kernels.Stream.
func (s *stream) Memset(dst kernels.Addr, value byte, size uint64) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	mem, offset, err := s.d.locate(dst, size)
	if err != nil || size == 0 {
		return err
	}
	c := s.backlog.next(clEnqueueFillBuffer, "")
	s.value = value
	return s.enqueued(c, s.d.lib.call9(c.function, s.queue, mem, uintptr(unsafe.Pointer(&s.value)), 1, offset, uintptr(size),
		0, 0, uintptr(unsafe.Pointer(&c.event))))
}

// Synchronize implements kernels.Stream.
func (s *stream) Synchronize() error {
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	return s.backlog.finish(s.queue)
}

// Close implements kernels.Stream. It waits for the work that is queued, as that is
// the last chance to learn of its errors.
func (s *stream) Close() error {
	if s.closed {
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	s.closed = true
	err := s.backlog.finish(s.queue)
	s.backlog.reap(true) // also what the driver could not wait for: then it is beyond repair
	d := s.d
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams = slices.DeleteFunc(d.streams, func(t *stream) bool { return t == s })
	return errors.Join(err, s.backlog.err, d.lib.on(clReleaseCommandQueue, s.queue))
}
