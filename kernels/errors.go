package kernels

import "errors"

// Errors that every back end returns, wrapped with what it was about.
var (
	ErrNoKernel     = errors.New("no such kernel")
	ErrNotSupported = errors.New("not supported on this machine")
	ErrOutOfMemory  = errors.New("out of memory")
	ErrBadAddress   = errors.New("not an address of this device")
	ErrOutOfBounds  = errors.New("outside the allocation")
	ErrForeign      = errors.New("object belongs to another device or is closed")
	ErrClosed       = errors.New("already closed")
	ErrZeroSize     = errors.New("size is zero")
	ErrInUse        = errors.New("still in use")
	ErrPoolAttr     = errors.New("bad attribute")
	ErrPoolProps    = errors.New("bad property")
)
