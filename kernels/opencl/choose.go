package opencl

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/kernels"
)

// Description is a device of this machine.
type Description struct {
	Index    int    // over all platforms, from 0
	Platform string // as the driver reports it
	Name     string // as the driver reports it
	Lacks    string // why the device cannot run the kernels; empty if it can
}

// Devices lists the devices of this machine. An error may come with a list, of the
// devices that could be asked.
func Devices(opts Options) ([]Description, error) {
	l, err := load(opts.Library)
	if err != nil {
		return nil, fmt.Errorf("opencl: %w", err)
	}
	all, err := l.find()
	if err != nil {
		err = fmt.Errorf("opencl: %w", err)
	}
	list := make([]Description, len(all))
	for i, c := range all {
		list[i] = c.Description
		if c.lacks != nil {
			list[i].Lacks = c.lacks.Error()
		}
	}
	return list, err
}

// atomics is the extension with the operations on 64-bit words that the arena needs.
const atomics = "cl_khr_int64_base_atomics"

// candidate is a device that Open may choose.
type candidate struct {
	Description
	id       uintptr
	lacks    error
	memory   uint64 // bytes
	maxAlloc uint64 // bytes of the largest buffer
	align    uint64 // bytes
}

// find lists all devices, starting their drivers.
func (l *library) find() (all []candidate, err error) {
	err = guarded(func() error {
		platforms, err := l.platforms()
		for _, p := range platforms {
			name, nameErr := l.text(clGetPlatformInfo, platformName, p)
			ids, idsErr := l.devices(p)
			err = errors.Join(err, nameErr, idsErr)
			for _, id := range ids {
				c := candidate{Description: Description{Index: len(all), Platform: name}, id: id}
				c.lacks = l.examine(&c)
				all = append(all, c)
			}
		}
		return err
	})
	return all, err
}

// examine reads what the package needs to know of a device. The error says why the
// device is of no use.
func (l *library) examine(c *candidate) (err error) {
	ask := func(key uintptr) uint64 {
		n, e := l.number(clGetDeviceInfo, key, c.id)
		err = errors.Join(err, e)
		return n
	}
	read := func(key uintptr) string {
		text, e := l.text(clGetDeviceInfo, key, c.id)
		err = errors.Join(err, e)
		return text
	}
	c.Name = read(deviceName)
	c.memory, c.maxAlloc = ask(deviceGlobalMemSize), ask(deviceMaxAllocSize)
	// What OpenCL calls the base address alignment is about parts of buffers; a
	// buffer itself is only promised to suit the largest type, of 128 bytes.
	c.align = min(ask(deviceBaseAddrAlign)/8, 128)
	available, compiler := ask(deviceAvailable), ask(deviceCompiler)
	bits, little := ask(deviceAddressBits), ask(deviceEndianLittle)
	version, extensions := read(deviceOpenCLCVersion), read(deviceExtensions)
	switch {
	case err != nil:
		return err
	case available == 0:
		return lacking("it is not available")
	case compiler == 0:
		return lacking("its driver has no compiler")
	case bits != 64:
		return lacking(fmt.Sprintf("its addresses have %d bits, not 64", bits))
	case little == 0:
		return lacking("it is big-endian")
	case !atLeast12(version):
		return lacking(fmt.Sprintf("its language is %q, older than OpenCL C 1.2", version))
	case c.align == 0 || c.align&(c.align-1) != 0:
		return lacking(fmt.Sprintf("its memory is aligned to %d bytes, no power of two", c.align))
	case !slices.Contains(strings.Fields(extensions), atomics):
		return lacking("it has no " + atomics)
	}
	return nil
}

func lacking(why string) error { return fmt.Errorf("%w: %s", kernels.ErrNotSupported, why) }

// atLeast12 reads "OpenCL C 1.2 ...".
func atLeast12(version string) bool {
	var major, minor int
	n, _ := fmt.Sscanf(version, "OpenCL C %d.%d", &major, &minor)
	return n == 2 && (major > 1 || major == 1 && minor >= 2)
}

// choose finds the device that a name means, of those that can be used. The error
// tells of each that the name fits why it cannot.
func choose(all []candidate, name string) (*candidate, error) {
	fits := func(c *candidate) bool {
		return strings.Contains(strings.ToLower(c.Name), strings.ToLower(name))
	}
	if index, err := strconv.ParseUint(name, 10, 31); err == nil {
		fits = func(c *candidate) bool { return uint64(c.Index) == index }
	}
	var why []error
	for i := range all {
		c := &all[i]
		if !fits(c) {
			continue
		}
		if c.lacks == nil {
			return c, nil
		}
		why = append(why, fmt.Errorf("device %d, %s: %w", c.Index, c.Name, c.lacks))
	}
	if why != nil {
		return nil, errors.Join(why...)
	}
	return nil, fmt.Errorf("%w: none of %d OpenCL devices is %q", kernels.ErrNotSupported, len(all), name)
}
