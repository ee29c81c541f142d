package play

import "github.com/seqplan/seqplan/kernels"

// source is device memory that the host takes and gives back, in the order of the work
// of one stream, the one that takes work at the moment.
type source interface {
	// alloc returns size > 0 bytes, or an error that is kernels.ErrOutOfMemory.
	alloc(size uint64) (kernels.Addr, error)
	free(kernels.Addr) error
	// align is what every address is a multiple of.
	align() uint64
	// peaks returns the most bytes of the device that were held, and of them those
	// that were in use.
	peaks() (reserved, used uint64, err error)
	// close gives everything back. The streams are idle, but not closed.
	close() error
}

// opener opens the source of a worker, of at most limit > 0 bytes; nil if that is too
// little for anything.
type opener func(streams *lanes, limit uint64) (source, error)
