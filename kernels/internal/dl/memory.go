package dl

import "unsafe"

// pointer turns an address of memory that C owns into a pointer. The detour over
// the variable's address is for vet, which cannot know that the garbage collector
// has no part in that memory.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// Bytes returns memory that C owns, at a non-zero address, as a slice. It is good
// as long as C keeps the memory.
func Bytes(addr uintptr, size int) []byte { return unsafe.Slice((*byte)(pointer(addr)), size) }

// maxString bounds the search for the end of a C string.
const maxString = 1 << 16

// String copies a C string. The address 0 is the empty string.
func String(addr uintptr) string {
	if addr == 0 {
		return ""
	}
	n := 0
	for n < maxString && *(*byte)(unsafe.Add(pointer(addr), n)) != 0 {
		n++
	}
	return string(Bytes(addr, n))
}

// Address is the address of the first byte of a slice, 0 for an empty one. It keeps
// nothing alive, and the slice must not lie on a stack, which may move.
func Address(b []byte) uintptr {
	if len(b) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))
}
