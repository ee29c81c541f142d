package opencl

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

// Error is a failed call of the driver, or a command that failed after it was
// enqueued; then Call is what enqueued it.
type Error struct {
	Call   string // "clCreateBuffer"
	Code   int32  // -4
	Name   string // "CL_MEM_OBJECT_ALLOCATION_FAILURE"; empty if OpenCL 1.2 has no such code
	Detail string // what the call was about, or the log of a build; may be empty
}

// Error implements error.
func (e *Error) Error() string {
	text := e.Call
	if e.Name != "" {
		text = fmt.Sprintf("%s: %s (%d)", text, e.Name, e.Code)
	} else {
		text = fmt.Sprintf("%s: error %d", text, e.Code)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Is tells which of the errors of package kernels this one is.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case memObjectAllocationFailure, outOfHostMemory, invalidBufferSize:
		return target == kernels.ErrOutOfMemory
	case deviceNotFound, deviceNotAvailable, compilerNotAvailable, platformNotFound:
		return target == kernels.ErrNotSupported
	case invalidKernelName:
		return target == kernels.ErrNoKernel
	}
	return false
}

// failed makes the error of a call, or nil if the code says success.
func failed(f function, code int32, detail string) error {
	if code == success {
		return nil
	}
	return &Error{Call: f.String(), Code: code, Name: codeName(code), Detail: detail}
}

// Codes that the package itself looks at.
const (
	success                    = 0
	deviceNotFound             = -1
	deviceNotAvailable         = -2
	compilerNotAvailable       = -3
	memObjectAllocationFailure = -4
	outOfResources             = -5
	outOfHostMemory            = -6
	execStatusError            = -14 // of an event that was waited for
	invalidKernelName          = -46
	invalidBufferSize          = -61
	invalidGlobalWorkSize      = -63
	platformNotFound           = -1001
)

func codeName(code int32) string {
	switch {
	case code == platformNotFound:
		return "CL_PLATFORM_NOT_FOUND_KHR"
	case code <= -30 && code > -30-int32(len(argumentCodes)):
		return argumentCodes[-30-code]
	case code < 0 && code > -1-int32(len(runtimeCodes)):
		return runtimeCodes[-1-code]
	}
	return ""
}

// The names of the codes -1, -2, ... and -30, -31, ... of OpenCL 1.2.
var (
	runtimeCodes = [...]string{
		"CL_DEVICE_NOT_FOUND", "CL_DEVICE_NOT_AVAILABLE", "CL_COMPILER_NOT_AVAILABLE",
		"CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY",
		"CL_PROFILING_INFO_NOT_AVAILABLE", "CL_MEM_COPY_OVERLAP", "CL_IMAGE_FORMAT_MISMATCH",
		"CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_BUILD_PROGRAM_FAILURE", "CL_MAP_FAILURE",
		"CL_MISALIGNED_SUB_BUFFER_OFFSET", "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
		"CL_COMPILE_PROGRAM_FAILURE", "CL_LINKER_NOT_AVAILABLE", "CL_LINK_PROGRAM_FAILURE",
		"CL_DEVICE_PARTITION_FAILED", "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
	}
	argumentCodes = [...]string{
		"CL_INVALID_VALUE", "CL_INVALID_DEVICE_TYPE", "CL_INVALID_PLATFORM", "CL_INVALID_DEVICE",
		"CL_INVALID_CONTEXT", "CL_INVALID_QUEUE_PROPERTIES", "CL_INVALID_COMMAND_QUEUE",
		"CL_INVALID_HOST_PTR", "CL_INVALID_MEM_OBJECT", "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
		"CL_INVALID_IMAGE_SIZE", "CL_INVALID_SAMPLER", "CL_INVALID_BINARY",
		"CL_INVALID_BUILD_OPTIONS", "CL_INVALID_PROGRAM", "CL_INVALID_PROGRAM_EXECUTABLE",
		"CL_INVALID_KERNEL_NAME", "CL_INVALID_KERNEL_DEFINITION", "CL_INVALID_KERNEL",
		"CL_INVALID_ARG_INDEX", "CL_INVALID_ARG_VALUE", "CL_INVALID_ARG_SIZE",
		"CL_INVALID_KERNEL_ARGS", "CL_INVALID_WORK_DIMENSION", "CL_INVALID_WORK_GROUP_SIZE",
		"CL_INVALID_WORK_ITEM_SIZE", "CL_INVALID_GLOBAL_OFFSET", "CL_INVALID_EVENT_WAIT_LIST",
		"CL_INVALID_EVENT", "CL_INVALID_OPERATION", "CL_INVALID_GL_OBJECT",
		"CL_INVALID_BUFFER_SIZE", "CL_INVALID_MIP_LEVEL", "CL_INVALID_GLOBAL_WORK_SIZE",
		"CL_INVALID_PROPERTY", "CL_INVALID_IMAGE_DESCRIPTOR", "CL_INVALID_COMPILER_OPTIONS",
		"CL_INVALID_LINKER_OPTIONS", "CL_INVALID_DEVICE_PARTITION_COUNT",
	}
)
