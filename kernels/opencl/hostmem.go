package opencl

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// pinned is host memory that the driver has allocated: a buffer that stays mapped
// and that no kernel uses. That is the one way in OpenCL to get memory with which
// drivers for GPUs copy without a detour.
type pinned struct {
	d    *Device
	mem  uintptr // cl_mem
	addr uintptr // where it is mapped
	data []byte  // nil once it is freed; guarded by Device.mu
}

// AllocHost implements kernels.Device. It obeys the driver's limit for one piece.
func (d *Device) AllocHost(size uint64) (_ kernels.HostMemory, err error) {
	if size == 0 {
		return nil, kernels.ErrZeroSize
	}
	if err := d.hold(); err != nil {
		return nil, err
	}
	p, err := d.newPinned(size)
	if err != nil {
		return nil, errors.Join(err, d.letGo())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hosts++
	return p, nil
}

func (d *Device) newPinned(size uint64) (*pinned, error) {
	if err := d.fits(size); err != nil {
		return nil, err
	}
	mem, err := d.newBuffer(memReadWrite|memAllocHostPtr, size)
	if err != nil {
		return nil, err
	}
	const wait = 1
	var code int32
	addr := d.lib.create(clEnqueueMapBuffer, d.queue, mem, wait, mapRead|mapWrite, 0, uintptr(size), 0, 0, 0, uintptr(unsafe.Pointer(&code)))
	if err = failed(clEnqueueMapBuffer, code, ""); err == nil && addr == 0 {
		err = errors.New("the driver mapped a buffer to no address")
	}
	if err != nil {
		return nil, errors.Join(outOfMemory(err), d.lib.on(clReleaseMemObject, mem))
	}
	return &pinned{d, mem, addr, dl.Bytes(addr, int(size))}, nil
}

// Bytes implements kernels.HostMemory.
func (p *pinned) Bytes() []byte { return p.data }

// Free implements kernels.HostMemory. It waits until all streams have done what
// they have been given so far, since copies may use the memory.
func (p *pinned) Free() error {
	d := p.d
	queues, err := p.forget()
	if queues == nil && err != nil {
		return err
	}
	for _, q := range queues {
		err = errors.Join(err, d.lib.on(clFinish, q), d.lib.on(clReleaseCommandQueue, q))
	}
	return errors.Join(err,
		d.lib.do(clEnqueueUnmapMemObject, d.queue, p.mem, p.addr, 0, 0, 0),
		d.lib.on(clFinish, d.queue),
		d.lib.on(clReleaseMemObject, p.mem),
		d.letGo())
}

// forget closes the memory for its user and returns the queues to wait for.
func (p *pinned) forget() (queues []uintptr, err error) {
	d := p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.data == nil {
		return nil, fmt.Errorf("host memory: %w", kernels.ErrClosed)
	}
	p.data = nil
	d.hosts--
	queues = make([]uintptr, 0, len(d.streams))
	for _, s := range d.streams {
		if e := d.lib.on(clRetainCommandQueue, s.queue); e != nil {
			err = errors.Join(err, e, d.lib.on(clFinish, s.queue)) // here, where it cannot be closed
			continue
		}
		queues = append(queues, s.queue)
	}
	return queues, err
}
