//go:build (linux || darwin) && (amd64 || arm64) && !android && !ios && !seqplan_nodevice

package dl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// Supported tells whether this program can load libraries.
const Supported = true

// open and lookup stay on one thread, since that is what the message of a loader
// belongs to.
func open(name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func lookup(handle uintptr, symbol string) uintptr {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	addr, err := purego.Dlsym(handle, symbol)
	if err != nil {
		return 0
	}
	return addr
}

// Call calls the function with integers and addresses, at most 32. A variable whose
// address is converted in the argument list, uintptr(unsafe.Pointer(&v)), is kept
// alive until the call returns, and lives on the heap; what an argument points to
// beyond that the caller keeps alive and, if it holds Go pointers, pinned. Arguments
// narrower than a word go in as they are; of a narrower result only the low bits mean
// something, see Status. Call allocates room for its arguments.
//
//go:uintptrescapes
func (f Func) Call(args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f.addr, args...)
	return r
}

// Status is Call for a function that returns a C int or enumeration.
//
//go:uintptrescapes
func (f Func) Status(args ...uintptr) int32 {
	r, _, _ := purego.SyscallN(f.addr, args...)
	return int32(r)
}

// Status4 is Status for at most four arguments, the rest of them 0, which a C
// function does not look at. It allocates nothing.
//
//go:uintptrescapes
func (f Func) Status4(a, b, c, d uintptr) int32 {
	return f.status([12]uintptr{a, b, c, d}, 4)
}

// Status12 is Status4 for at most twelve arguments.
//
//go:uintptrescapes
func (f Func) Status12(a, b, c, d, e, g, h, i, j, k, l, m uintptr) int32 {
	return f.status([12]uintptr{a, b, c, d, e, g, h, i, j, k, l, m}, 12)
}

// status hands the arguments over in a frame that is used again, since SyscallN moves
// an argument list of its own to the heap.
func (f Func) status(args [12]uintptr, n int) int32 {
	frame, ok := f.lib.frames.Get().(*[12]uintptr)
	if !ok {
		frame = new([12]uintptr)
	}
	*frame = args
	r, _, _ := purego.SyscallN(f.addr, frame[:n]...)
	f.lib.frames.Put(frame)
	return int32(r)
}
