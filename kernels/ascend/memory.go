package ascend

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

// allocation is one live piece of device memory, of as many bytes as were asked
// for.
type allocation struct {
	addr kernels.Addr
	size uint64
	pool *pool // that it belongs to; nil: it is from Alloc
}

// Alloc implements kernels.Device.
func (d *Device) Alloc(size uint64) (kernels.Addr, error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	whole, err := d.lines(size)
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, kernels.ErrClosed
	}
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	const hugePagesFirst = 0
	l := d.lib
	var p uintptr
	if err := l.check(&l.malloc, l.malloc.Status(uintptr(unsafe.Pointer(&p)), whole, hugePagesFirst)); err != nil {
		return 0, fmt.Errorf("%d bytes: %w", size, err)
	}
	d.insert(allocation{addr: kernels.Addr(p), size: size})
	return kernels.Addr(p), nil
}

// lines rounds a size up to whole lines, so that no line of a cache is shared with
// other memory.
func (d *Device) lines(size uint64) (uintptr, error) {
	whole, err := checked.AlignUp(size, line)
	if err != nil || d.info.Memory != 0 && whole > d.info.Memory {
		return 0, fmt.Errorf("%w: %d bytes asked for, the device has %d", kernels.ErrOutOfMemory, size, d.info.Memory)
	}
	return uintptr(whole), nil
}

// insert puts memory into the table. Device.mu is held.
func (d *Device) insert(a allocation) {
	i, _ := d.allocation(a.addr)
	d.allocs = slices.Insert(d.allocs, i, a)
}

// owned finds live memory of a pool, or with nil of Alloc, by its address. Device.mu is
// held.
func (d *Device) owned(addr kernels.Addr, by *pool) (int, bool) {
	i, ok := d.allocation(addr)
	return i, ok && d.allocs[i].pool == by
}

// allocation finds what starts at an address, or where it would be in the table.
// Device.mu is held.
func (d *Device) allocation(addr kernels.Addr) (int, bool) {
	return slices.BinarySearchFunc(d.allocs, addr, func(a allocation, addr kernels.Addr) int { return cmp.Compare(a.addr, addr) })
}

// Free implements kernels.Device. It waits for all work that is queued, since the
// driver takes the memory away at once. Freeing twice, or anything that Alloc did
// not return, is ErrBadAddress. If the driver refuses, the memory is lost.
func (d *Device) Free(addr kernels.Addr) error {
	bad := func() error { return fmt.Errorf("free %#x: %w", uint64(addr), kernels.ErrBadAddress) }
	d.mu.Lock()
	_, ok := d.owned(addr, nil)
	d.mu.Unlock()
	if !ok {
		return bad()
	}
	if err := d.wait(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	i, ok := d.owned(addr, nil)
	if !ok || d.closed {
		return bad() // somebody else was faster, or is closing the device, whose streams are no longer known
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	d.allocs = slices.Delete(d.allocs, i, i+1)
	return d.lib.check(&d.lib.free, d.lib.free.Status(uintptr(addr)))
}

// wait waits for the work of all streams. Errors of the work stay with the stream;
// the error here is that nothing could be done.
func (d *Device) wait() error {
	d.mu.Lock()
	streams := slices.Clone(d.streams)
	d.mu.Unlock()
	for _, s := range streams {
		s.mu.Lock()
		err := s.wait()
		s.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// room checks that size bytes at an address lie in one allocation and returns how
// many bytes that has from there.
func (d *Device) room(addr kernels.Addr, size uint64) (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, ok := d.allocation(addr)
	if !ok {
		i--
	}
	if i < 0 || uint64(addr-d.allocs[i].addr) > d.allocs[i].size {
		return 0, fmt.Errorf("%#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	a := d.allocs[i]
	room := a.size - uint64(addr-a.addr)
	if size > room {
		return 0, fmt.Errorf("%d bytes at %#x: %w of %d bytes at %#x", size, uint64(addr), kernels.ErrOutOfBounds, a.size, uint64(a.addr))
	}
	return room, nil
}
