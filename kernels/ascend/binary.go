package ascend

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// BuildCommand makes the kernels of this project with the compiler of CANN, for
// Atlas A2 and A3. For Ascend 950 the architecture is dav-3510.
const BuildCommand = "bisheng -c --cce-aicore-only --npu-arch=dav-2201 seqplan_ascend.asc -o seqplan_ascend.o"

// image returns the compiled kernels.
func (o Options) image() ([]byte, error) {
	if len(o.Binary) > 0 {
		return o.Binary, nil
	}
	name := o.BinaryFile
	if name == "" {
		name = os.Getenv(KernelsEnv)
	}
	if name == "" {
		return nil, fmt.Errorf("%w: no compiled kernels: build them with %q and set %s to the file", kernels.ErrNotSupported, BuildCommand, KernelsEnv)
	}
	image, err := readRegular(name)
	if err != nil {
		return nil, fmt.Errorf("%w: compiled kernels: %w; build them with %q", kernels.ErrNotSupported, err, BuildCommand)
	}
	return image, nil
}

// readRegular reads a file that has an end and is not empty.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	image, err := os.ReadFile(name)
	if err == nil && len(image) == 0 {
		err = fmt.Errorf("%s is empty", name)
	}
	return image, err
}

// binary is code that was loaded into the device.
type binary struct {
	handle uintptr
	image  []byte // nothing says that the driver does not read it later
}

// kernel implements kernels.Kernel.
type kernel struct {
	d        *Device
	name     string
	function uintptr
	argsSize uintptr
}

// Name implements kernels.Kernel.
func (k *kernel) Name() string { return k.name }

// Kernel implements kernels.Device.
func (d *Device) Kernel(name string) (kernels.Kernel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, kernels.ErrClosed
	}
	if k := d.kernels[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%q: %w", name, kernels.ErrNoKernel)
}

// LoadBinary loads compiled device code for vector cores and makes its kernels
// known to Kernel. Each argument of a kernel is 8 bytes wide, an address too. A
// name that exists is refused. After an error none of the kernels is known.
func (d *Device) LoadBinary(image []byte, signatures ...kernels.Signature) error {
	if len(image) == 0 {
		return fmt.Errorf("binary: %w", kernels.ErrZeroSize)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return kernels.ErrClosed
	}
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return d.loadBinary(image, signatures)
}

// loadOption is aclrtBinaryLoadOption; loadOptions is aclrtBinaryLoadOptions.
type (
	loadOption struct {
		kind  int32
		value [4]uint32
	}
	loadOptions struct {
		options *loadOption
		count   uintptr
	}
)

// For optionMagic the value says which cores the code is for.
const (
	optionMagic     = 2
	magicVectorCore = 0x41415246
)

// loadBinary is LoadBinary on a device that nobody else uses, with the context
// current.
func (d *Device) loadBinary(image []byte, signatures []kernels.Signature) error {
	loaded := make(map[string]*kernel)
	for _, s := range signatures {
		if s.Name == "" || strings.ContainsRune(s.Name, 0) {
			return fmt.Errorf("%q is no name of a kernel", s.Name)
		}
		if d.kernels[s.Name] != nil || loaded[s.Name] != nil {
			return fmt.Errorf("kernel %q exists", s.Name)
		}
		if len(s.Args) > kernels.MaxArgs {
			return fmt.Errorf("kernel %q: %d arguments, at most %d are possible", s.Name, len(s.Args), kernels.MaxArgs)
		}
		loaded[s.Name] = &kernel{d: d, name: s.Name, argsSize: uintptr(len(s.Args)) * 8}
	}
	l := d.lib
	b := binary{image: bytes.Clone(image)}
	option := &loadOption{kind: optionMagic, value: [4]uint32{magicVectorCore}}
	err := l.check(&l.binaryLoad, l.binaryLoad.Status(
		uintptr(unsafe.Pointer(unsafe.SliceData(b.image))), uintptr(len(b.image)),
		uintptr(unsafe.Pointer(&loadOptions{option, 1})), uintptr(unsafe.Pointer(&b.handle))))
	if err != nil {
		return fmt.Errorf("kernels: %w", err)
	}
	for _, s := range signatures {
		name := append([]byte(s.Name), 0)
		err := l.check(&l.binaryGetFunction, l.binaryGetFunction.Status(b.handle,
			uintptr(unsafe.Pointer(unsafe.SliceData(name))), uintptr(unsafe.Pointer(&loaded[s.Name].function))))
		if err != nil {
			err = fmt.Errorf("kernel %q: %w", s.Name, err)
			return errors.Join(err, l.check(&l.binaryUnload, l.binaryUnload.Status(b.handle)))
		}
	}
	d.binaries = append(d.binaries, b)
	for name, k := range loaded {
		d.kernels[name] = k
	}
	return nil
}
