package blockpool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels"
)

// What a caller may branch on, besides the errors of package kernels.
var (
	// ErrDoubleFree: FreeBlock of a block that was freed.
	ErrDoubleFree = errors.New("already free")
	// ErrFreed: a look at a block that was freed.
	ErrFreed = errors.New("was freed")
	// ErrOptions: options that no pool can have.
	ErrOptions = errors.New("bad option")
	// ErrNoDevice: there is no device, a Manager has no such one, or it cannot tell which
	// one is meant.
	ErrNoDevice = errors.New("no such device")
)

func errClosed() error { return fmt.Errorf("block pool: %w", kernels.ErrClosed) }

// OutOfMemoryError says why a pool had no memory for a block. It is a
// kernels.ErrOutOfMemory. All numbers but FreeRegions are bytes.
type OutOfMemoryError struct {
	Requested   uint64
	Wanted      uint64 // the same, as rounded by BlockSize
	Used        uint64 // of all blocks
	Reserved    uint64 // of all regions
	Limit       uint64 // of the pool; 0: none
	Free        uint64 // of the regions, for blocks
	LargestFree uint64 // in one piece
	Trimmable   uint64 // in regions that are entirely free
	FreeRegions int    // how many those are
	Cause       error  // of the device, if it refused a further region
}

func (p *Pool) outOfMemory(need uint64, cause error) error {
	s := p.account()
	return &OutOfMemoryError{
		Wanted: need, Used: s.Used, Reserved: s.Reserved, Limit: p.opts.Limit,
		Free: s.Free, LargestFree: s.LargestFree,
		Trimmable: s.Trimmable, FreeRegions: s.FreeRegions, Cause: cause,
	}
}

// askedFor completes an *OutOfMemoryError.
func askedFor(err error, size uint64) error {
	var full *OutOfMemoryError
	if errors.As(err, &full) {
		full.Requested = size
	}
	return err
}

func (e *OutOfMemoryError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "block pool: %s: a block of %d bytes (%d asked for)", kernels.ErrOutOfMemory, e.Wanted, e.Requested)
	if e.Limit != 0 && e.Wanted > e.Limit {
		fmt.Fprintf(&b, " is larger than the limit of the pool, %d", e.Limit)
		return b.String()
	}
	fmt.Fprintf(&b, ": the pool holds %d", e.Reserved)
	if e.Limit != 0 {
		fmt.Fprintf(&b, " of at most %d", e.Limit)
	}
	fmt.Fprintf(&b, ", %d in use, the largest free piece is %d", e.Used, e.LargestFree)
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %s", e.Cause)
	}
	switch {
	case e.trimHelps():
		fmt.Fprintf(&b, "; %d bytes lie in %s, none large enough: Trim gives them back", e.Trimmable, regions(e.FreeRegions))
	case e.Free >= e.Wanted:
		fmt.Fprintf(&b, "; %d bytes are free, but not in one piece: a larger first region helps", e.Free)
	}
	return b.String()
}

// trimHelps reports whether there would be room after Trim. What the device would say
// is not known.
func (e *OutOfMemoryError) trimHelps() bool {
	return e.Trimmable > 0 && (e.Limit == 0 || e.Wanted <= e.Limit-min(e.Reserved, e.Limit)+e.Trimmable)
}

func regions(n int) string {
	if n == 1 {
		return "1 region that is free"
	}
	return fmt.Sprintf("%d regions that are free", n)
}

// Is makes the error a kernels.ErrOutOfMemory.
func (e *OutOfMemoryError) Is(target error) bool { return target == kernels.ErrOutOfMemory }

// Unwrap returns the error of the device.
func (e *OutOfMemoryError) Unwrap() error { return e.Cause }
