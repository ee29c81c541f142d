package kernels

// Addr is an address in device memory. Zero is no address.
type Addr uint64

// Info describes a device.
type Info struct {
	Backend   string // "host", "opencl", "cuda", "ascend"
	Name      string // as the driver reports it
	Memory    uint64 // bytes of device memory; 0 if the driver does not tell
	BaseAlign uint64 // what every address returned by Alloc is a multiple of
}

// Device is one accelerator. Its methods are safe for concurrent use; a Stream
// belongs to one goroutine at a time.
type Device interface {
	Info() Info

	// Alloc reserves size > 0 bytes of device memory. The content is undefined.
	Alloc(size uint64) (Addr, error)
	// Free gives memory back that Alloc returned. What is none is ErrBadAddress. After
	// any other error too the memory is not the caller's any more: if it was not given
	// back, Close does that.
	Free(Addr) error

	// AllocHost reserves size > 0 bytes of host memory that the device can copy
	// from and to asynchronously.
	AllocHost(size uint64) (HostMemory, error)

	// Kernel looks up a kernel by its name. An unknown name is ErrNoKernel.
	Kernel(name string) (Kernel, error)

	NewStream() (Stream, error)
	NewEvent() (Event, error)
	Close() error
}

// HostMemory is pinned host memory.
type HostMemory interface {
	Bytes() []byte // stays valid until Free
	Free() error
}

// Stream is an in-order queue of work. Every method but Synchronize only
// enqueues: memory that a copy reads or writes must stay untouched until the
// stream has been synchronized. An error of the work itself is reported by the
// next Synchronize and stays until then.
type Stream interface {
	CopyToDevice(dst Addr, src []byte) error
	CopyToHost(dst []byte, src Addr) error
	CopyDevice(dst, src Addr, size uint64) error
	Memset(dst Addr, value byte, size uint64) error
	Launch(k Kernel, grid Grid, args Args) error
	Record(Event) error
	Wait(Event) error // later work of this stream starts after what the event recorded
	Synchronize() error
	Close() error
}

// Kernel is a loaded kernel of one device.
type Kernel interface{ Name() string }

// Event marks a point in a stream: the one where it was recorded last. Query and
// Synchronize are safe for concurrent use. An event that was never recorded stands
// for no work.
type Event interface {
	// Query reports whether the work that was queued before the point has run. It
	// does not wait.
	Query() (done bool, err error)
	// Synchronize waits until Query would say so. An error of the work is reported by
	// its stream.
	Synchronize() error
	Close() error
}

// Grid is the shape of a launch: blocks (work groups) of threads (work items).
type Grid struct{ Blocks, Threads uint32 }

// MaxArgs is the largest number of arguments of a kernel.
const MaxArgs = 8

// Args are the arguments of a launch, addresses and integers alike. The kernel
// knows how many it takes.
type Args [MaxArgs]uint64
