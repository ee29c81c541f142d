package kernels

import (
	"fmt"
	"unsafe"
)

// AllocHostAligned is dev.AllocHost for memory whose first byte lies at a multiple
// of align, a power of two. Back ends promise no alignment of host memory.
func AllocHostAligned(dev Device, size, align uint64) (HostMemory, error) {
	if align == 0 || align&(align-1) != 0 {
		return nil, fmt.Errorf("host memory: alignment %d is no power of two", align)
	}
	if size == 0 {
		return nil, ErrZeroSize
	}
	if size > ^uint64(0)-(align-1) {
		return nil, fmt.Errorf("%w: %d bytes of host memory asked for", ErrOutOfMemory, size)
	}
	m, err := dev.AllocHost(size + align - 1)
	if err != nil {
		return nil, err
	}
	skip := -uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes())))) & (align - 1)
	return &alignedHost{m, m.Bytes()[skip:][:size:size]}, nil
}

type alignedHost struct {
	whole HostMemory
	bytes []byte
}

func (a *alignedHost) Bytes() []byte { return a.bytes }

func (a *alignedHost) Free() error {
	a.bytes = nil
	return a.whole.Free()
}
