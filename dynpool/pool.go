package dynpool

import (
	"errors"
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/staticpool"
)

// Pool is the memory of one worker and its device program. One batch runs at a
// time; a Pool belongs to one goroutine at a time.
type Pool struct {
	*staticpool.Pools
	reset, step kernels.Kernel
	others      map[string]kernels.Kernel // those that few sequences need, by name
	program     *abi.Program
	landing     kernels.HostMemory // see landing.go
	hosts       hostArena
	batch       Batch // the one under way; its buffers are used again
	epoch       uint64
	reuse       bool
	faults      injector
	counters    counters
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
	p := &Pool{Pools: pools, reuse: layout.Reuse, faults: newInjector(o.faults, layout), others: make(map[string]kernels.Kernel)}
	if o.reuse != nil {
		p.reuse = *o.reuse
	}
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
	p.counters.stats = Stats{
		Pools: 1, Capacity: p.ArenaCapacity(),
		DeviceBytes: p.size(), HostBytes: l.Host.Size + landingSize(l),
	}
	return nil
}

// size is that of the device pool in bytes: the arena starts where the static
// region ends.
func (p *Pool) size() uint64 { return p.ArenaStart() + p.ArenaCapacity() }

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
