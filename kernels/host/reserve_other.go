//go:build !unix

package host

import (
	"errors"
	"math"
)

// maxReserve keeps a wrong size from ending the process: the Go runtime cannot
// say no.
const maxReserve = min(1<<36, math.MaxInt/2)

func reserve(size uint64) ([]byte, error) {
	if size > maxReserve {
		return nil, errors.New("more than this system gives to one allocation")
	}
	return make([]byte, size), nil
}

func release([]byte) error { return nil }
