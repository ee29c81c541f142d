package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/internal/dl"
)

// LibraryEnv is the environment variable that names the driver library where Options
// do not.
const LibraryEnv = "SEQPLAN_LIBCUDA"

// function is a function of the driver.
type function struct {
	dl.Func
	name string
}

// library is the driver library with its functions.
type library struct {
	path string

	init, getErrorName, driverGetVersion                                                function
	deviceGetCount, deviceGet, deviceGetName, deviceGetAttribute, deviceTotalMem        function
	primaryCtxRetain, primaryCtxRelease, ctxSetCurrent                                  function
	memAlloc, memFree, memGetInfo, memHostAlloc, memFreeHost                            function
	copyToDevice, copyToHost, copyDevice, memset                                        function
	moduleLoad, moduleUnload, moduleGetFunction, launchKernel                           function
	streamCreate, streamDestroy, streamSynchronize, streamQuery, streamWaitEvent        function
	eventCreate, eventRecord, eventQuery, eventSynchronize, eventDestroy                function
	beginCapture, endCapture, graphInstantiate, graphLaunch, graphDestroy, graphExecEnd function
	poolCreate, poolDestroy, poolAlloc, poolFree, poolSet, poolGet, poolTrim            function
}

// A feature is what only some drivers have. Functions of none are needed.
type feature string

const (
	graphs feature = "graphs"
	pools  feature = "memory pools"
)

// symbol says which function of the library belongs to a field. The suffixes matter:
// a name without them is an older function with other types.
type symbol struct {
	to   *function
	name string
	of   feature
}

func (l *library) symbols() []symbol {
	return []symbol{
		{to: &l.init, name: "cuInit"},
		{to: &l.getErrorName, name: "cuGetErrorName"},
		{to: &l.driverGetVersion, name: "cuDriverGetVersion"},
		{to: &l.deviceGetCount, name: "cuDeviceGetCount"},
		{to: &l.deviceGet, name: "cuDeviceGet"},
		{to: &l.deviceGetName, name: "cuDeviceGetName"},
		{to: &l.deviceGetAttribute, name: "cuDeviceGetAttribute"},
		{to: &l.deviceTotalMem, name: "cuDeviceTotalMem_v2"},
		{to: &l.primaryCtxRetain, name: "cuDevicePrimaryCtxRetain"},
		{to: &l.primaryCtxRelease, name: "cuDevicePrimaryCtxRelease_v2"},
		{to: &l.ctxSetCurrent, name: "cuCtxSetCurrent"},
		{to: &l.memAlloc, name: "cuMemAlloc_v2"},
		{to: &l.memFree, name: "cuMemFree_v2"},
		{to: &l.memGetInfo, name: "cuMemGetInfo_v2"},
		{to: &l.memHostAlloc, name: "cuMemHostAlloc"},
		{to: &l.memFreeHost, name: "cuMemFreeHost"},
		{to: &l.copyToDevice, name: "cuMemcpyHtoDAsync_v2"},
		{to: &l.copyToHost, name: "cuMemcpyDtoHAsync_v2"},
		{to: &l.copyDevice, name: "cuMemcpyDtoDAsync_v2"},
		{to: &l.memset, name: "cuMemsetD8Async"},
		{to: &l.moduleLoad, name: "cuModuleLoadDataEx"},
		{to: &l.moduleUnload, name: "cuModuleUnload"},
		{to: &l.moduleGetFunction, name: "cuModuleGetFunction"},
		{to: &l.launchKernel, name: "cuLaunchKernel"},
		{to: &l.streamCreate, name: "cuStreamCreate"},
		{to: &l.streamDestroy, name: "cuStreamDestroy_v2"},
		{to: &l.streamSynchronize, name: "cuStreamSynchronize"},
		{to: &l.streamQuery, name: "cuStreamQuery"},
		{to: &l.streamWaitEvent, name: "cuStreamWaitEvent"},
		{to: &l.eventCreate, name: "cuEventCreate"},
		{to: &l.eventRecord, name: "cuEventRecord"},
		{to: &l.eventQuery, name: "cuEventQuery"},
		{to: &l.eventSynchronize, name: "cuEventSynchronize"},
		{to: &l.eventDestroy, name: "cuEventDestroy_v2"},
		{to: &l.beginCapture, name: "cuStreamBeginCapture_v2", of: graphs},
		{to: &l.endCapture, name: "cuStreamEndCapture", of: graphs},
		{to: &l.graphInstantiate, name: "cuGraphInstantiateWithFlags", of: graphs},
		{to: &l.graphLaunch, name: "cuGraphLaunch", of: graphs},
		{to: &l.graphDestroy, name: "cuGraphDestroy", of: graphs},
		{to: &l.graphExecEnd, name: "cuGraphExecDestroy", of: graphs},
		{to: &l.poolCreate, name: "cuMemPoolCreate", of: pools},
		{to: &l.poolDestroy, name: "cuMemPoolDestroy", of: pools},
		{to: &l.poolAlloc, name: "cuMemAllocFromPoolAsync", of: pools},
		{to: &l.poolFree, name: "cuMemFreeAsync", of: pools},
		{to: &l.poolSet, name: "cuMemPoolSetAttribute", of: pools},
		{to: &l.poolGet, name: "cuMemPoolGetAttribute", of: pools},
		{to: &l.poolTrim, name: "cuMemPoolTrimTo", of: pools},
	}
}

