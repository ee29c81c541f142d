package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// kernel implements kernels.Kernel.
type kernel struct {
	d      *Device
	name   string
	handle uintptr // CUfunction
	args   int
}

// Name implements kernels.Kernel.
func (k *kernel) Name() string { return k.name }

// Kernel implements kernels.Device.
func (d *Device) Kernel(name string) (kernels.Kernel, error) {
	if err := d.use(); err != nil {
		return nil, err
	}
	defer d.done()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if k := d.kernels[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%q: %w", name, kernels.ErrNoKernel)
}

// LoadModule loads kernels: PTX text, a cubin or a fat binary. Each signature names
// one that Kernel finds from then on; every argument of it is 64 bits wide. If the
// image lacks one, or one of that name exists, nothing is loaded. The code stays until
// the device is closed.
func (d *Device) LoadModule(image []byte, signatures ...kernels.Signature) error {
	if len(image) == 0 {
		return errors.New("module: the image is empty")
	}
	for _, s := range signatures {
		if len(s.Args) > kernels.MaxArgs {
			return fmt.Errorf("module: kernel %q has %d arguments, more than %d", s.Name, len(s.Args), kernels.MaxArgs)
		}
	}
	if err := d.use(); err != nil {
		return err
	}
	defer d.done()
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	module, err := d.lib.loadImage(image)
	if err != nil {
		return err
	}
	if err := d.addKernels(module, signatures); err != nil {
		return errors.Join(err, d.lib.call(&d.lib.moduleUnload, module, 0, 0, 0))
	}
	return nil
}

// addKernels makes the kernels of a module known, all or none.
func (d *Device) addKernels(module uintptr, signatures []kernels.Signature) error {
	l := d.lib
	found := make([]*kernel, len(signatures))
	for i, s := range signatures {
		name, err := syscall.ByteSliceFromString(s.Name)
		if err != nil {
			return fmt.Errorf("kernel %q: %w", s.Name, kernels.ErrNoKernel)
		}
		found[i] = &kernel{d: d, name: s.Name, args: len(s.Args)}
		err = l.call(&l.moduleGetFunction, uintptr(unsafe.Pointer(&found[i].handle)), module, uintptr(unsafe.Pointer(&name[0])), 0)
		if err != nil {
			return fmt.Errorf("kernel %q: %w", s.Name, err)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, k := range found {
		if d.kernels[k.name] != nil {
			for _, undo := range found[:i] {
				delete(d.kernels, undo.name)
			}
			return fmt.Errorf("kernel %q exists", k.name)
		}
		d.kernels[k.name] = k
	}
	d.modules = append(d.modules, module)
	return nil
}

// The options of a module load: values of CUjit_option.
const (
	jitErrorLog     = 5
	jitErrorLogSize = 6
)

// loadImage loads an image; the context is current. What the driver has to say about
// a PTX that it refuses goes into the error.
func (l *library) loadImage(image []byte) (uintptr, error) {
	code := terminated(image)
	log := make([]byte, 8<<10)
	options := &[2]uint32{jitErrorLog, jitErrorLogSize}
	values := &[2]uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	// The driver finds the log through values, which the collector does not see.
	var pin runtime.Pinner
	pin.Pin(&log[0])
	defer pin.Unpin()
	module := new(uintptr)
	err := l.check(&l.moduleLoad, l.moduleLoad.Status(
		uintptr(unsafe.Pointer(module)), uintptr(unsafe.Pointer(&code[0])),
		uintptr(len(options)), uintptr(unsafe.Pointer(options)), uintptr(unsafe.Pointer(values))))
	if failed := (*Error)(nil); errors.As(err, &failed) {
		failed.Detail = text(log)
	}
	return *module, err
}

// terminated is an image that, being a text, ends with a NUL.
func terminated(image []byte) []byte { return append(bytes.Clone(image), 0) }

// text is what a C function has written to a buffer.
func text(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(bytes.TrimSpace(b))
}
