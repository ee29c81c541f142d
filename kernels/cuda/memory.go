package cuda

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// Alloc implements kernels.Device.
func (d *Device) Alloc(size uint64) (kernels.Addr, error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	if err := d.use(); err != nil {
		return 0, err
	}
	defer d.done()
	// A driver may take a size near 2^64 for an invalid value.
	if size > d.props.Memory {
		return 0, fmt.Errorf("%w: %d bytes asked for, the device has %d", kernels.ErrOutOfMemory, size, d.props.Memory)
	}
	addr := new(uint64)
	if err := d.call(&d.lib.memAlloc, uintptr(unsafe.Pointer(addr)), uintptr(size), 0, 0); err != nil {
		return 0, fmt.Errorf("%d bytes asked for: %w", size, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.allocs.add(span{from: kernels.Addr(*addr), size: size})
	return kernels.Addr(*addr), nil
}

// Free implements kernels.Device. The driver may or may not wait for work that uses
// the memory, so Free waits for every stream that has work, but for those being
// captured.
func (d *Device) Free(addr kernels.Addr) error {
	if err := d.use(); err != nil {
		return err
	}
	defer d.done()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.allocs.remove(addr) {
		return fmt.Errorf("free %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	if err := d.enter(); err != nil {
		return err // the memory goes with the context
	}
	defer d.leave()
	l := d.lib
	var errs []error
	for _, s := range d.streams {
		if s.busy && s.capturing() == nil {
			err := l.call(&l.streamSynchronize, s.handle, 0, 0, 0)
			s.busy = err != nil
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, l.call(&l.memFree, uintptr(addr), 0, 0, 0))...)
}

// MemoryInfo returns how many bytes of device memory are free, and how many there
// are, counted over all processes.
func (d *Device) MemoryInfo() (free, total uint64, err error) {
	if err := d.use(); err != nil {
		return 0, 0, err
	}
	defer d.done()
	out := new([2]uint64)
	err = d.call(&d.lib.memGetInfo, uintptr(unsafe.Pointer(&out[0])), uintptr(unsafe.Pointer(&out[1])), 0, 0)
	return out[0], out[1], err
}

// pinnedMemory is host memory that the driver has locked.
type pinnedMemory struct {
	d   *Device
	mem []byte // nil once freed; guarded by Device.mu
}

// maxHost is the address space of a process, about: more can only be a mistake.
const maxHost = 1 << 47

// portable is CU_MEMHOSTALLOC_PORTABLE: pinned for every context, so that several
// devices can use the memory.
const portable = 1

// AllocHost implements kernels.Device.
func (d *Device) AllocHost(size uint64) (kernels.HostMemory, error) {
	if size == 0 {
		return nil, kernels.ErrZeroSize
	}
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.done()
	if size > maxHost {
		return nil, fmt.Errorf("%w: %d bytes of host memory asked for", kernels.ErrOutOfMemory, size)
	}
	addr := new(uintptr)
	if err := d.call(&d.lib.memHostAlloc, uintptr(unsafe.Pointer(addr)), uintptr(size), portable, 0); err != nil {
		return nil, fmt.Errorf("%d bytes of host memory asked for: %w", size, err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pinned.add(span{from: kernels.Addr(*addr), size: size})
	return &pinnedMemory{d, dl.Bytes(*addr, int(size))}, nil
}

// Bytes implements kernels.HostMemory. It is nil once the device is closed.
func (p *pinnedMemory) Bytes() []byte {
	if p.d.use() != nil {
		return nil
	}
	defer p.d.done()
	return p.mem
}

// Free implements kernels.HostMemory. Copies that are queued may still name the
// memory; then it is given back once no stream has work left. It does not wait.
func (p *pinnedMemory) Free() error {
	d := p.d
	if err := d.use(); err != nil {
		p.mem = nil
		return err
	}
	defer d.done()
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.mem == nil {
		return fmt.Errorf("host memory: %w", kernels.ErrClosed)
	}
	addr := dl.Address(p.mem)
	p.mem = nil
	d.pinned.remove(kernels.Addr(addr))
	d.freed = append(d.freed, addr)
	return d.drain()
}

// drain gives freed host memory back if no stream has work; mu is held. Of a stream
// that somebody else waits for, by an event, the driver is asked.
func (d *Device) drain() error {
	if len(d.freed) == 0 {
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	l := d.lib
	for _, s := range d.streams {
		if !s.busy {
			continue
		}
		if s.capturing() != nil {
			return nil // the driver would spoil the capture
		}
		switch code := l.streamQuery.Status4(s.handle, 0, 0, 0); code {
		case success:
			s.busy = false
		case notReady:
			return nil
		default:
			return l.check(&l.streamQuery, code)
		}
	}
	var errs []error
	for _, addr := range d.freed {
		errs = append(errs, l.call(&l.memFreeHost, addr, 0, 0, 0))
	}
	d.freed = nil
	return errors.Join(errs...)
}
