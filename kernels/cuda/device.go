package cuda

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// baseAlign is what the CUDA programming guide promises of every allocation.
const baseAlign = 256

// Options choose how a device is opened. The zero value is fine.
type Options struct {
	// Library is the driver library to load. If empty it is the value of
	// LibraryEnv, else libcuda.so.1.
	Library string
	// Image replaces the built-in kernels: PTX, a cubin or a fat binary that holds
	// all kernels of kernels.Builtins.
	Image []byte
}

// Properties describe a CUDA device.
type Properties struct {
	Ordinal         int
	Name            string
	Memory          uint64 // bytes of device memory
	Major, Minor    int    // compute capability
	Multiprocessors int
	MaxThreads      int // of one block
	Driver          int // version of CUDA that the driver serves: 1000*major + 10*minor
	Library         string
	Graphs          bool // the driver can capture graphs
}

// Device is a CUDA device with its primary context. It implements kernels.PoolDevice.
type Device struct {
	lib     *library
	props   Properties
	context uintptr
	device  int32 // CUdevice

	// life is held for reading by every method while it uses the driver, and for
	// writing by Close. It guards closed, and is taken before mu.
	life   sync.RWMutex
	closed bool

	// mu is held for reading while work is enqueued, so that the memory it names
	// stays allocated until the driver has it. It guards what follows and, together
	// with the one goroutine that a stream belongs to, the streams.
	mu      sync.RWMutex
	allocs  ranges
	pinned  ranges
	freed   []uintptr // host memory to give back when no stream has work
	streams []*Stream
	events  []*event
	graphs  []*Graph
	pools   []*pool
	modules []uintptr
	kernels map[string]*kernel
}

var _ kernels.PoolDevice = (*Device)(nil)

// Count returns the number of CUDA devices.
func Count(opts Options) (int, error) {
	l, err := load(opts.Library)
	if err != nil {
		return 0, err
	}
	return l.count()
}

func (l *library) count() (int, error) {
	n, err := l.integer(&l.deviceGetCount, 0, 0)
	if err != nil {
		return 0, fmt.Errorf("cuda: %w", err)
	}
	return n, nil
}

// integer calls a function that stores an int.
func (l *library) integer(f *function, a, b uintptr) (int, error) {
	out := new(int32)
	err := l.check(f, f.Status4(uintptr(unsafe.Pointer(out)), a, b, 0))
	return int(*out), err
}

// Open opens the device with an ordinal, from 0. A machine without the driver or the
// device is ErrNotSupported.
func Open(ordinal int, opts Options) (*Device, error) {
	l, err := load(opts.Library)
	if err != nil {
		return nil, err
	}
	n, err := l.count()
	if err != nil {
		return nil, err
	}
	if ordinal < 0 || ordinal >= n {
		return nil, fmt.Errorf("cuda: %w: there is no device %d, the driver has %d", kernels.ErrNotSupported, ordinal, n)
	}
	d := &Device{lib: l, kernels: make(map[string]*kernel)}
	if err := d.query(ordinal); err != nil {
		return nil, fmt.Errorf("cuda device %d: %w", ordinal, err)
	}
	context := new(uintptr)
	if err := l.check(&l.primaryCtxRetain, l.primaryCtxRetain.Status4(uintptr(unsafe.Pointer(context)), uintptr(d.device), 0, 0)); err != nil {
		return nil, fmt.Errorf("cuda device %d: %w", ordinal, err)
	}
	d.context = *context
	image := opts.Image
	if image == nil {
		image = csrc.PTX()
	}
	if err := d.LoadModule(image, kernels.Builtins()...); err != nil {
		return nil, errors.Join(fmt.Errorf("cuda device %d: built-in kernels: %w", ordinal, err), d.Close())
	}
	return d, nil
}

// The attributes that are asked for: values of CUdevice_attribute.
const (
	maxThreadsPerBlock  = 1
	multiprocessorCount = 16
	computeMajor        = 75
	computeMinor        = 76
)

// query fills in the properties.
func (d *Device) query(ordinal int) error {
	l := d.lib
	device, err := l.integer(&l.deviceGet, uintptr(ordinal), 0)
	if err != nil {
		return err
	}
	d.device = int32(device)
	d.props = Properties{Ordinal: ordinal, Library: l.path, Graphs: l.supports(graphs) == nil}
	name := make([]byte, 256)
	err = l.check(&l.deviceGetName, l.deviceGetName.Status4(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(device), 0))
	if err != nil {
		return err
	}
	d.props.Name = text(name)
	err = l.check(&l.deviceTotalMem, l.deviceTotalMem.Status4(uintptr(unsafe.Pointer(&d.props.Memory)), uintptr(device), 0, 0))
	if err != nil {
		return err
	}
	if d.props.Driver, err = l.integer(&l.driverGetVersion, 0, 0); err != nil {
		return err
	}
	for _, a := range []struct {
		to   *int
		what uintptr
	}{
		{&d.props.Major, computeMajor},
		{&d.props.Minor, computeMinor},
		{&d.props.Multiprocessors, multiprocessorCount},
		{&d.props.MaxThreads, maxThreadsPerBlock},
	} {
		if *a.to, err = l.integer(&l.deviceGetAttribute, a.what, uintptr(device)); err != nil {
			return err
		}
	}
	return nil
}

// Info implements kernels.Device.
func (d *Device) Info() kernels.Info {
	return kernels.Info{Backend: "cuda", Name: d.props.Name, Memory: d.props.Memory, BaseAlign: baseAlign}
}

// Properties returns what the driver tells about the device.
func (d *Device) Properties() Properties { return d.props }
