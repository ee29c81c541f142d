package staticpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Options choose the sizes of the pools, in bytes. The zero value is the static
// regions alone.
type Options struct {
	Capacity     uint64 // of the whole device pool: static region and arena
	Arena        uint64 // of the arena; used if Capacity is 0
	HostCapacity uint64 // of the host pool with its dynamic buffers; 0: no limit
}

// Pools is the memory of one worker on one device.
type Pools struct {
	layout *abi.Layout
	dev    kernels.Device
	whole  kernels.Addr // what Alloc returned
	base   kernels.Addr // aligned
	host   kernels.HostMemory
	arena  struct{ start, capacity uint64 }
}

// Open allocates the pools of a layout and uploads its step program. A capacity
// below the static region is a *CapacityError, a layout that contradicts itself an
// error that wraps ErrLayout; the others are those of the device.
func Open(dev kernels.Device, layout *abi.Layout, opts Options) (*Pools, error) {
	if err := check(layout); err != nil {
		return nil, err
	}
	p := &Pools{layout: layout, dev: dev}
	capacity, err := p.divide(opts)
	if err != nil {
		return nil, err
	}
	if err = p.allocate(capacity); err == nil {
		err = p.upload()
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// divide finds the size of the device pool and puts the arena behind the static
// region.
func (p *Pools) divide(opts Options) (capacity uint64, err error) {
	l := p.layout
	if opts.HostCapacity != 0 && opts.HostCapacity < l.Host.Size {
		return 0, &CapacityError{Pool: "host", Need: l.Host.Size, Capacity: opts.HostCapacity}
	}
	if p.arena.start, err = checked.AlignUp(l.Device.Size, l.ArenaAlign); err != nil {
		return 0, fmt.Errorf("%w: arena: %w", ErrLayout, err)
	}
	capacity = opts.Capacity
	if capacity == 0 {
		if opts.Arena == 0 {
			return l.Device.Size, nil
		}
		if capacity, err = checked.Add(p.arena.start, opts.Arena); err != nil {
			return 0, fmt.Errorf("arena of %d bytes: %w", opts.Arena, err)
		}
	}
	if capacity < l.Device.Size {
		return 0, &CapacityError{Pool: "device", Need: l.Device.Size, Capacity: capacity}
	}
	if capacity > p.arena.start {
		p.arena.capacity = capacity - p.arena.start
	}
	return capacity, nil
}

func (p *Pools) allocate(capacity uint64) (err error) {
	slack := uint64(0)
	align := p.layout.Device.Align
	// Alignments are powers of two, but what a driver tells is not ours to trust.
	if given := p.dev.Info().BaseAlign; given == 0 || given%align != 0 {
		slack = align - 1
	}
	size, err := checked.Add(capacity, slack)
	if err != nil {
		return fmt.Errorf("device pool of %d bytes: %w", capacity, err)
	}
	if p.whole, err = p.dev.Alloc(size); err != nil {
		return fmt.Errorf("device pool of %d bytes: %w", capacity, err)
	}
	base, err := checked.AlignUp(uint64(p.whole), align)
	if err != nil {
		return fmt.Errorf("device pool at %#x: %w", uint64(p.whole), err)
	}
	p.base = kernels.Addr(base)
	if p.layout.Host.Size == 0 {
		return nil
	}
	if p.host, err = kernels.AllocHostAligned(p.dev, p.layout.Host.Size, p.layout.Host.Align); err != nil {
		return fmt.Errorf("host pool of %d bytes: %w", p.layout.Host.Size, err)
	}
	return nil
}

// upload copies the step program to the device and clears the control block: the
// high-water mark starts at 0.
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

// Addr returns the address of a static device buffer: one addition. The layout was
// checked, so that nothing has to be checked here.
func (p *Pools) Addr(offset abi.Offset) kernels.Addr { return p.base + kernels.Addr(offset) }

// HostBytes returns size bytes of the host pool, or nil if they are not inside,
// which generated offsets and sizes are, or if the pools are closed.
func (p *Pools) HostBytes(offset abi.HostOffset, size uint64) []byte {
	if p.host == nil {
		return nil
	}
	b := p.host.Bytes()
	if n := uint64(len(b)); uint64(offset) > n || size > n-uint64(offset) {
		return nil
	}
	return b[offset:][:size:size]
}

// ArenaStart returns the offset of the arena in the device pool.
func (p *Pools) ArenaStart() uint64 { return p.arena.start }

// ArenaCapacity returns the size of the arena in bytes.
func (p *Pools) ArenaCapacity() uint64 { return p.arena.capacity }
