package opencl

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// Options choose the driver. The zero value takes that of the system.
type Options struct {
	// Library is the name or path of the OpenCL library. If it is empty, the
	// environment variable named by LibraryEnv tells, else it is libOpenCL.so.1.
	Library string
}

// Device is an OpenCL device. It implements kernels.Device.
type Device struct {
	lib      *library
	info     kernels.Info
	maxAlloc uint64 // bytes
	id       uintptr
	context  uintptr
	queue    uintptr // of the device itself: to map host memory and to probe
	probe    probe
	waits    sync.Pool // of *uintptr, events for the driver to read

	// mu guards what follows. Enqueueing holds it for reading, so that no memory and
	// no kernel goes away between being looked up and being used.
	mu       sync.RWMutex
	allocs   []allocation
	next     uint64 // where the next range of addresses may start
	used     uint64 // bytes allocated, or being so
	hosts    int    // pieces of host memory
	streams  []*stream
	events   int
	programs []uintptr
	kernels  map[string]*kernel
	held     int // who needs the driver: the device, until it is closed, and calls and host memory
	closed   bool
}

var _ kernels.Device = (*Device)(nil)

// Open opens a device and compiles the built-in kernels, which may take seconds if
// the driver has not cached them. An empty name is the first device that can be
// used, a number is the index of a device in Devices, and anything else is part of
// the name of a device, in any case of letters.
func Open(name string, opts Options) (*Device, error) {
	l, err := load(opts.Library)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w", err)
	}
	all, listErr := l.find()
	c, err := choose(all, name)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w", errors.Join(listErr, err))
	}
	d := &Device{
		lib:      l,
		info:     kernels.Info{Backend: "opencl", Name: c.Name, Memory: c.memory, BaseAlign: c.align},
		maxAlloc: c.maxAlloc, id: c.id, next: firstRange, held: 1, kernels: make(map[string]*kernel),
	}
	// The driver may start its compiler only now.
	if err := guarded(d.start); err != nil {
		return nil, fmt.Errorf("opencl device %d, %s: %w", c.Index, c.Name, errors.Join(err, d.Close()))
	}
	return d, nil
}

func (d *Device) start() (err error) {
	var code int32
	id := d.id
	context := d.lib.create(clCreateContext, 0, 1, uintptr(unsafe.Pointer(&id)), 0, 0, uintptr(unsafe.Pointer(&code)))
	if err := failed(clCreateContext, code, ""); err != nil {
		return err
	}
	d.context = context
	if d.queue, err = d.newQueue(); err != nil {
		return err
	}
	program, err := d.load(csrc.OpenCL()+probeSource, kernels.Builtins())
	if err != nil {
		return err
	}
	return d.startProbe(program)
}

// newQueue makes a command queue, which keeps the order of its commands.
func (d *Device) newQueue() (uintptr, error) {
	var code int32
	queue := d.lib.create(clCreateCommandQueue, d.context, d.id, 0, uintptr(unsafe.Pointer(&code)))
	return queue, failed(clCreateCommandQueue, code, "")
}

// Info implements kernels.Device.
func (d *Device) Info() kernels.Info { return d.info }

// Live counts what was made on the device and not yet given back.
type Live struct{ Allocs, HostAllocs, Streams, Events int }

// Live returns what is not given back yet.
func (d *Device) Live() Live {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.live()
}

func (d *Device) live() Live { return Live{len(d.allocs), d.hosts, len(d.streams), d.events} }

// Close implements kernels.Device. What is still live is an error, and its device
// memory is given back all the same. Streams, events and host memory can be closed
// afterwards, and hold on to the driver until then.
func (d *Device) Close() error {
	err := d.shut()
	if errors.Is(err, kernels.ErrClosed) {
		return err
	}
	return errors.Join(err, d.letGo())
}

func (d *Device) shut() error {
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
		d.used -= a.size
		err = errors.Join(err, d.lib.on(clReleaseMemObject, a.mem))
	}
	d.allocs = nil
	return err
}

// hold keeps the driver until letGo, also if the device is closed meanwhile.
func (d *Device) hold() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return kernels.ErrClosed
	}
	d.held++
	return nil
}

// letGo ends a hold. The last one gives back what belongs to the device itself.
func (d *Device) letGo() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.held--; d.held > 0 {
		return nil
	}
	return errors.Join(
		d.releaseKernels(), d.stopProbe(),
		d.lib.release(clReleaseCommandQueue, &d.queue),
		d.lib.release(clReleaseContext, &d.context))
}
