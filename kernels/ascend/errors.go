package ascend

import (
	"fmt"
	"strings"

	"github.com/seqplan/seqplan/kernels"
)

// Error is a call of the driver that failed.
type Error struct {
	Call    string // the C function
	Code    Code   // what it returned
	Name    string // the driver's name of the code; empty if it is not known here
	Message string // what the driver says about it, maybe several lines; may be empty
}

// Error tells the call, the code with its name, and the first line of the message.
func (e *Error) Error() string {
	name := "error"
	if e.Name != "" {
		name = "ACL_ERROR_" + e.Name
	}
	text := fmt.Sprintf("%s: %s (%d)", e.Call, name, int32(e.Code))
	if line, _, _ := strings.Cut(e.Message, "\n"); line != "" {
		text += ": " + line
	}
	return text
}

// Is says which of the errors of package kernels the code means.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case 200000, 207001, 207018: // BAD_ALLOC, RT_MEMORY_ALLOCATION, RT_DEVIDE_OOM
		return target == kernels.ErrOutOfMemory
	case 207012: // RT_OVER_LIMIT, which other calls give for other limits
		return target == kernels.ErrOutOfMemory && e.Call == mallocAsync
	case 200001, 200006, 207000, 207004: // API_NOT_SUPPORT, FEATURE_UNSUPPORTED, RT_FEATURE_NOT_SUPPORT, RT_NO_DEVICE
		return target == kernels.ErrNotSupported
	}
	return false
}