// load loads the driver and starts it.
func load(chosen string) (*library, error) {
	from, err := dl.Open(dl.Names(chosen, LibraryEnv, "libcuda.so.1", "libcuda.so")...)
	if err != nil {
		return nil, fmt.Errorf("cuda: %w", err)
	}
	l := &library{path: from.Name()}
	for _, s := range l.symbols() {
		*s.to = function{from.Optional(s.name), s.name}
		if !s.to.Valid() && s.of == "" {
			return nil, fmt.Errorf("cuda: %w: library %s has no function %s; is the driver too old?", kernels.ErrNotSupported, l.path, s.name)
		}
	}
	if err := l.call(&l.init, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("cuda: %w", err)
	}
	return l, nil
}

// supports returns the error of a driver that lacks a feature.
func (l *library) supports(f feature) error {
	for _, s := range l.symbols() {
		if s.of == f && !s.to.Valid() {
			return fmt.Errorf("cuda %s: %w: library %s has no function %s", f, kernels.ErrNotSupported, l.path, s.name)
		}
	}
	return nil
}

// call calls a function that needs no current context, or has it already. As with
// dl.Func.Status4, variables whose address is converted in the argument list stay
// alive and in place.
//
//go:uintptrescapes
func (l *library) call(f *function, a, b, c, d uintptr) error {
	return l.check(f, f.Status4(a, b, c, d))
}

// check turns the result of a function into an error.
func (l *library) check(f *function, code int32) error {
	if code == success {
		return nil
	}
	e := &Error{Call: f.name, Code: code, Name: "unknown CUresult"}
	var name uintptr
	if l.getErrorName.Status(uintptr(code), uintptr(unsafe.Pointer(&name))) == success && name != 0 {
		e.Name = dl.String(name)
	}
	return e
}

// enter makes the context of the device the current one of this thread, and keeps the
// goroutine on it until leave. A context belongs to a thread, and the Go scheduler
// moves goroutines and lets other devices and other code use the same threads; so
// nothing can be remembered from one call to the next.
func (d *Device) enter() error {
	runtime.LockOSThread()
	l := d.lib
	if code := l.ctxSetCurrent.Status4(d.context, 0, 0, 0); code != success {
		runtime.UnlockOSThread()
		return l.check(&l.ctxSetCurrent, code)
	}
	return nil
}

func (d *Device) leave() { runtime.UnlockOSThread() }

// call is library.call for a function that works in the current context.
//
//go:uintptrescapes
func (d *Device) call(f *function, a, b, c, e uintptr) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return d.lib.call(f, a, b, c, e)
}
