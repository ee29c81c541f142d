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

type options struct{ staticpool.Options }

// WithCapacity sets the bytes of the whole device pool: static region and arena.
// Without it and WithArena the arena is empty.
func WithCapacity(bytes uint64) Option { return func(o *options) { o.Capacity = bytes } }

// WithArena sets the bytes of the arena; the device pool is as large as that needs.
// WithCapacity takes precedence.
func WithArena(bytes uint64) Option { return func(o *options) { o.Arena = bytes } }

// WithHostCapacity limits the bytes of the host pool, dynamic host buffers
// included. Without it they grow as they need.
func WithHostCapacity(bytes uint64) Option { return func(o *options) { o.HostCapacity = bytes } }

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
func Open(dev kernels.Device, layout *abi.Layout, opts ...Option) (*Pool, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	pools, err := staticpool.Open(dev, layout, o.Options)
	if err != nil {
		return nil, err
	}
	p := &Pool{Pools: pools}
	if err := p.open(o.HostCapacity); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func (p *Pool) open(hostCapacity uint64) (err error) {
	dev, l := p.Device(), p.Layout()
	if p.program, err = abi.DecodeProgram(l.Program); err != nil {
		return err
	}
	if p.reset, err = dev.Kernel(kernels.Reset); err != nil {
		return err
	}
	if p.step, err = dev.Kernel(kernels.Step); err != nil {
		return err
	}
	if p.landing, err = dev.AllocHost(landingSize(l)); err != nil {
		return fmt.Errorf("status area: %w", err)
	}
	p.hosts = hostArena{pool: p, mem: make([][]byte, len(l.Slots))}
	if hostCapacity != 0 {
		p.hosts.limit = hostCapacity - l.Host.Size // staticpool.Open: not negative
		p.hosts.limited = true
	}
	p.batch = Batch{pool: p, slots: make([]abi.Slot, len(l.Slots))}
	return nil
}

// Close gives the memory back. No batch may be under way. What HostSlot and
// HostBytes returned must not be used any more.
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

// SlotAddr returns the device address of a slot itself, an abi.Slot, for kernels
// that read it.
func (p *Pool) SlotAddr(slot abi.SlotID) kernels.Addr {
	return p.Base() + kernels.Addr(p.Layout().SlotsOffset) + kernels.Addr(slot)*abi.SlotSize
}
