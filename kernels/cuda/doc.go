// Package cuda is the back end for NVIDIA GPUs. It owns the calls of the CUDA driver:
// it loads libcuda when a device is opened, needs neither cgo nor the CUDA toolkit, and
// brings the kernels as PTX, which the driver compiles for the device.
//
// # What it promises
//
// A machine without the driver, without a device, or with a driver that lacks a
// function gives kernels.ErrNotSupported, with what was looked for. The driver is
// libcuda.so.1, or what Options or LibraryEnv name. Graphs and memory pools are
// optional: where the driver lacks them only BeginCapture and NewPool fail.
//
// Every error of the driver is an *Error: the function, the number and the driver's
// name of it. It matches the error of package kernels that means the same.
//
// An address that is not of this device, and a copy or memset that leaves its
// allocation, is refused before the driver sees it. Arguments of kernels are not
// checked: a kernel that leaves its memory spoils the context, and then every later
// call fails.
//
// Device memory is given back after the streams that have work were waited for; pinned
// memory once no stream has work, without waiting. Close gives back everything that is
// left, each thing once. When a call that gives something back fails, it is not called
// again: the driver reports errors of earlier work in any call, so it may well have done
// what it was asked for. The release of the context takes the rest.
//
// Memory pools are those of the driver: reuse, release threshold and trim are its doing.
// Their memory is checked in copies like other memory, but Free refuses it. FreeAsync puts
// work on a stream, and does not wait; if it fails, nothing was freed. Close waits for the
// streams, and then frees what is left of pools like other memory.
//
// Synchronize of a stream or an event keeps no other method waiting but Close of the
// device.
//
// Work is asynchronous if its host memory comes from AllocHost. The driver may wait in a
// copy from or to other memory, and such memory is kept alive until the stream is
// synchronized. A launch allocates nothing in Go.
//
// # Contexts and threads
//
// A device uses the primary context, as programs on the CUDA runtime do, so memory and
// streams can be shared with them. A context is current on a thread of the system, and
// goroutines change threads; so every method sets the context anew and stays on its
// thread until its last call of the driver. Nothing is remembered of a thread, since the
// threads are shared with other devices and other code. Other code in the process that uses CUDA must set
// its context likewise, as it finds that of a Device on any thread.
//
// # What was tried
//
// Nothing here was run on a GPU yet. The tests run it on a fake driver, which they
// build from testdata: it executes copies, events, graphs, pools and, with the host port of the
// kernels, the conformance suite of package kernelstest; it checks the order of calls,
// the current context and that all is given back, and fails each call in turn. The
// signatures of the functions and the numbers are those of the CUDA 12 driver API.
// Where a driver is present, TestConformance runs the same suite on it.
package cuda
