package cuda

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// Error is an error that the driver has reported. It unwraps to the error of package
// kernels that means the same, if there is one.
type Error struct {
	Call   string // function of the driver, as its library spells it
	Code   int32  // CUresult
	Name   string // the driver's name of the code
	Detail string // what else the driver said, such as messages about a PTX; may be empty
}

// Error implements error.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s (%d)", e.Call, e.Name, e.Code)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

// Values of CUresult.
const (
	success  = 0
	notFound = 500
	notReady = 600
)

// Unwrap returns the error of package kernels of the same meaning, or nil.
func (e *Error) Unwrap() error {
	switch e.Code {
	case 2: // OUT_OF_MEMORY
		return kernels.ErrOutOfMemory
	case notFound:
		return kernels.ErrNoKernel
	case 34, // STUB_LIBRARY
		100, 101, // NO_DEVICE, INVALID_DEVICE
		209, 222, // NO_BINARY_FOR_GPU, UNSUPPORTED_PTX_VERSION
		801, 803, 804: // NOT_SUPPORTED, SYSTEM_DRIVER_MISMATCH, COMPAT_NOT_SUPPORTED_ON_DEVICE
		return kernels.ErrNotSupported
	}
	return nil
}
