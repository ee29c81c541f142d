package ascend

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// maxHost is more than any machine has addresses for.
const maxHost = 1 << 48

// pinned is host memory that the device can copy from and to.
type pinned struct {
	d    *Device
	base uintptr
	mem  []byte // nil once freed
}

// AllocHost implements kernels.Device.
func (d *Device) AllocHost(size uint64) (kernels.HostMemory, error) {
	if size == 0 {
		return nil, kernels.ErrZeroSize
	}
	if size > maxHost {
		return nil, fmt.Errorf("%w: %d bytes of host memory asked for", kernels.ErrOutOfMemory, size)
	}
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
	var base uintptr
	if err := l.check(&l.mallocHost, l.mallocHost.Status(uintptr(unsafe.Pointer(&base)), uintptr(size))); err != nil {
		return nil, fmt.Errorf("%d bytes of host memory: %w", size, err)
	}
	p := &pinned{d, base, dl.Bytes(base, int(size))}
	i, _ := d.host(base)
	d.pinned = slices.Insert(d.pinned, i, p)
	return p, nil
}

// host finds the host memory that starts at an address, or where it would be in
// the table. Device.mu is held.
func (d *Device) host(base uintptr) (int, bool) {
	return slices.BinarySearchFunc(d.pinned, base, func(p *pinned, base uintptr) int { return cmp.Compare(p.base, base) })
}

// isPinned reports whether bytes lie in one piece of memory from AllocHost.
func (d *Device) isPinned(b []byte) bool {
	addr := dl.Address(b)
	d.mu.Lock()
	defer d.mu.Unlock()
	i, ok := d.host(addr)
	if !ok {
		i--
	}
	if i < 0 {
		return false
	}
	at := uint64(addr - d.pinned[i].base)
	size := uint64(len(d.pinned[i].mem))
	return at <= size && uint64(len(b)) <= size-at
}

// Bytes implements kernels.HostMemory.
func (p *pinned) Bytes() []byte { return p.mem }

// Free implements kernels.HostMemory. It waits for all work that is queued, which
// may still name the memory. If the driver refuses, the memory is lost.
func (p *pinned) Free() error {
	closed := func() error { return fmt.Errorf("host memory: %w", kernels.ErrClosed) }
	d := p.d
	d.mu.Lock()
	freed := p.mem == nil
	d.mu.Unlock()
	if freed {
		return closed()
	}
	if err := d.wait(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.mem == nil || d.closed {
		return closed() // as in Device.Free
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	i, _ := d.host(p.base)
	d.pinned = slices.Delete(d.pinned, i, i+1)
	p.mem = nil
	return d.lib.check(&d.lib.freeHost, d.lib.freeHost.Status(p.base))
}
