package opencl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unsafe"
)

// platforms lists the platforms. None at all is an error of its own.
func (l *library) platforms() ([]uintptr, error) {
	var n uint32
	if err := l.do(clGetPlatformIDs, 0, 0, uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, failed(clGetPlatformIDs, platformNotFound, "")
	}
	ids := make([]uintptr, n)
	if err := l.do(clGetPlatformIDs, uintptr(n), uintptr(unsafe.Pointer(unsafe.SliceData(ids))), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	return ids[:min(int(n), len(ids))], nil
}

// devices lists the devices of a platform, which may have none.
func (l *library) devices(platform uintptr) ([]uintptr, error) {
	var n uint32
	code := l.status(clGetDeviceIDs, platform, deviceTypeAll, 0, 0, uintptr(unsafe.Pointer(&n)))
	if code == deviceNotFound || code == success && n == 0 {
		return nil, nil
	}
	if err := failed(clGetDeviceIDs, code, ""); err != nil {
		return nil, err
	}
	ids := make([]uintptr, n)
	if err := l.do(clGetDeviceIDs, platform, deviceTypeAll, uintptr(n), uintptr(unsafe.Pointer(unsafe.SliceData(ids))), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	return ids[:min(int(n), len(ids))], nil
}

// read reads a property of an object, or of an object on a device, into memory of
// size bytes, and tells how many it has.
func (l *library) read(f function, key uintptr, object []uintptr, value *byte, size int) (int, error) {
	var n uintptr
	if len(object) == 2 {
		err := l.do(f, object[0], object[1], key, uintptr(size), uintptr(unsafe.Pointer(value)), uintptr(unsafe.Pointer(&n)))
		return int(n), err
	}
	err := l.do(f, object[0], key, uintptr(size), uintptr(unsafe.Pointer(value)), uintptr(unsafe.Pointer(&n)))
	return int(n), err
}

// text reads a string.
func (l *library) text(f function, key uintptr, object ...uintptr) (string, error) {
	n, err := l.read(f, key, object, nil, 0)
	if err != nil || n <= 0 {
		return "", err
	}
	value := make([]byte, n)
	if n, err = l.read(f, key, object, unsafe.SliceData(value), n); err != nil {
		return "", err
	}
	value, _, _ = bytes.Cut(value[:max(0, min(n, len(value)))], []byte{0})
	return string(bytes.TrimSpace(value)), nil
}

// number reads an integer of four or eight bytes, in the order of the host.
func (l *library) number(f function, key uintptr, object ...uintptr) (uint64, error) {
	value := make([]byte, 8)
	n, err := l.read(f, key, object, unsafe.SliceData(value), len(value))
	switch {
	case err != nil:
		return 0, err
	case n == 4:
		return uint64(binary.NativeEndian.Uint32(value)), nil
	case n == 8:
		return binary.NativeEndian.Uint64(value), nil
	}
	return 0, fmt.Errorf("%v: an integer of %d bytes for property %#x", f, n, key)
}
