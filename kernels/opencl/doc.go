// Package opencl is the back end for OpenCL 1.2. It finds the OpenCL library of
// the machine at run time and needs neither cgo nor a header. It owns one context
// on one device, the built-in kernels, which are compiled from the portable source
// when the device is opened, and what is made on the device.
//
// # Addresses
//
// OpenCL 1.2 hides the addresses of its buffers, so a kernels.Addr is made up:
// each allocation gets a range of its own, far from all others, whose low 16 bits
// are those of the address that the device saw when the memory was allocated. So
// an address is as aligned as the memory is. OpenCL promises that for BaseAlign;
// beyond that a driver that moves buffers may break it. A kernel gets an address
// as two parameters, a buffer and an offset:
//
//	kernels.Address   __global uchar *NAME_mem, ulong NAME_off
//	kernels.Integer   ulong NAME
//
// Device.Load compiles kernels of a user behind the built-in source, so they can call
// seqplan_alloc.
//
// An address that does not lie in an allocation, or a copy beyond the end of one,
// is refused when it is enqueued. Zero is no address for a kernel either. What a
// kernel does with a good address is not checked.
//
// # Errors
//
// An error of a driver call is an *Error with the name of the call and OpenCL's
// name of the code. A command that fails later is reported by the next Synchronize
// or Close of its stream, the first one only. OpenCL leaves open whether the commands
// behind it run, and a stream that waits for an event behind it reports an error of
// its own, unlike that of package host. To who asks or waits for an event, failed work
// is done.
//
// Missing libraries, platforms and devices, and devices that cannot run the
// kernels, are kernels.ErrNotSupported with the reason. A kernel needs a 64-bit,
// little-endian device with OpenCL C 1.2 and cl_khr_int64_base_atomics.
//
// # Streams
//
// A stream is an in-order command queue. Each command is handed to the device at
// once, and Go memory that it copies from or to is pinned until it has run. Launching,
// copying and waiting allocate nothing. Freeing device memory does not wait for work that
// uses it; freeing host memory waits for all streams.
//
// # Signals
//
// Some drivers replace the signal handlers of the process, which would take nil
// dereferences and interrupts away from the Go runtime. On Linux the package puts
// the handlers back, except for SIGFPE: in OpenCL an integer division by zero is
// no fault, and drivers for CPUs need the signal for that; Go does not.
package opencl
