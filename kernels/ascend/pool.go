package ascend

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// pool implements kernels.Pool. Its fields are guarded by Device.mu.
type pool struct {
	d      *Device
	handle uintptr
	closed bool

	// What is live or being asked for. As long as there is something nobody destroys the
	// pool but Close of the device, which first ends the streams that ask.
	allocs int
	bytes  uint64
}

// poolProps is aclrtMemPoolProps. In a location the id comes first.
type poolProps struct {
	allocType, handleType    uint32
	locationID, locationType uint32
	maxSize                  uint64
	reserved                 [32]byte
}

// The size of the structure in C.
var _ [56]byte = [unsafe.Sizeof(poolProps{})]byte{}

// pinnedMemory is ACL_MEM_ALLOCATION_TYPE_PINNED, which is not the number of
// kernels.PoolPinned.
const pinnedMemory = 0

// NewPool implements kernels.PoolDevice. The memory is on this device and of this
// process.
func (d *Device) NewPool(props kernels.PoolProps) (kernels.Pool, error) {
	if err := d.lib.noPools; err != nil {
		return nil, fmt.Errorf("memory pool: %w", err)
	}
	if err := props.Check(d.ordinal); err != nil {
		return nil, fmt.Errorf("memory pool: %w: %w", kernels.ErrNotSupported, err)
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
	p, l := &pool{d: d}, d.lib
	given := &poolProps{
		allocType:    pinnedMemory,
		handleType:   uint32(props.HandleType),
		locationID:   uint32(props.Location.ID),
		locationType: uint32(props.Location.Type),
		maxSize:      props.MaxSize,
	}
	err := l.check(&l.poolCreate, l.poolCreate.Status(uintptr(unsafe.Pointer(&p.handle)), uintptr(unsafe.Pointer(given))))
	if err != nil {
		return nil, fmt.Errorf("memory pool: %w", err)
	}
	d.pools = append(d.pools, p)
	return p, nil
}

func (p *pool) gone() error { return fmt.Errorf("memory pool: %w", kernels.ErrClosed) }

// use begins a call of the driver that needs no stream; done must follow.
func (p *pool) use() error {
	p.d.mu.Lock()
	err := p.gone()
	if !p.closed {
		err = p.d.enter()
	}
	if err != nil {
		p.d.mu.Unlock()
	}
	return err
}

func (p *pool) done() {
	p.d.leave()
	p.d.mu.Unlock()
}

// TrimTo implements kernels.Pool. The source of the runtime refuses less than what is in
// use and more than the pool can hold, so the driver is asked for neither.
func (p *pool) TrimTo(minBytes uint64) error {
	if err := p.use(); err != nil {
		return err
	}
	defer p.done()
	reserved, err := p.get(kernels.PoolReservedCurrent)
	if err != nil || minBytes >= reserved {
		return err
	}
	used, err := p.get(kernels.PoolUsedCurrent)
	if err != nil {
		return err
	}
	l, keep := p.d.lib, max(minBytes, used)
	if err := l.check(&l.poolTrim, l.poolTrim.Status(p.handle, uintptr(keep))); err != nil {
		return fmt.Errorf("memory pool: trim to %d bytes: %w", keep, err)
	}
	return nil
}

// Destroy implements kernels.Pool. A pool with live memory is ErrInUse. Destroy waits
// for all work that is queued, since no document says that the driver keeps the pool
// for it. If the driver refuses, the pool is lost.
func (p *pool) Destroy() error {
	d := p.d
	if err := p.close(); err != nil {
		return err
	}
	err := d.wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil // closing the device destroys it, once its streams have ended
	}
	if err == nil {
		err = d.enter()
	}
	if err != nil {
		p.closed = false
		return err
	}
	defer d.leave()
	d.pools = slices.DeleteFunc(d.pools, func(o *pool) bool { return o == p })
	return p.destroy()
}

// close closes the pool, so that nothing is queued that uses it, unless there is live
// memory.
func (p *pool) close() error {
	p.d.mu.Lock()
	defer p.d.mu.Unlock()
	switch {
	case p.closed:
		return p.gone()
	case p.allocs > 0:
		return fmt.Errorf("memory pool: %w: %d allocations of %d bytes", kernels.ErrInUse, p.allocs, p.bytes)
	}
	p.closed = true
	return nil
}

// destroy destroys a pool without live memory. Device.mu is held and the context
// current.
func (p *pool) destroy() error {
	p.closed = true
	return p.d.lib.check(&p.d.lib.poolDestroy, p.d.lib.poolDestroy.Status(p.handle))
}
