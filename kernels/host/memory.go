package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/seqplan/seqplan/kernels"
)

const (
	firstAddr = kernels.Addr(1) << 40
	baseAlign = 4096
	guard     = 1 << 16 // unused addresses behind each allocation
)

// allocation is one live piece of device memory.
type allocation struct {
	addr kernels.Addr
	mem  []byte
}

// Memory is the device memory as kernels see it.
type Memory struct{ d *Device }

// Bytes returns the memory [addr, addr+size), which lies in one allocation.
func (m Memory) Bytes(addr kernels.Addr, size uint64) ([]byte, error) { return m.d.bytes(addr, size) }

// Rest returns the memory from addr to the end of its allocation.
func (m Memory) Rest(addr kernels.Addr) ([]byte, error) {
	m.d.mu.Lock()
	defer m.d.mu.Unlock()
	a, at, err := m.d.find(addr)
	if err != nil {
		return nil, err
	}
	return a.mem[at:], nil
}

// Alloc implements kernels.Device.
func (d *Device) Alloc(size uint64) (kernels.Addr, error) {
	if size == 0 {
		return 0, kernels.ErrZeroSize
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, kernels.ErrClosed
	}
	if d.opts.Memory != 0 && size > d.opts.Memory-min(d.used, d.opts.Memory) {
		return 0, fmt.Errorf("%w: %d bytes asked for, %d of %d in use", kernels.ErrOutOfMemory, size, d.used, d.opts.Memory)
	}
	mem, err := reserve(size)
	if err != nil {
		return 0, fmt.Errorf("%w: %d bytes asked for: %w", kernels.ErrOutOfMemory, size, err)
	}
	addr := d.next
	// Addresses cannot run out: reserve refuses sizes anywhere near 2^64.
	d.next = (addr + kernels.Addr(size) + guard + baseAlign - 1) &^ (baseAlign - 1)
	d.used += size
	d.allocs = append(d.allocs, allocation{addr, mem}) // stays sorted: addresses only grow
	return addr, nil
}

// Free implements kernels.Device. Work that is queued and uses the memory fails;
// freeing twice, or anything that Alloc did not return, is ErrBadAddress.
func (d *Device) Free(addr kernels.Addr) error {
	d.work.Lock() // no kernel may be using the memory
	defer d.work.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	i, ok := slices.BinarySearchFunc(d.allocs, addr, func(a allocation, addr kernels.Addr) int { return cmp.Compare(a.addr, addr) })
	if !ok {
		return fmt.Errorf("free %#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	mem := d.allocs[i].mem
	d.used -= uint64(len(mem))
	d.allocs = slices.Delete(d.allocs, i, i+1)
	return release(mem) // addresses are never used again: a second Free finds nothing
}

// find returns the allocation that holds an address, and where in it.
func (d *Device) find(addr kernels.Addr) (allocation, uint64, error) {
	i, ok := slices.BinarySearchFunc(d.allocs, addr, func(a allocation, addr kernels.Addr) int { return cmp.Compare(a.addr, addr) })
	if !ok {
		i--
	}
	if i < 0 || uint64(addr-d.allocs[i].addr) > uint64(len(d.allocs[i].mem)) {
		return allocation{}, 0, fmt.Errorf("%#x: %w", uint64(addr), kernels.ErrBadAddress)
	}
	return d.allocs[i], uint64(addr - d.allocs[i].addr), nil
}

func (d *Device) bytes(addr kernels.Addr, size uint64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a, at, err := d.find(addr)
	if err != nil {
		return nil, err
	}
	if size > uint64(len(a.mem))-at {
		return nil, fmt.Errorf("%d bytes at %#x: %w of %d bytes at %#x", size, uint64(addr), kernels.ErrOutOfBounds, len(a.mem), uint64(a.addr))
	}
	return a.mem[at : at+size], nil
}

// pinned is host memory that the device can copy from and to.
type pinned struct {
	d   *Device
	mem []byte
}

// AllocHost implements kernels.Device.
func (d *Device) AllocHost(size uint64) (kernels.HostMemory, error) {
	if size == 0 {
		return nil, kernels.ErrZeroSize
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	mem, err := reserve(size)
	if err != nil {
		return nil, fmt.Errorf("%w: %d bytes of host memory asked for: %w", kernels.ErrOutOfMemory, size, err)
	}
	d.pinned++
	return &pinned{d, mem}, nil
}

// Bytes implements kernels.HostMemory.
func (p *pinned) Bytes() []byte { return p.mem }

// Free implements kernels.HostMemory. Copies that are queued may still name the
// memory; then it is given back once no stream has work left.
func (p *pinned) Free() error {
	d := p.d
	d.work.Lock()
	defer d.work.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.mem == nil {
		return fmt.Errorf("host memory: %w", kernels.ErrClosed)
	}
	mem := p.mem
	p.mem = nil
	d.pinned--
	if d.pending > 0 {
		d.freed = append(d.freed, mem)
		return nil
	}
	return release(mem)
}

// drop gives back the host memory that queued copies kept; Device.work is held.
func (d *Device) drop() error {
	if d.pending > 0 || len(d.freed) == 0 {
		return nil
	}
	var err error
	for _, mem := range d.freed {
		err = errors.Join(err, release(mem))
	}
	d.freed = nil
	return err
}
