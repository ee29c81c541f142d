//go:build unix

package host

import (
	"errors"
	"math"
	"syscall"
)

// reserve gets zeroed memory from the system, which says no where the Go runtime
// would end the process. Pages that nobody touches cost nothing.
func reserve(size uint64) ([]byte, error) {
	if size > math.MaxInt/2 {
		return nil, errors.New("larger than the address space")
	}
	return syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func release(mem []byte) error { return syscall.Munmap(mem) }
