package ascend

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

const (
	// LibraryEnv is the environment variable that names libascendcl where
	// Options.Library does not.
	LibraryEnv = "SEQPLAN_ASCEND_LIBRARY"
	// KernelsEnv is the environment variable that names the file of the kernels
	// where Options name none.
	KernelsEnv = "SEQPLAN_ASCEND_KERNELS"
)

// line is what the driver aligns memory to, and wants the addresses of queued
// copies to be multiples of.
const line = 64

// Options choose the driver and the kernels. The zero value takes both from the
// environment.
type Options struct {
	// Library is the name or path of libascendcl.
	Library string
	// Binary is the compiled device code of kernels/csrc; if it is empty, it is
	// read from BinaryFile.
	Binary     []byte
	BinaryFile string
	// UnalignedAsync queues copies from and to any address. The driver's
	// documentation allows that from CANN 9.0 on; see the package comment.
	UnalignedAsync bool
}

// Device is an Ascend NPU. It implements kernels.PoolDevice.
type Device struct {
	lib       *library
	ordinal   int32
	info      kernels.Info
	unaligned bool // Options.UnalignedAsync

	initialized, chosen bool    // aclInit and aclrtSetDevice succeeded
	context             uintptr // valid until closed

	mu       sync.Mutex // guards what follows; taken after the mutex of a stream or event
	allocs   []allocation
	pinned   []*pinned
	streams  []*stream
	events   []*event
	pools    []*pool
	binaries []binary
	kernels  map[string]*kernel
	closed   bool
}

var _ kernels.PoolDevice = (*Device)(nil)

// Open opens the device with a number that counts from 0. Without the driver, the
// device, or the kernels it is kernels.ErrNotSupported.
func Open(ordinal int, opts Options) (*Device, error) {
	lib, err := load(opts.Library)
	if err != nil {
		return nil, fmt.Errorf("ascend: %w", err)
	}
	image, err := opts.image()
	if err != nil {
		return nil, fmt.Errorf("ascend: %w", err)
	}
	d := &Device{lib: lib, unaligned: opts.UnalignedAsync, kernels: make(map[string]*kernel)}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := d.open(ordinal, image); err != nil {
		return nil, fmt.Errorf("ascend device %d: %w", ordinal, errors.Join(err, d.release()))
	}
	return d, nil
}

func (d *Device) open(ordinal int, image []byte) error {
	l := d.lib
	// Somebody else in this process may have called it before.
	if err := l.check(&l.init, l.init.Status(0)); err != nil {
		var e *Error
		if !errors.As(err, &e) || e.Code != codeRepeatInitialize {
			return err
		}
	}
	d.initialized = true
	var count uint32
	if err := l.check(&l.getDeviceCount, l.getDeviceCount.Status(uintptr(unsafe.Pointer(&count)))); err != nil {
		return err
	}
	if uint64(ordinal) >= uint64(count) { // also if it is negative
		return fmt.Errorf("%w: there are %d Ascend devices", kernels.ErrNotSupported, count)
	}
	d.ordinal = int32(ordinal)
	if err := l.check(&l.setDevice, l.setDevice.Status(uintptr(d.ordinal))); err != nil {
		return err
	}
	d.chosen = true
	var context uintptr
	if err := l.check(&l.createContext, l.createContext.Status(uintptr(unsafe.Pointer(&context)), uintptr(d.ordinal))); err != nil {
		return err
	}
	d.context = context
	memory, err := d.memory()
	if err != nil {
		return err
	}
	d.info = kernels.Info{Backend: "ascend", Name: dl.String(l.getSocName.Call()), Memory: memory, BaseAlign: line}
	return d.loadBinary(image, kernels.Builtins())
}

// memory asks for HBM, and where there is none, for DDR.
func (d *Device) memory() (uint64, error) {
	const ddr, hbm = 0, 1
	l := d.lib
	for _, attribute := range [...]uintptr{hbm, ddr} {
		var free, total uintptr
		err := l.check(&l.getMemInfo, l.getMemInfo.Status(attribute, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total))))
		if err != nil || total != 0 {
			return uint64(total), err
		}
	}
	return 0, nil
}

// Info implements kernels.Device.
func (d *Device) Info() kernels.Info { return d.info }

// enter makes the context current, which belongs to the thread; leave must follow.
// After an error nothing has been done.
func (d *Device) enter() error {
	runtime.LockOSThread()
	err := d.lib.check(&d.lib.setCurrentContext, d.lib.setCurrentContext.Status4(d.context, 0, 0, 0))
	if err != nil {
		runtime.UnlockOSThread()
	}
	return err
}

func (d *Device) leave() { runtime.UnlockOSThread() }

// live counts what was made on the device and not yet given back.
type live struct{ Allocs, HostAllocs, Streams, Events, Pools int }

// Close implements kernels.Device. What is still live is an error, and is given
// back all the same. If the context cannot be made current, nothing has been done
// and Close can be called again.
func (d *Device) Close() error {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return fmt.Errorf("device: %w", kernels.ErrClosed)
	}
	if err := d.enter(); err != nil {
		d.mu.Unlock()
		return err
	}
	defer d.leave()
	d.closed = true
	streams, events := d.streams, d.events
	left := live{len(d.allocs), len(d.pinned), len(streams), len(events), len(d.pools)}
	d.streams, d.events = nil, nil // who closes one at the same time changes no list
	d.mu.Unlock()

	var errs []error
	if left != (live{}) {
		errs = append(errs, fmt.Errorf("device closed too early: %+v still live", left))
	}
	// Streams first: their work uses the rest.
	for _, s := range streams {
		errs = append(errs, s.end())
	}
	for _, e := range events {
		errs = append(errs, e.lockEnd())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return errors.Join(append(errs, d.release())...)
}

// release gives back, last first, what open and the users of the device have
// taken, but for streams and events. The context is current. What the driver fails
// to give back is not tried again.
func (d *Device) release() error {
	l := d.lib
	var errs []error
	call := func(f *function, arg uintptr) { errs = append(errs, l.check(f, f.Status(arg))) }
	for _, p := range d.pinned {
		call(&l.freeHost, p.base)
		p.mem = nil
	}
	for _, a := range d.allocs {
		if a.pool == nil {
			call(&l.free, uintptr(a.addr))
		}
	}
	errs = append(errs, d.releasePools()...)
	for _, b := range d.binaries {
		call(&l.binaryUnload, b.handle)
	}
	d.pinned, d.allocs, d.pools, d.binaries = nil, nil, nil, nil
	if d.context != 0 {
		call(&l.destroyContext, d.context)
	}
	if d.chosen {
		call(&l.resetDevice, uintptr(d.ordinal))
	}
	// aclFinalize of older releases would take the driver from everybody in this
	// process.
	if d.initialized && l.finalizeReference.Valid() {
		call(&l.finalizeReference, 0)
	}
	return errors.Join(errs...)
}
