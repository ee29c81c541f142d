package ascend

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// stream implements kernels.Stream.
type stream struct {
	d *Device

	mu      sync.Mutex // guards what follows
	handle  uintptr
	busy    bool // something was queued since somebody has waited
	closed  bool
	args    kernels.Args // of a launch, which copies them
	addr    uintptr      // of memory that a pool gives
	records uint64       // records of events so far

	waited atomic.Uint64 // records that had been queued when somebody last waited for all work

	errMu sync.Mutex // guards err; nothing else is taken under it
	err   error      // of the work, found while waiting for another reason; until Synchronize reports it
}

// NewStream implements kernels.Device.
func (d *Device) NewStream() (kernels.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	l := d.lib
	var handle uintptr
	if err := l.check(&l.createStream, l.createStream.Status(uintptr(unsafe.Pointer(&handle)))); err != nil {
		return nil, err
	}
	s := &stream{d: d, handle: handle}
	d.streams = append(d.streams, s)
	return s, nil
}

// lock is mu.Lock for a stream that must not be closed.
func (s *stream) lock() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("stream: %w", kernels.ErrClosed)
	}
	return nil
}

// enqueue makes a call that queues work; the stream is locked. After an error it
// is unknown what has been queued.
func (s *stream) enqueue(f *function, call func() int32) error {
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	s.busy = true
	return s.d.lib.check(f, call())
}

// wait waits for the work, if there is any, and keeps its error; the stream is
// locked. The error here is that nothing could be done.
func (s *stream) wait() error {
	if !s.busy {
		return nil
	}
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	s.synchronize()
	return nil
}

// synchronize waits for the work and keeps its error; the stream is locked and the
// context current.
func (s *stream) synchronize() {
	l := s.d.lib
	s.busy = false
	s.keep(l.check(&l.synchronizeStream, l.synchronizeStream.Status4(s.handle, 0, 0, 0)))
	s.waited.Store(s.records)
}

// keep keeps an error of the work, if it is one, for Synchronize.
func (s *stream) keep(err error) {
	if err == nil {
		return
	}
	s.errMu.Lock()
	defer s.errMu.Unlock()
	s.err = errors.Join(s.err, err)
}

// kept returns the error of the work and forgets it.
func (s *stream) kept() error {
	s.errMu.Lock()
	defer s.errMu.Unlock()
	err := s.err
	s.err = nil
	return err
}

// Memset implements kernels.Stream.
func (s *stream) Memset(dst kernels.Addr, value byte, size uint64) error {
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if size == 0 {
		return nil
	}
	room, err := s.d.room(dst, size)
	if err != nil {
		return err
	}
	l := s.d.lib
	return s.enqueue(&l.memsetAsync, func() int32 {
		return l.memsetAsync.Status12(uintptr(dst), uintptr(room), uintptr(value), uintptr(size), s.handle, 0, 0, 0, 0, 0, 0, 0)
	})
}

// Launch implements kernels.Stream. Of the grid only the blocks count: a vector
// core has no threads.
func (s *stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	own, ok := k.(*kernel)
	if !ok || own.d != s.d {
		return fmt.Errorf("launch: kernel: %w", kernels.ErrForeign)
	}
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	s.args = args
	l := s.d.lib
	return s.enqueue(&l.launch, func() int32 {
		return l.launch.Status12(own.function, uintptr(grid.Blocks), s.handle, 0,
			uintptr(unsafe.Pointer(&s.args)), own.argsSize, 0, 0, 0, 0, 0, 0)
	})
}

// Synchronize implements kernels.Stream.
func (s *stream) Synchronize() error {
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	s.synchronize()
	return s.kept()
}

// Close implements kernels.Stream. It waits for the work that is queued, whose
// error is told here. If the context cannot be made current, nothing has been done
// and Close can be called again.
func (s *stream) Close() error {
	if err := s.lock(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	err := s.destroy()
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	if i := slices.Index(s.d.streams, s); i >= 0 {
		s.d.streams = slices.Delete(s.d.streams, i, i+1)
	}
	return err
}

// end closes the stream of a device that is being closed, unless somebody has. The
// context is current.
func (s *stream) end() error {
	if s.lock() != nil {
		return nil
	}
	defer s.mu.Unlock()
	return s.destroy()
}

func (s *stream) destroy() error {
	l := s.d.lib
	if s.busy {
		s.synchronize()
	}
	s.closed = true
	return errors.Join(s.kept(), l.check(&l.destroyStream, l.destroyStream.Status(s.handle)))
}
