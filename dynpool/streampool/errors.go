package streampool

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels"
)

// ErrDoubleFree: the memory is free already. It is a kernels.ErrBadAddress too.
var ErrDoubleFree error = doubleFree{}

// doubleFree is the type of ErrDoubleFree.
type doubleFree struct{}

func (doubleFree) Error() string { return "already free" }

func (doubleFree) Is(target error) bool { return target == kernels.ErrBadAddress }

// OutOfMemoryError says why a pool had no memory for an allocation. It is a
// kernels.ErrOutOfMemory. All numbers are bytes.
type OutOfMemoryError struct {
	Size     uint64 // asked for
	Wanted   uint64 // the same, rounded
	MaxSize  uint64 // that the pool may hold; 0: no limit
	Reserved uint64 // that the pool holds
	Used     uint64 // of them, that its users hold
	Largest  uint64 // the largest run of free bytes
	Pending  uint64 // free bytes that work may still be using
	Cause    error  // of the device, if it refused
}

func (e *OutOfMemoryError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "stream pool: %s: %d bytes asked for", kernels.ErrOutOfMemory, e.Size)
	if e.Wanted != e.Size {
		fmt.Fprintf(&b, " (%d rounded)", e.Wanted)
	}
	if e.MaxSize != 0 && e.Wanted > e.MaxSize {
		fmt.Fprintf(&b, ", more than the maximum of the pool, %d", e.MaxSize)
		return b.String()
	}
	fmt.Fprintf(&b, ", the pool holds %d", e.Reserved)
	if e.MaxSize != 0 {
		fmt.Fprintf(&b, " of at most %d", e.MaxSize)
	}
	fmt.Fprintf(&b, ", %d in use, the largest free run is %d", e.Used, e.Largest)
	if e.Pending != 0 {
		fmt.Fprintf(&b, ", %d wait for work", e.Pending)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %s", e.Cause)
	}
	return b.String()
}

// Is makes the error a kernels.ErrOutOfMemory.
func (e *OutOfMemoryError) Is(target error) bool { return target == kernels.ErrOutOfMemory }

// Unwrap returns the error of the device.
func (e *OutOfMemoryError) Unwrap() error { return e.Cause }

// failure is an error of a pool, with the place that it is about.
func failure(format string, args ...any) error { return fmt.Errorf("stream pool: "+format, args...) }
