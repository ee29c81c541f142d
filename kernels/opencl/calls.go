package opencl

import "github.com/seqplan/seqplan/kernels/internal/dl"

// function is a function of the OpenCL library.
type function uint8

const (
	clGetPlatformIDs function = iota
	clGetPlatformInfo
	clGetDeviceIDs
	clGetDeviceInfo
	clCreateContext
	clReleaseContext
	clCreateCommandQueue
	clRetainCommandQueue
	clReleaseCommandQueue
	clCreateBuffer
	clReleaseMemObject
	clCreateProgramWithSource
	clBuildProgram
	clGetProgramBuildInfo
	clReleaseProgram
	clCreateKernel
	clReleaseKernel
	clGetKernelInfo
	clGetKernelWorkGroupInfo
	clSetKernelArg
	clEnqueueNDRangeKernel
	clEnqueueReadBuffer
	clEnqueueWriteBuffer
	clEnqueueCopyBuffer
	clEnqueueFillBuffer
	clEnqueueMapBuffer
	clEnqueueUnmapMemObject
	clEnqueueMarkerWithWaitList
	clEnqueueBarrierWithWaitList
	clGetEventInfo
	clWaitForEvents
	clRetainEvent
	clReleaseEvent
	clFlush
	clFinish
	numFunctions
)

// String is the name of the function.
func (f function) String() string { return functionNames[f] }

var functionNames = [numFunctions]string{
	"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo",
	"clCreateContext", "clReleaseContext",
	"clCreateCommandQueue", "clRetainCommandQueue", "clReleaseCommandQueue",
	"clCreateBuffer", "clReleaseMemObject",
	"clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clReleaseProgram",
	"clCreateKernel", "clReleaseKernel", "clGetKernelInfo", "clGetKernelWorkGroupInfo", "clSetKernelArg",
	"clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueCopyBuffer",
	"clEnqueueFillBuffer", "clEnqueueMapBuffer", "clEnqueueUnmapMemObject",
	"clEnqueueMarkerWithWaitList", "clEnqueueBarrierWithWaitList",
	"clGetEventInfo", "clWaitForEvents", "clRetainEvent", "clReleaseEvent", "clFlush", "clFinish",
}

// Values of OpenCL 1.2 that the package hands to the driver.
const (
	deviceTypeAll        = 0xFFFFFFFF
	platformName         = 0x0902
	deviceAddressBits    = 0x100D
	deviceMaxAllocSize   = 0x1010
	deviceBaseAddrAlign  = 0x1019 // in bits
	deviceGlobalMemSize  = 0x101F
	deviceEndianLittle   = 0x1026
	deviceAvailable      = 0x1027
	deviceCompiler       = 0x1028
	deviceName           = 0x102B
	deviceExtensions     = 0x1030
	deviceOpenCLCVersion = 0x103D
	memReadWrite         = 1 << 0
	memAllocHostPtr      = 1 << 4
	mapRead              = 1 << 0
	mapWrite             = 1 << 1
	programBuildLog      = 0x1183
	kernelNumArgs        = 0x1191
	kernelWorkGroupSize  = 0x11B0
	eventExecutionStatus = 0x11D3
	eventComplete        = 0 // positive: still to run; negative: failed
)

// LibraryEnv is the environment variable that names the OpenCL library where
// Options.Library does not.
const LibraryEnv = "SEQPLAN_OPENCL_LIBRARY"

// library is the OpenCL library.
type library struct {
	funcs [numFunctions]dl.Func
}

func load(name string) (*library, error) {
	var lib *dl.Library
	err := guarded(func() (err error) {
		lib, err = dl.Open(dl.Names(name, LibraryEnv, "libOpenCL.so.1", "libOpenCL.so")...)
		return err
	})
	if err != nil {
		return nil, err
	}
	l := new(library)
	for f := range numFunctions {
		if l.funcs[f], err = lib.Func(f.String()); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// status calls a function that returns a code. As for dl.Func.Call, variables whose
// addresses are converted in the argument list live on the heap.
//
//go:uintptrescapes
func (l *library) status(f function, args ...uintptr) int32 { return l.funcs[f].Status(args...) }

// do is status with an error.
//
//go:uintptrescapes
func (l *library) do(f function, args ...uintptr) error {
	return failed(f, l.funcs[f].Status(args...), "")
}

// call4 is status for at most four arguments, the rest of them 0. Like call9 it
// allocates nothing.
//
//go:uintptrescapes
func (l *library) call4(f function, a, b, c, d uintptr) int32 {
	return l.funcs[f].Status4(a, b, c, d)
}

// call9 is call4 for at most nine arguments.
//
//go:uintptrescapes
func (l *library) call9(f function, a, b, c, d, e, g, h, i, j uintptr) int32 {
	return l.funcs[f].Status12(a, b, c, d, e, g, h, i, j, 0, 0, 0)
}

// on calls a function of one object.
func (l *library) on(f function, object uintptr) error {
	return failed(f, l.call4(f, object, 0, 0, 0), "")
}

// create calls a function that returns an object.
//
//go:uintptrescapes
func (l *library) create(f function, args ...uintptr) uintptr { return l.funcs[f].Call(args...) }

// release gives an object back, if there is one, and forgets it, also if that fails.
func (l *library) release(f function, object *uintptr) error {
	if *object == 0 {
		return nil
	}
	old := *object
	*object = 0
	return l.on(f, old)
}
