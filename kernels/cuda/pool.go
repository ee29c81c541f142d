package cuda

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// pool implements kernels.Pool.
type pool struct {
	d      *Device
	handle uintptr
	closed bool // guarded by Device.mu

	// allocs and bytes are of live memory. They grow while Device.mu is held for reading,
	// before anybody knows the address, so that Destroy cannot come between.
	allocs atomic.Int64
	bytes  atomic.Uint64
}

func (p *pool) count(allocs int64, bytes uint64) {
	p.allocs.Add(allocs)
	p.bytes.Add(bytes)
}

// poolProps is CUmemPoolProps.
type poolProps struct {
	allocType, handleTypes uint32
	locationType           uint32
	locationID             int32
	security               uintptr // of Windows
	maxSize                uint64
	usage                  uint16
	reserved               [54]byte
}

const (
	// memoryPoolsSupported is a value of CUdevice_attribute.
	memoryPoolsSupported = 115
	// maxSizeSince is the driver that began to read the largest size of a pool. For
	// earlier ones it is a reserved field.
	maxSizeSince = 12020
)

// NewPool implements kernels.PoolDevice. The memory is on this device and of this
// process.
func (d *Device) NewPool(props kernels.PoolProps) (kernels.Pool, error) {
	if err := d.lib.supports(pools); err != nil {
		return nil, err
	}
	if err := d.canPool(props); err != nil {
		return nil, fmt.Errorf("cuda memory pools: %w: %w", kernels.ErrNotSupported, err)
	}
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.done()
	has, err := d.lib.integer(&d.lib.deviceGetAttribute, memoryPoolsSupported, uintptr(d.device))
	if err != nil {
		return nil, err
	}
	if has == 0 {
		return nil, fmt.Errorf("cuda memory pools: %w: device %d has none", kernels.ErrNotSupported, d.props.Ordinal)
	}
	p := &pool{d: d}
	given := &poolProps{
		allocType:    uint32(props.AllocType),
		handleTypes:  uint32(props.HandleType),
		locationType: uint32(props.Location.Type),
		locationID:   props.Location.ID,
		maxSize:      props.MaxSize,
	}
	if err := d.call(&d.lib.poolCreate, uintptr(unsafe.Pointer(&p.handle)), uintptr(unsafe.Pointer(given)), 0, 0); err != nil {
		return nil, fmt.Errorf("memory pool: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pools = append(d.pools, p)
	return p, nil
}

// canPool names a property that a pool cannot have.
func (d *Device) canPool(p kernels.PoolProps) error {
	if p.MaxSize > 0 && d.props.Driver < maxSizeSince {
		return fmt.Errorf("%w: largest size %d, the driver %d takes none", kernels.ErrPoolProps, p.MaxSize, d.props.Driver)
	}
	return p.Check(int32(d.props.Ordinal))
}

// use begins a method that needs the pool in the driver and no stream; done ends it.
func (p *pool) use() error {
	p.d.life.RLock()
	p.d.mu.RLock()
	if p.closed || p.d.closed {
		p.done()
		return p.gone()
	}
	return nil
}

func (p *pool) done() {
	p.d.mu.RUnlock()
	p.d.life.RUnlock()
}

func (p *pool) gone() error { return fmt.Errorf("memory pool: %w", kernels.ErrClosed) }

// TrimTo implements kernels.Pool.
func (p *pool) TrimTo(minBytes uint64) error {
	if err := p.use(); err != nil {
		return err
	}
	defer p.done()
	return p.d.call(&p.d.lib.poolTrim, p.handle, uintptr(minBytes), 0, 0)
}

// Destroy implements kernels.Pool. A pool with live memory is ErrInUse. Memory that was
// freed in a stream that has not come so far is no obstacle: the driver keeps the pool
// for it.
func (p *pool) Destroy() error {
	d := p.d
	d.life.RLock()
	defer d.life.RUnlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.closed || d.closed {
		return p.gone()
	}
	if n := p.allocs.Load(); n > 0 {
		return fmt.Errorf("memory pool: %w: %d allocations of %d bytes", kernels.ErrInUse, n, p.bytes.Load())
	}
	p.closed = true
	d.pools = slices.DeleteFunc(d.pools, func(o *pool) bool { return o == p })
	return d.call(&d.lib.poolDestroy, p.handle, 0, 0, 0)
}
