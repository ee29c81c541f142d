package ascend

import (
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// The kinds of copies of the driver.
const (
	toDevice   = 1
	toHost     = 2
	withDevice = 3
)

// queues reports whether a copy between two addresses may be left to the queue. If
// not, it has to wait for the stream and then be made at once.
func (d *Device) queues(dst, src uintptr) bool { return d.unaligned || (dst|src)%line == 0 }

// CopyToDevice implements kernels.Stream.
func (s *stream) CopyToDevice(dst kernels.Addr, src []byte) error {
	room, err := s.lockCopy(dst, uint64(len(src)))
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if len(src) == 0 {
		return nil
	}
	l, to, size := s.d.lib, uintptr(dst), uintptr(len(src))
	if from := dl.Address(src); s.d.queues(to, from) && s.d.isPinned(src) {
		return s.enqueue(&l.memcpyAsync, func() int32 {
			return l.memcpyAsync.Status12(to, room, from, size, toDevice, s.handle, 0, 0, 0, 0, 0, 0)
		})
	}
	return s.atOnce(func() int32 {
		return l.memcpy.Status(to, room, uintptr(unsafe.Pointer(unsafe.SliceData(src))), size, toDevice)
	})
}

// CopyToHost implements kernels.Stream.
func (s *stream) CopyToHost(dst []byte, src kernels.Addr) error {
	if _, err := s.lockCopy(src, uint64(len(dst))); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if len(dst) == 0 {
		return nil
	}
	l, from, size := s.d.lib, uintptr(src), uintptr(len(dst))
	if to := dl.Address(dst); s.d.queues(to, from) && s.d.isPinned(dst) {
		return s.enqueue(&l.memcpyAsync, func() int32 {
			return l.memcpyAsync.Status12(to, size, from, size, toHost, s.handle, 0, 0, 0, 0, 0, 0)
		})
	}
	return s.atOnce(func() int32 {
		return l.memcpy.Status(uintptr(unsafe.Pointer(unsafe.SliceData(dst))), size, from, size, toHost)
	})
}

// CopyDevice implements kernels.Stream.
func (s *stream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	room, err := s.lockCopy(dst, size)
	if err != nil {
		return err
	}
	defer s.mu.Unlock()
	if size == 0 {
		return nil
	}
	if _, err := s.d.room(src, size); err != nil {
		return err
	}
	l, to, from := s.d.lib, uintptr(dst), uintptr(src)
	if s.d.queues(to, from) {
		return s.enqueue(&l.memcpyAsync, func() int32 {
			return l.memcpyAsync.Status12(to, room, from, uintptr(size), withDevice, s.handle, 0, 0, 0, 0, 0, 0)
		})
	}
	return s.atOnce(func() int32 {
		return l.memcpy.Status(to, room, from, uintptr(size), withDevice)
	})
}

// lockCopy locks the stream and checks the device's side of a copy, if there is
// anything to copy. It returns how many bytes there are from addr on.
func (s *stream) lockCopy(addr kernels.Addr, size uint64) (room uintptr, err error) {
	if err := s.lock(); err != nil || size == 0 {
		return 0, err
	}
	n, err := s.d.room(addr, size)
	if err != nil {
		s.mu.Unlock()
	}
	return uintptr(n), err
}

// atOnce waits for the work before a copy and makes it; the stream is locked.
func (s *stream) atOnce(call func() int32) error {
	if err := s.wait(); err != nil {
		return err
	}
	if err := s.d.enter(); err != nil {
		return err
	}
	defer s.d.leave()
	return s.d.lib.check(&s.d.lib.memcpy, call())
}
