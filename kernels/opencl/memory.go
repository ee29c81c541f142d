package opencl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

const (
	firstRange = 1 << 40
	page       = 1 << 16 // ranges start in pages of their own, one page apart at least
)

// allocation is one live piece of device memory.
type allocation struct {
	addr kernels.Addr
	size uint64
	mem  uintptr // cl_mem
}

// Alloc implements kernels.Device. It waits until the device has used the memory, as
// drivers otherwise make an allocation only with the first kernel. Neither one
// piece larger than the driver's limit nor more than the device has in all is given.
func (d *Device) Alloc(size uint64) (_ kernels.Addr, err error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	if err := d.hold(); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.letGo()) }()
	if err := d.claim(size); err != nil {
		return 0, err
	}
	mem, err := d.newBuffer(memReadWrite, size)
	if err != nil {
		d.unclaim(size)
		return 0, err
	}
	addr, err := d.place(mem, size)
	if err != nil {
		d.unclaim(size)
		return 0, errors.Join(err, d.lib.on(clReleaseMemObject, mem))
	}
	return addr, nil
}

// claim counts memory that is about to be allocated.
func (d *Device) claim(size uint64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fits(size); err != nil {
		return err
	}
	if size > d.info.Memory-min(d.used, d.info.Memory) {
		return fmt.Errorf("%w: %d bytes asked for, %d of %d in use", kernels.ErrOutOfMemory, size, d.used, d.info.Memory)
	}
	d.used += size
	return nil
}

func (d *Device) unclaim(size uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used -= size
}

// fits tells whether the driver makes a buffer of a size at all.
func (d *Device) fits(size uint64) error {
	if size > d.maxAlloc {
		return fmt.Errorf("%w: %d bytes asked for, the driver gives at most %d in one piece", kernels.ErrOutOfMemory, size, d.maxAlloc)
	}
	return nil
}

// newBuffer makes a buffer.
func (d *Device) newBuffer(flags uintptr, size uint64) (uintptr, error) {
	var code int32
	mem := d.lib.create(clCreateBuffer, d.context, flags, uintptr(size), 0, uintptr(unsafe.Pointer(&code)))
	return mem, outOfMemory(failed(clCreateBuffer, code, ""))
}

// place makes up the address of a buffer.
func (d *Device) place(mem uintptr, size uint64) (kernels.Addr, error) {
	real, err := d.see(mem)
	if err != nil {
		return 0, outOfMemory(err)
	}
	if real == 0 || real%d.info.BaseAlign != 0 {
		return 0, fmt.Errorf("the driver put a buffer at %#x, which is no multiple of %d", real, d.info.BaseAlign)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, kernels.ErrClosed
	}
	var c checked.Calc
	addr := c.Add(d.next, real%page)
	next := c.AlignUp(c.Add(c.Add(addr, size), page), page)
	if err := c.Err(); err != nil {
		return 0, fmt.Errorf("%w: no addresses left: %w", kernels.ErrOutOfMemory, err)
	}
	d.next = next
	d.allocs = append(d.allocs, allocation{kernels.Addr(addr), size, mem}) // stays sorted: addresses only grow
	return kernels.Addr(addr), nil
}

// outOfMemory marks an error that a driver gives when it has no memory, besides
// other reasons.
func outOfMemory(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Code == outOfResources {
		return fmt.Errorf("%w: %w", kernels.ErrOutOfMemory, err)
	}
	return err
}

// Free implements kernels.Device. Work that is queued may still use the memory;
// the driver gives it back after that. Freeing twice, or anything that Alloc did
// not return, is ErrBadAddress.
func (d *Device) Free(addr kernels.Addr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, ok := d.search(addr)
	if !ok {
		return fmt.Errorf("free %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	a := d.allocs[i]
	d.used -= a.size
	d.allocs = slices.Delete(d.allocs, i, i+1)
	return d.lib.on(clReleaseMemObject, a.mem)
}

func (d *Device) search(addr kernels.Addr) (int, bool) {
	return slices.BinarySearchFunc(d.allocs, addr, func(a allocation, addr kernels.Addr) int { return cmp.Compare(a.addr, addr) })
}

// locate finds the buffer that holds size bytes at an address, and where in it;
// Device.mu is held.
func (d *Device) locate(addr kernels.Addr, size uint64) (mem, offset uintptr, err error) {
	i, ok := d.search(addr)
	if !ok {
		i--
	}
	if i < 0 || uint64(addr-d.allocs[i].addr) > d.allocs[i].size {
		return 0, 0, fmt.Errorf("%#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	a := d.allocs[i]
	at := uint64(addr - a.addr)
	if size > a.size-at {
		return 0, 0, fmt.Errorf("%d bytes at %#x: %w of %d bytes at %#x", size, uint64(addr), kernels.ErrOutOfBounds, a.size, uint64(a.addr))
	}
	return a.mem, uintptr(at), nil
}
