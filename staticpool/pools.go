package staticpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Pools is the memory of one worker on one device.
type Pools struct {
	layout *abi.Layout
	dev    kernels.Device
	whole  kernels.Addr // what Alloc returned
	base   kernels.Addr // aligned
	host   kernels.HostMemory
	arena  struct{ start, capacity uint64 }
}

// Open allocates the pools of a layout and uploads its step program. capacity is
// the number of bytes of the whole device pool, static region and arena; 0 means
// the static region alone. A capacity below the static region is a
// *CapacityError, a layout that contradicts itself an error that wraps ErrLayout.
func Open(dev kernels.Device, layout *abi.Layout, capacity uint64) (_ *Pools, err error) {
	if err := check(layout); err != nil {
		return nil, err
	}
	p := &Pools{layout: layout, dev: dev}
	if capacity == 0 {
		capacity = layout.Device.Size
	}
	if capacity < layout.Device.Size {
		return nil, &CapacityError{Pool: "device", Need: layout.Device.Size, Capacity: capacity}
	}
	p.arena.start, err = checked.AlignUp(layout.Device.Size, layout.ArenaAlign)
	if err != nil {
		return nil, fmt.Errorf("%w: arena: %w", ErrLayout, err)
	}
	if capacity > p.arena.start {
		p.arena.capacity = capacity - p.arena.start
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if err := p.allocate(capacity); err != nil {
		return nil, err
	}
	return p, p.upload()
}

func (p *Pools) allocate(capacity uint64) (err error) {
	slack := uint64(0)
	align := p.layout.Device.Align
	if given := p.dev.Info().BaseAlign; given == 0 || align > given || given%align != 0 {
		slack = align - 1
	}
	size, err := checked.Add(max(capacity, 1), slack)
	if err != nil {
		return err
	}
	if p.whole, err = p.dev.Alloc(size); err != nil {
		return fmt.Errorf("device pool of %d bytes: %w", capacity, err)
	}
	base, err := checked.AlignUp(uint64(p.whole), align)
	if err != nil {
		return err
	}
	p.base = kernels.Addr(base)
	if p.layout.Host.Size == 0 {
		return nil
	}
	if p.host, err = p.dev.AllocHost(p.layout.Host.Size); err != nil {
		return fmt.Errorf("host pool of %d bytes: %w", p.layout.Host.Size, err)
	}
	return nil
}

// upload copies the step program to the device.
func (p *Pools) upload() (err error) {
	s, err := p.dev.NewStream()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	staging, err := p.dev.AllocHost(uint64(len(p.layout.Program)) * abi.WordSize)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, staging.Free()) }()
	abi.PutWords(staging.Bytes(), p.layout.Program)
	control := p.base + kernels.Addr(p.layout.ControlOffset)
	if err := s.Memset(control, 0, abi.ControlSize); err != nil {
		return err
	}
	if err := s.CopyToDevice(p.base+kernels.Addr(p.layout.ProgramOffset), staging.Bytes()); err != nil {
		return err
	}
	return s.Synchronize()
}

// Close gives the memory back. No stream may be using it.
func (p *Pools) Close() error {
	var errs []error
	if p.host != nil {
		errs = append(errs, p.host.Free())
		p.host = nil
	}
	if p.whole != 0 {
		errs = append(errs, p.dev.Free(p.whole))
		p.whole = 0
	}
	return errors.Join(errs...)
}

// Layout returns the layout that the pools were opened with.
func (p *Pools) Layout() *abi.Layout { return p.layout }

// Device returns the device that the pools are on.
func (p *Pools) Device() kernels.Device { return p.dev }

// Base returns the base of the device pool, from which every offset counts.
func (p *Pools) Base() kernels.Addr { return p.base }

// Addr returns the address of a static device buffer.
func (p *Pools) Addr(offset abi.Offset) kernels.Addr { return p.base + kernels.Addr(offset) }

// HostBytes returns size bytes of the host pool. It panics, as a slice expression
// does, if they are not inside; generated offsets and sizes are.
func (p *Pools) HostBytes(offset abi.HostOffset, size uint64) []byte {
	if size == 0 {
		return nil
	}
	return p.host.Bytes()[offset:][:size:size]
}

// ArenaStart returns the offset of the arena in the device pool.
func (p *Pools) ArenaStart() uint64 { return p.arena.start }

// ArenaCapacity returns the size of the arena in bytes.
func (p *Pools) ArenaCapacity() uint64 { return p.arena.capacity }
