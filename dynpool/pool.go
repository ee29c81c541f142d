package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/staticpool"
)

// Option changes how Open works.
type Option func(*options)

type options struct {
	capacity uint64
}

// WithCapacity sets the bytes of the whole device pool: static region and arena.
// Without it the arena is empty.
func WithCapacity(bytes uint64) Option { return func(o *options) { o.capacity = bytes } }

// Pool is the memory of one worker and its device program. One batch runs at a
// time; a Pool belongs to one goroutine at a time.
type Pool struct {
	*staticpool.Pools
	reset, step kernels.Kernel
	program     *abi.Program
	landing     kernels.HostMemory // see landing.go
	hosts       hostArena
	batch       Batch // the one under way; its buffers are used again
	epoch       uint64
}

// Open allocates the pools of a layout on a device. See staticpool.Open for the
// errors of memory and layout.
func Open(dev kernels.Device, layout *abi.Layout, opts ...Option) (_ *Pool, err error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	pools, err := staticpool.Open(dev, layout, o.capacity)
	if err != nil {
		return nil, err
	}
	p := &Pool{Pools: pools}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
		}
	}()
	if p.program, err = abi.DecodeProgram(layout.Program); err != nil {
		return nil, err
	}
	if p.reset, err = dev.Kernel(kernels.Reset); err != nil {
		return nil, err
	}
	if p.step, err = dev.Kernel(kernels.Step); err != nil {
		return nil, err
	}
	if p.landing, err = dev.AllocHost(landingSize(layout)); err != nil {
		return nil, err
	}
	p.hosts = hostArena{pool: p, mem: make([][]byte, len(layout.Slots))}
	p.batch = Batch{pool: p, slots: make([]abi.Slot, len(layout.Slots))}
	return p, nil
}

// Close gives the memory back. No batch may be under way.
func (p *Pool) Close() error {
	if p.batch.running {
		return fmt.Errorf("close: %w", ErrBusy)
	}
	var errs []error
	if p.landing != nil {
		errs = append(errs, p.landing.Free())
		p.landing = nil
	}
	errs = append(errs, p.hosts.close(), p.Pools.Close())
	return errors.Join(errs...)
}

// SlotAddr returns the device address of a slot itself, for kernels that read it.
func (p *Pool) SlotAddr(slot abi.SlotID) kernels.Addr {
	return p.Base() + kernels.Addr(p.Layout().SlotsOffset) + kernels.Addr(slot)*abi.SlotSize
}
