package opencl

import (
	"errors"
	"sync"
	"unsafe"
)

// probe asks the device where it sees a buffer. That is what makes the driver
// allocate the buffer really, and what the low bits of an address are taken from.
type probe struct {
	mu      sync.Mutex // guards what follows: one buffer at a time
	kernel  uintptr
	result  uintptr // buffer for one address
	address uint64
}

const probeSource = `
__kernel void seqplan_probe(__global uchar *buffer, __global ulong *address) { *address = (ulong)buffer; }
`

func (d *Device) startProbe(program uintptr) (err error) {
	p := &d.probe
	if p.kernel, err = d.newKernel(program, "seqplan_probe"); err != nil {
		return err
	}
	p.result, err = d.newBuffer(memReadWrite, 8)
	return err
}

func (d *Device) stopProbe() error {
	p := &d.probe
	return errors.Join(
		d.lib.release(clReleaseMemObject, &p.result),
		d.lib.release(clReleaseKernel, &p.kernel))
}

// see returns the address at which the device sees a buffer.
func (d *Device) see(buffer uintptr) (uint64, error) {
	p := &d.probe
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, arg := range [...]uintptr{buffer, p.result} {
		if err := d.lib.do(clSetKernelArg, p.kernel, uintptr(i), 8, uintptr(unsafe.Pointer(&arg))); err != nil {
			return 0, err
		}
	}
	one := uintptr(1)
	err := d.lib.do(clEnqueueNDRangeKernel, d.queue, p.kernel, 1, 0, uintptr(unsafe.Pointer(&one)), uintptr(unsafe.Pointer(&one)), 0, 0, 0)
	if err != nil {
		return 0, err
	}
	const wait = 1
	err = d.lib.do(clEnqueueReadBuffer, d.queue, p.result, wait, 0, 8, uintptr(unsafe.Pointer(&p.address)), 0, 0, 0)
	return p.address, err
}
