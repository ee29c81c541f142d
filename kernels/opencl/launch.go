package opencl

import (
	"fmt"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
)

// Launch implements kernels.Stream. A block of more threads than the device can run
// is kernels.ErrNotSupported, a grid without any CL_INVALID_GLOBAL_WORK_SIZE.
func (s *stream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	own, ok := k.(*kernel)
	if !ok || own.d != s.d {
		return fmt.Errorf("launch: kernel: %w", kernels.ErrForeign)
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if grid.Blocks == 0 || grid.Threads == 0 {
		return failed(clEnqueueNDRangeKernel, invalidGlobalWorkSize, own.name)
	}
	if uint64(grid.Threads) > own.maxThreads {
		return fmt.Errorf("kernel %s: %d threads in a block, the device runs at most %d: %w",
			own.name, grid.Threads, own.maxThreads, kernels.ErrNotSupported)
	}
	own.mu.Lock()
	defer own.mu.Unlock()
	if err := own.set(&args); err != nil {
		return err
	}
	own.global, own.local = uintptr(grid.Blocks)*uintptr(grid.Threads), uintptr(grid.Threads)
	c := s.backlog.next(clEnqueueNDRangeKernel, own.name)
	return s.enqueued(c, s.d.lib.call9(c.function, s.queue, own.handle, 1, 0,
		uintptr(unsafe.Pointer(&own.global)), uintptr(unsafe.Pointer(&own.local)), 0, 0, uintptr(unsafe.Pointer(&c.event))))
}

// set hands the arguments to the driver, which copies them; kernel.mu and
// Device.mu are held.
func (k *kernel) set(args *kernels.Args) error {
	n := 0
	for i, kind := range k.kinds {
		k.params[n] = uintptr(args[i])
		if kind == kernels.Address {
			mem, offset, err := k.d.locate(kernels.Addr(args[i]), 0)
			if err != nil {
				return fmt.Errorf("kernel %s, argument %d: %w", k.name, i, err)
			}
			k.params[n], k.params[n+1] = mem, offset
			n++
		}
		n++
	}
	for i := range k.params[:n] {
		p := &k.params[i]
		if code := k.d.lib.call4(clSetKernelArg, k.handle, uintptr(i), unsafe.Sizeof(*p), uintptr(unsafe.Pointer(p))); code != success {
			return failed(clSetKernelArg, code, fmt.Sprintf("kernel %s, parameter %d", k.name, i))
		}
	}
	return nil
}
