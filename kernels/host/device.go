package host

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seqplan/seqplan/kernels"
)

// Options choose the device. The zero value is a device without a memory limit.
type Options struct {
	Memory uint64 // bytes of device memory; 0 means what the machine gives

	// Interleave, if there is one, chooses the order in which the streams run, to test
	// a program under many of its legal orders. In each call that queues work, queries
	// an event or waits, the device asks it again and again: ready is how many streams,
	// at least one, have an operation that may run next. The one of them with the
	// returned index, in the order in which they were made, runs one operation. Any
	// other number lets the call return. If that still waits for work, which waiting
	// tells, the operation runs instead that would be next without the function.
	//
	// The function is called by one goroutine at a time. It must not call methods of
	// the device or of its streams and events.
	Interleave func(ready int, waiting bool) int

	// Schedule comes in place of Interleave, and is the same, but is told which streams
	// are ready: their numbers, counted from 0 over all that the device has made. So it
	// can let one run as far as it gets, or hold one back as long as possible. It must not
	// keep ready.
	Schedule func(ready []int, waiting bool) int
}

// Func is a kernel in Go. It runs when its stream is waited for, or when
// Options.Interleave or Options.Schedule says so. An error stops the stream. A Func must not call methods
// of the device or of its streams, and keep no memory beyond its end.
type Func func(mem Memory, grid kernels.Grid, args kernels.Args) error

// Device is a device of the host back end. It implements kernels.Device.
type Device struct {
	opts Options

	mu      sync.Mutex // guards what follows
	allocs  []allocation
	next    kernels.Addr
	used    uint64
	pinned  int
	streams []*stream // in the order in which they were made
	made    int       // streams, also those that were closed
	events  int
	funcs   map[string]*kernel
	closed  bool

	work    sync.Mutex // held by who queues, runs or frees, and taken before mu; guards what follows and all streams and events
	pending int        // operations queued in all streams that have not run
	freed   [][]byte   // host memory to give back when pending is 0
	ready   []*stream  // for interleave, to be used again
	numbers []int      // of them, for Options.Schedule
}

var _ kernels.Device = (*Device)(nil)

// New opens a device.
func New(opts Options) *Device {
	d := &Device{opts: opts, next: firstAddr, funcs: make(map[string]*kernel)}
	for name, f := range builtin() {
		d.funcs[name] = &kernel{d, name, f}
	}
	return d
}

// Info implements kernels.Device.
func (d *Device) Info() kernels.Info {
	return kernels.Info{Backend: "host", Name: "Go", Memory: d.opts.Memory, BaseAlign: baseAlign}
}

// Register adds a kernel written in Go. A name that exists is refused.
func (d *Device) Register(name string, f Func) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f == nil {
		return fmt.Errorf("kernel %q is nil", name)
	}
	if d.funcs[name] != nil {
		return fmt.Errorf("kernel %q exists", name)
	}
	d.funcs[name] = &kernel{d, name, f}
	return nil
}

// kernel implements kernels.Kernel.
type kernel struct {
	d    *Device
	name string
	f    Func
}

// Name implements kernels.Kernel.
func (k *kernel) Name() string { return k.name }

// Kernel implements kernels.Device.
func (d *Device) Kernel(name string) (kernels.Kernel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if k := d.funcs[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%q: %w", name, kernels.ErrNoKernel)
}

// Live counts what was made on the device and not yet given back.
type Live struct{ Allocs, HostAllocs, Streams, Events int }

// Live returns what is not given back yet.
func (d *Device) Live() Live {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.live()
}

func (d *Device) live() Live { return Live{len(d.allocs), d.pinned, len(d.streams), d.events} }

// Close implements kernels.Device. What is still live is an error, and its device
// memory is given back all the same.
func (d *Device) Close() error {
	d.work.Lock()
	defer d.work.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return fmt.Errorf("device: %w", kernels.ErrClosed)
	}
	d.closed = true
	var err error
	if live := d.live(); live != (Live{}) {
		err = fmt.Errorf("device closed too early: %+v still live", live)
	}
	for _, a := range d.allocs {
		err = errors.Join(err, release(a.mem))
	}
	d.allocs = nil
	return err
}
