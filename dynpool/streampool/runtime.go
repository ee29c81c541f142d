package streampool

import (
	"errors"
	"slices"
	"sync"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/checked"
)

// Native says whether pools of the driver are used.
type Native uint8

// The ways to use pools of the driver.
const (
	NativeAuto  Native = iota // where the driver has them
	NativeNever               // the pools of this package
	NativeOnly                // else Create fails
)

// Options choose how a Runtime works. The zero value is fine.
type Options struct {
	Device int32  // the ordinal that the location of a pool must name
	Native Native // whether pools of the driver are used
	Region uint64 // least bytes of a region that a pool takes of the device, rounded up to Quantum; 0: DefaultRegion
}

// DefaultRegion is the least number of bytes that a pool takes of the device at
// once, if it has room for so many: a huge page of CANN, and what CUDA maps at once.
const DefaultRegion = 2 << 20

// Runtime is a device whose streams and events are followed, so that pools know the
// order of the work. It implements kernels.Device.
type Runtime struct {
	dev  kernels.Device
	opts Options

	mu      sync.Mutex // guards what follows, all markers and all pools; taken after that of an event
	done    clock      // work that is known to have finished
	streams []*stream  // by index; nil where the stream was closed
	open    int        // streams
	spare   []*marker  // to use again
	pools   []*Pool
	closed  bool
}

var _ kernels.Device = (*Runtime)(nil)

// New wraps a device.
func New(dev kernels.Device, opts Options) (*Runtime, error) {
	if dev == nil {
		return nil, failure("no device")
	}
	if opts.Native > NativeOnly {
		return nil, failure("native pools: unknown choice %d", opts.Native)
	}
	if opts.Region == 0 {
		opts.Region = DefaultRegion
	}
	var err error
	if opts.Region, err = checked.AlignUp(opts.Region, Quantum); err != nil {
		return nil, failure("least region: %w", err)
	}
	return &Runtime{dev: dev, opts: opts}, nil
}

// Info implements kernels.Device.
func (r *Runtime) Info() kernels.Info { return r.dev.Info() }

// Alloc implements kernels.Device. The memory belongs to no pool.
func (r *Runtime) Alloc(size uint64) (kernels.Addr, error) { return r.dev.Alloc(size) }

// Free implements kernels.Device. It refuses memory of a pool that is in use there.
func (r *Runtime) Free(addr kernels.Addr) error {
	r.mu.Lock()
	owned := slices.ContainsFunc(r.pools, func(p *Pool) bool { return p.holds(addr) })
	r.mu.Unlock()
	if owned {
		return failure("free %#x: %w: it belongs to a stream-ordered pool", uint64(addr), kernels.ErrBadAddress)
	}
	return r.dev.Free(addr)
}

// AllocHost implements kernels.Device.
func (r *Runtime) AllocHost(size uint64) (kernels.HostMemory, error) { return r.dev.AllocHost(size) }

// Kernel implements kernels.Device.
func (r *Runtime) Kernel(name string) (kernels.Kernel, error) { return r.dev.Kernel(name) }

// Detach gives back what the Runtime has made on the device for itself, and leaves
// the device open. Pools that were not destroyed, and streams that were not closed,
// are an error, and nothing is done.
func (r *Runtime) Detach() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.idle(); err != nil {
		return err
	}
	return r.dropSpare()
}

// Close implements kernels.Device: it closes the device. Pools that were not
// destroyed are an error; their memory goes with the device.
func (r *Runtime) Close() error {
	r.mu.Lock()
	errs := []error{r.idle()}
	for _, s := range r.streams {
		if s != nil {
			r.spare = append(r.spare, s.marks...)
			s.marks = nil
		}
	}
	errs = append(errs, r.dropSpare())
	for _, p := range r.pools {
		p.closed = true
	}
	r.pools, r.closed = nil, true
	r.mu.Unlock()
	return errors.Join(append(errs, r.dev.Close())...)
}

// idle is an error if something of the Runtime is still in use.
func (r *Runtime) idle() error {
	open := 0
	for _, s := range r.streams {
		if s != nil {
			open++
		}
	}
	if len(r.pools) == 0 && open == 0 {
		return nil
	}
	return failure("%w: pools not destroyed: %d, streams not closed: %d", kernels.ErrInUse, len(r.pools), open)
}

func (r *Runtime) dropSpare() error {
	var errs []error
	for _, m := range r.spare {
		errs = append(errs, m.raw.Close())
	}
	r.spare = nil
	return errors.Join(errs...)
}
