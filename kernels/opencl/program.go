package opencl

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/csrc"
)

// kernel implements kernels.Kernel. Setting the arguments of a cl_kernel and
// enqueueing it is one act, which one goroutine at a time may do.
type kernel struct {
	d          *Device
	name       string
	kinds      []kernels.ArgKind
	maxThreads uint64

	mu     sync.Mutex // guards what follows
	handle uintptr
	params [2 * kernels.MaxArgs]uintptr // what the driver copies the arguments from
	global uintptr
	local  uintptr
}

// Name implements kernels.Kernel.
func (k *kernel) Name() string { return k.name }

// Kernel implements kernels.Device.
func (d *Device) Kernel(name string) (kernels.Kernel, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	if k := d.kernels[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%q: %w", name, kernels.ErrNoKernel)
}

// Load compiles kernels of a user, in OpenCL C 1.2, behind the source of the
// built-in ones, whose device functions it may call. Each signature names a kernel
// of the source, with the parameters that the documentation of the package
// describes. Either all become kernels of the device or, with an error, none; the
// error of a build holds the compiler's log. A name that exists is refused.
func (d *Device) Load(source string, signatures ...kernels.Signature) (err error) {
	if err := d.hold(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.letGo()) }()
	return guarded(func() error {
		_, err := d.load(csrc.OpenCL()+ownLines+source, signatures)
		return err
	})
}

// ownLines makes a compiler count the lines of the user's source from 1.
const ownLines = "\n#line 1\n"

func (d *Device) load(source string, signatures []kernels.Signature) (program uintptr, err error) {
	if program, err = d.build(source); err != nil {
		return 0, err
	}
	var made []*kernel
	for _, s := range signatures {
		k, e := d.makeKernel(program, s)
		if e != nil {
			err = fmt.Errorf("kernel %q: %w", s.Name, e)
			break
		}
		made = append(made, k)
	}
	if err == nil {
		err = d.add(program, made)
	}
	if err != nil {
		for _, k := range made {
			err = errors.Join(err, d.lib.release(clReleaseKernel, &k.handle))
		}
		err = errors.Join(err, d.lib.release(clReleaseProgram, &program))
	}
	return program, err
}

// add makes compiled kernels known.
func (d *Device) add(program uintptr, made []*kernel) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return kernels.ErrClosed
	}
	names := make(map[string]bool)
	for _, k := range made {
		if names[k.name] || d.kernels[k.name] != nil {
			return fmt.Errorf("kernel %q exists", k.name)
		}
		names[k.name] = true
	}
	for _, k := range made {
		d.kernels[k.name] = k
	}
	d.programs = append(d.programs, program)
	return nil
}

// build compiles a program.
func (d *Device) build(source string) (uintptr, error) {
	var code int32
	var pin runtime.Pinner
	defer pin.Unpin()
	text := unsafe.SliceData(append([]byte(source), 0))
	pin.Pin(text) // since the driver gets its address in an array
	program := d.lib.create(clCreateProgramWithSource, d.context, 1, uintptr(unsafe.Pointer(&text)), 0, uintptr(unsafe.Pointer(&code)))
	if err := failed(clCreateProgramWithSource, code, ""); err != nil {
		return 0, err
	}
	options := []byte("-cl-std=CL1.2\x00")
	code = d.lib.status(clBuildProgram, program, 1, uintptr(unsafe.Pointer(&d.id)), uintptr(unsafe.Pointer(unsafe.SliceData(options))), 0, 0)
	if code == success {
		return program, nil
	}
	log, err := d.lib.text(clGetProgramBuildInfo, programBuildLog, program, d.id)
	return 0, errors.Join(failed(clBuildProgram, code, log), err, d.lib.on(clReleaseProgram, program))
}

func (d *Device) newKernel(program uintptr, name string) (uintptr, error) {
	var code int32
	text := append([]byte(name), 0)
	handle := d.lib.create(clCreateKernel, program, uintptr(unsafe.Pointer(unsafe.SliceData(text))), uintptr(unsafe.Pointer(&code)))
	return handle, failed(clCreateKernel, code, name)
}

// makeKernel makes a kernel and compares it with its signature, as the driver would
// notice a missing argument only at a launch.
func (d *Device) makeKernel(program uintptr, s kernels.Signature) (*kernel, error) {
	if len(s.Args) > kernels.MaxArgs {
		return nil, fmt.Errorf("%d arguments, at most %d are possible", len(s.Args), kernels.MaxArgs)
	}
	want := uint64(len(s.Args))
	for i, kind := range s.Args {
		switch kind {
		case kernels.Address:
			want++
		case kernels.Integer:
		default:
			return nil, fmt.Errorf("argument %d is of the unknown kind %d", i, kind)
		}
	}
	handle, err := d.newKernel(program, s.Name)
	if err != nil {
		return nil, err
	}
	n, err := d.lib.number(clGetKernelInfo, kernelNumArgs, handle)
	if err == nil && n != want {
		err = fmt.Errorf("has %d parameters, the signature means %d", n, want)
	}
	threads, e := d.lib.number(clGetKernelWorkGroupInfo, kernelWorkGroupSize, handle, d.id)
	if err = errors.Join(err, e); err != nil {
		return nil, errors.Join(err, d.lib.on(clReleaseKernel, handle))
	}
	kinds := append([]kernels.ArgKind(nil), s.Args...)
	return &kernel{d: d, name: s.Name, kinds: kinds, maxThreads: threads, handle: handle}, nil
}

// releaseKernels gives back all kernels and their programs; Device.mu is held.
func (d *Device) releaseKernels() error {
	var err error
	for _, name := range slices.Sorted(maps.Keys(d.kernels)) {
		err = errors.Join(err, d.lib.release(clReleaseKernel, &d.kernels[name].handle))
	}
	for i := range d.programs {
		err = errors.Join(err, d.lib.release(clReleaseProgram, &d.programs[i]))
	}
	d.kernels, d.programs = nil, nil
	return err
}
